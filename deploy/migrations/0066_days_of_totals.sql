-- A report of some days reads the totals of those days alone, however long the log is.
ALTER TABLE views.table_hold_totals ADD COLUMN gaming_day text COLLATE "C";
UPDATE views.table_hold_totals SET gaming_day = split_part(stream, '/', 3);
ALTER TABLE views.table_hold_totals ALTER COLUMN gaming_day SET NOT NULL;
CREATE INDEX table_hold_totals_day_idx ON views.table_hold_totals (site, gaming_day);

ALTER TABLE views.table_hold_kind_totals ADD COLUMN gaming_day text COLLATE "C";
UPDATE views.table_hold_kind_totals SET gaming_day = split_part(stream, '/', 3);
ALTER TABLE views.table_hold_kind_totals ALTER COLUMN gaming_day SET NOT NULL;
CREATE INDEX table_hold_kind_totals_day_idx ON views.table_hold_kind_totals (site, gaming_day);

ALTER TABLE views_build.table_hold_totals ADD COLUMN gaming_day text COLLATE "C";
UPDATE views_build.table_hold_totals SET gaming_day = split_part(stream, '/', 3);
ALTER TABLE views_build.table_hold_totals ALTER COLUMN gaming_day SET NOT NULL;
CREATE INDEX table_hold_totals_day_idx ON views_build.table_hold_totals (site, gaming_day);

ALTER TABLE views_build.table_hold_kind_totals ADD COLUMN gaming_day text COLLATE "C";
UPDATE views_build.table_hold_kind_totals SET gaming_day = split_part(stream, '/', 3);
ALTER TABLE views_build.table_hold_kind_totals ALTER COLUMN gaming_day SET NOT NULL;
CREATE INDEX table_hold_kind_totals_day_idx ON views_build.table_hold_kind_totals (site, gaming_day);
