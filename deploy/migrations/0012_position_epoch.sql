-- A rebuild that takes the place of a view raises its epoch: a runner that still holds what it folded into the rows before
-- notices, whatever their position, and reads the new ones.
ALTER TABLE views.positions ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
ALTER TABLE views_build.positions ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
