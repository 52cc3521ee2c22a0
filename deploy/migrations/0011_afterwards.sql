-- What comes after: what is said of a round once it is closed (corrections, announcements made again, rulings; they lie on
-- whatever session is open then), the verification of a hit, its rejection, and money moved between progressives.
ALTER TABLE views.rounds
    ADD COLUMN corrections bigint NOT NULL DEFAULT 0,
    ADD COLUMN corrected_net bigint NOT NULL DEFAULT 0;
ALTER TABLE views_build.rounds
    ADD COLUMN corrections bigint NOT NULL DEFAULT 0,
    ADD COLUMN corrected_net bigint NOT NULL DEFAULT 0;

CREATE TABLE views.round_notes (
    site     text COLLATE "C" NOT NULL,
    round    text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT round_notes_pkey PRIMARY KEY (site, round, position)
);
CREATE TABLE views_build.round_notes (LIKE views.round_notes INCLUDING ALL);

ALTER TABLE views.jackpot_history ADD COLUMN transferred_u numeric(40, 0) NOT NULL DEFAULT 0;
ALTER TABLE views_build.jackpot_history ADD COLUMN transferred_u numeric(40, 0) NOT NULL DEFAULT 0;

ALTER TABLE views.jackpot_hits
    ADD COLUMN winner integer NOT NULL DEFAULT 1,
    ADD COLUMN winners integer NOT NULL DEFAULT 1,
    ADD COLUMN rejected text,
    ADD COLUMN rejected_position bigint,
    ADD COLUMN rejected_at timestamptz,
    ADD COLUMN rejected_actor text;
ALTER TABLE views_build.jackpot_hits
    ADD COLUMN winner integer NOT NULL DEFAULT 1,
    ADD COLUMN winners integer NOT NULL DEFAULT 1,
    ADD COLUMN rejected text,
    ADD COLUMN rejected_position bigint,
    ADD COLUMN rejected_at timestamptz,
    ADD COLUMN rejected_actor text;
CREATE INDEX jackpot_hits_rejected_position_idx ON views.jackpot_hits (rejected_position);

CREATE TABLE views.jackpot_steps (
    site        text COLLATE "C" NOT NULL,
    hit         text COLLATE "C" NOT NULL,
    position    bigint NOT NULL,
    step        text NOT NULL,
    note        text NOT NULL,
    actor       text NOT NULL,
    happened_at timestamptz NOT NULL,
    CONSTRAINT jackpot_steps_pkey PRIMARY KEY (site, hit, position)
);
CREATE TABLE views_build.jackpot_steps (LIKE views.jackpot_steps INCLUDING ALL);
