-- In which duty a step of a hit's verification was taken and how it came out; which displays have shown a hit, since when.

ALTER TABLE views.jackpot_steps ADD COLUMN role text NOT NULL DEFAULT '', ADD COLUMN result text NOT NULL DEFAULT 'passed';
ALTER TABLE views_build.jackpot_steps ADD COLUMN role text NOT NULL DEFAULT '', ADD COLUMN result text NOT NULL DEFAULT 'passed';

CREATE TABLE views.jackpot_shown (
    site     text COLLATE "C" NOT NULL,
    hit      text COLLATE "C" NOT NULL,
    display  text COLLATE "C" NOT NULL,
    shown_at timestamptz NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT jackpot_shown_pkey PRIMARY KEY (site, hit, display)
);

CREATE TABLE views_build.jackpot_shown (LIKE views.jackpot_shown INCLUDING ALL);
