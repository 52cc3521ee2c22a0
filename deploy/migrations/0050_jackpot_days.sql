-- What moved every level of a progressive on each gaming day, and the life of each progressive with every decrease.

-- The meters as this view has folded them: where its next batch goes on.
CREATE TABLE views.jackpot_day_meters (
    site        text COLLATE "C" NOT NULL,
    progressive text COLLATE "C" NOT NULL,
    meters      text NOT NULL,
    CONSTRAINT jackpot_day_meters_pkey PRIMARY KEY (site, progressive)
);

-- Sums of one gaming day. What the events say by their own words, and (moved_*) what the fold of the meter made of it.
CREATE TABLE views.jackpot_days (
    site                  text COLLATE "C" NOT NULL,
    progressive           text COLLATE "C" NOT NULL,
    level                 integer NOT NULL,
    gaming_day            text COLLATE "C" NOT NULL,
    stakes                bigint NOT NULL,
    stakes_taken          bigint NOT NULL,
    in_u                  numeric(40, 0) NOT NULL,
    taken_u               numeric(40, 0) NOT NULL,
    increments_u          numeric(40, 0) NOT NULL,
    reserve_shares_u      numeric(40, 0) NOT NULL,
    overflowed_u          numeric(40, 0) NOT NULL,
    from_house_u          numeric(40, 0) NOT NULL,
    from_reserve_u        numeric(40, 0) NOT NULL,
    awards_u              numeric(40, 0) NOT NULL,
    house_prizes_u        numeric(40, 0) NOT NULL,
    adjusted_display_u    numeric(40, 0) NOT NULL,
    adjusted_reserve_u    numeric(40, 0) NOT NULL,
    adjusted_rest_u       numeric(40, 0) NOT NULL,
    transferred_display_u numeric(40, 0) NOT NULL,
    transferred_reserve_u numeric(40, 0) NOT NULL,
    transferred_rest_u    numeric(40, 0) NOT NULL,
    hits                  bigint NOT NULL,
    wins                  bigint NOT NULL,
    moved_display_u       numeric(40, 0) NOT NULL,
    moved_reserve_u       numeric(40, 0) NOT NULL,
    moved_rest_u          numeric(40, 0) NOT NULL,
    moved_base_u          numeric(40, 0) NOT NULL,
    CONSTRAINT jackpot_days_pkey PRIMARY KEY (site, progressive, level, gaming_day)
);

-- One row an event of a progressive's life, and a hit that waits or takes from a meter. `said` is the event as JSON.
CREATE TABLE views.jackpot_records (
    site             text COLLATE "C" NOT NULL,
    progressive      text COLLATE "C" NOT NULL,
    position         bigint NOT NULL,
    event            text COLLATE "C" NOT NULL,
    level            integer,
    gaming_day       text COLLATE "C" NOT NULL,
    happened_at      timestamptz NOT NULL,
    actor            text NOT NULL,
    approver         text,
    approval         text COLLATE "C",
    reason           text,
    display_before_u numeric(40, 0),
    display_after_u  numeric(40, 0),
    said             text NOT NULL,
    CONSTRAINT jackpot_records_pkey PRIMARY KEY (site, progressive, position)
);
CREATE INDEX jackpot_records_day_idx ON views.jackpot_records (progressive, gaming_day, position);

CREATE TABLE views_build.jackpot_day_meters (LIKE views.jackpot_day_meters INCLUDING ALL);
CREATE TABLE views_build.jackpot_days (LIKE views.jackpot_days INCLUDING ALL);
CREATE TABLE views_build.jackpot_records (LIKE views.jackpot_records INCLUDING ALL);
