-- What accounting puts right: corrections of settled counts (drop_id) and adjustments of the audit, each by two people.
-- corrected: how far counted has moved since the box was settled.
ALTER TABLE views.drop_boxes ADD COLUMN corrected bigint NOT NULL DEFAULT 0;
ALTER TABLE views_build.drop_boxes ADD COLUMN corrected bigint NOT NULL DEFAULT 0;

CREATE TABLE views.adjustments (
    site        text COLLATE "C" NOT NULL,
    position    bigint NOT NULL,
    gaming_day  text COLLATE "C" NOT NULL,
    table_name  text COLLATE "C" NOT NULL,
    session     text COLLATE "C" NOT NULL,
    stream      text COLLATE "C" NOT NULL,
    currency    text NOT NULL,
    drop_id     text,
    figure      text NOT NULL,
    was         bigint,
    amount      bigint NOT NULL,
    win         bigint NOT NULL,
    reason      text NOT NULL,
    proposed_by text NOT NULL,
    approved_by text NOT NULL,
    adjusted_at timestamptz NOT NULL,
    CONSTRAINT adjustments_pkey PRIMARY KEY (site, position)
);
CREATE INDEX adjustments_stream_idx ON views.adjustments (site, stream);
CREATE INDEX adjustments_day_idx ON views.adjustments (site, gaming_day);

CREATE TABLE views_build.adjustments (LIKE views.adjustments INCLUDING ALL);

-- Slips served by a window move what it should hold.
ALTER TABLE views.cage_shifts ADD COLUMN fills bigint NOT NULL DEFAULT 0, ADD COLUMN credits bigint NOT NULL DEFAULT 0;
ALTER TABLE views_build.cage_shifts ADD COLUMN fills bigint NOT NULL DEFAULT 0,
    ADD COLUMN credits bigint NOT NULL DEFAULT 0;
