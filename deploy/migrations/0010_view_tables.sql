-- What the projections keep: one group of tables a projection. Amounts are whole minor units of the session's currency;
-- columns ending in _u are millionths of one. `site` leads every key. Nothing here is a source of truth.

-- jackpot_meters ------------------------------------------------------------------------------------------------------
-- `meters` is the JSON of domain.progressive.meters.Meters, true at views.positions.at of this projection: the checkpoint.
CREATE TABLE views.jackpot_meters (
    site        text COLLATE "C" NOT NULL,
    progressive text COLLATE "C" NOT NULL,
    currency    text NOT NULL,
    state       text NOT NULL,
    meters      text NOT NULL,
    position    bigint NOT NULL,
    CONSTRAINT jackpot_meters_pkey PRIMARY KEY (site, progressive)
);

-- One row a level and hour: the level after its last event of the hour, so that the meter of any hour is a lookup.
CREATE TABLE views.jackpot_history (
    site          text COLLATE "C" NOT NULL,
    progressive   text COLLATE "C" NOT NULL,
    level         integer NOT NULL,
    hour          timestamptz NOT NULL,
    position      bigint NOT NULL,
    display_u     numeric(40, 0) NOT NULL,
    base_u        numeric(40, 0) NOT NULL,
    reserve_u     numeric(40, 0) NOT NULL,
    overflow_u    numeric(40, 0) NOT NULL,
    residue_u     numeric(40, 0) NOT NULL,
    house_u       numeric(40, 0) NOT NULL,
    contributed_u numeric(40, 0) NOT NULL,
    adjusted_u    numeric(40, 0) NOT NULL,
    charged_u     numeric(40, 0) NOT NULL,
    in_u          numeric(40, 0) NOT NULL,
    hits          bigint NOT NULL,
    wins          bigint NOT NULL,
    CONSTRAINT jackpot_history_pkey PRIMARY KEY (site, progressive, level, hour)
);

CREATE TABLE views.jackpot_hits (
    site                 text COLLATE "C" NOT NULL,
    hit                  text COLLATE "C" NOT NULL,
    progressive          text COLLATE "C" NOT NULL,
    level                integer NOT NULL,
    stream               text COLLATE "C" NOT NULL,
    table_name           text COLLATE "C" NOT NULL,
    gaming_day           text COLLATE "C",
    round                text COLLATE "C" NOT NULL,
    box                  integer NOT NULL,
    player               text,
    hand                 text NOT NULL,
    clause               text NOT NULL,
    award                bigint NOT NULL,
    charged_to           text NOT NULL,
    share_ppm            integer,
    prize                bigint,
    meter_before_u       numeric(40, 0) NOT NULL,
    meter_after_u        numeric(40, 0) NOT NULL,
    residue_u            numeric(40, 0) NOT NULL,
    base_u               numeric(40, 0) NOT NULL,
    reset_from_reserve_u numeric(40, 0) NOT NULL,
    reset_from_house_u   numeric(40, 0) NOT NULL,
    pending              boolean NOT NULL,
    position             bigint NOT NULL,
    event_id             text NOT NULL,
    actor                text NOT NULL,
    happened_at          timestamptz NOT NULL,
    paid                 bigint,
    paid_by              text,
    paid_position        bigint,
    paid_at              timestamptz,
    paid_actor           text,
    CONSTRAINT jackpot_hits_pkey PRIMARY KEY (site, hit)
);
CREATE INDEX jackpot_hits_progressive_idx ON views.jackpot_hits (site, progressive, position);
CREATE INDEX jackpot_hits_position_idx ON views.jackpot_hits (position);
CREATE INDEX jackpot_hits_paid_position_idx ON views.jackpot_hits (paid_position);

-- table_hold ----------------------------------------------------------------------------------------------------------
CREATE TABLE views.table_hold_sessions (
    site            text COLLATE "C" NOT NULL,
    stream          text COLLATE "C" NOT NULL,
    table_name      text COLLATE "C" NOT NULL,
    session         text COLLATE "C" NOT NULL,
    number          integer NOT NULL,
    gaming_day      text COLLATE "C" NOT NULL,
    shift           text NOT NULL,
    ruleset         text COLLATE "C" NOT NULL,
    ruleset_version integer NOT NULL,
    currency        text NOT NULL,
    progressive     text,
    opened_at       timestamptz NOT NULL,
    opener          bigint NOT NULL,
    carried_closer  bigint,
    closed_at       timestamptz,
    closer          bigint,
    expected        bigint,
    over_short      bigint,
    CONSTRAINT table_hold_sessions_pkey PRIMARY KEY (site, stream)
);
CREATE INDEX table_hold_sessions_day_idx ON views.table_hold_sessions (site, gaming_day, table_name);
CREATE INDEX table_hold_sessions_table_idx ON views.table_hold_sessions (site, table_name, gaming_day);

-- One row a session and hour of business time. tray_play: how far play moved the tray (taken less paid from it).
CREATE TABLE views.table_hold (
    site             text COLLATE "C" NOT NULL,
    stream           text COLLATE "C" NOT NULL,
    hour             timestamptz NOT NULL,
    rounds           bigint NOT NULL,
    void_rounds      bigint NOT NULL,
    void_staked      bigint NOT NULL,
    buy_ins          bigint NOT NULL,
    fills            bigint NOT NULL,
    credits          bigint NOT NULL,
    tips             bigint NOT NULL,
    jackpot_paid     bigint NOT NULL,
    jackpot_tray     bigint NOT NULL,
    tray_play        bigint NOT NULL,
    over_short       bigint NOT NULL,
    CONSTRAINT table_hold_pkey PRIMARY KEY (site, stream, hour)
);

-- The same by kind of stake. handle = taken + returned: settled stakes, open ones are pending.
CREATE TABLE views.table_hold_kinds (
    site      text COLLATE "C" NOT NULL,
    stream    text COLLATE "C" NOT NULL,
    hour      timestamptz NOT NULL,
    kind      text COLLATE "C" NOT NULL,
    handle    bigint NOT NULL,
    taken     bigint NOT NULL,
    due       bigint NOT NULL,
    paid      bigint NOT NULL,
    paid_tray bigint NOT NULL,
    capped    bigint NOT NULL,
    CONSTRAINT table_hold_kinds_pkey PRIMARY KEY (site, stream, hour, kind)
);

-- box_limits ----------------------------------------------------------------------------------------------------------
CREATE TABLE views.live_rounds (
    site           text COLLATE "C" NOT NULL,
    stream         text COLLATE "C" NOT NULL,
    round          text COLLATE "C" NOT NULL,
    table_name     text COLLATE "C" NOT NULL,
    gaming_day     text COLLATE "C" NOT NULL,
    first_version  bigint NOT NULL,
    first_position bigint NOT NULL,
    CONSTRAINT live_rounds_pkey PRIMARY KEY (site, stream, round)
);

CREATE TABLE views.box_limits (
    site          text COLLATE "C" NOT NULL,
    stream        text COLLATE "C" NOT NULL,
    round         text COLLATE "C" NOT NULL,
    box           integer NOT NULL,
    player        text,
    staked        bigint NOT NULL,
    cap           bigint,
    most_payable  bigint NOT NULL,
    headroom      bigint,
    insurance_max bigint NOT NULL,
    CONSTRAINT box_limits_pkey PRIMARY KEY (site, stream, round, box)
);

CREATE TABLE views.box_caps (
    site       text COLLATE "C" NOT NULL,
    table_name text COLLATE "C" NOT NULL,
    gaming_day text COLLATE "C" NOT NULL,
    capped     bigint NOT NULL,
    CONSTRAINT box_caps_pkey PRIMARY KEY (site, table_name, gaming_day)
);

-- What a cap withheld, each time it did.
CREATE TABLE views.box_capped (
    site        text COLLATE "C" NOT NULL,
    position    bigint NOT NULL,
    table_name  text COLLATE "C" NOT NULL,
    gaming_day  text COLLATE "C" NOT NULL,
    round       text COLLATE "C" NOT NULL,
    box         integer,
    wager       integer,
    kind        text NOT NULL,
    due         bigint NOT NULL,
    paid        bigint NOT NULL,
    capped      bigint NOT NULL,
    happened_at timestamptz NOT NULL,
    CONSTRAINT box_capped_pkey PRIMARY KEY (site, position)
);
CREATE INDEX box_capped_table_idx ON views.box_capped (site, table_name, gaming_day);

-- rounds --------------------------------------------------------------------------------------------------------------
-- The columns of the close are null while the round is live.
CREATE TABLE views.rounds (
    site           text COLLATE "C" NOT NULL,
    round          text COLLATE "C" NOT NULL,
    table_name     text COLLATE "C" NOT NULL,
    stream         text COLLATE "C" NOT NULL,
    session        text COLLATE "C" NOT NULL,
    gaming_day     text COLLATE "C" NOT NULL,
    ruleset        text COLLATE "C" NOT NULL,
    number         bigint NOT NULL,
    source         text NOT NULL,
    shoe           text NOT NULL,
    actor          text NOT NULL,
    first_version  bigint NOT NULL,
    first_position bigint NOT NULL,
    opened_at      timestamptz NOT NULL,
    last_version   bigint,
    last_position  bigint,
    closed_at      timestamptz,
    staked         bigint,
    taken          bigint,
    returned       bigint,
    paid           bigint,
    house_net      bigint,
    void           boolean,
    players        text[] NOT NULL,
    CONSTRAINT rounds_pkey PRIMARY KEY (site, round)
);
CREATE INDEX rounds_table_idx ON views.rounds (site, table_name, first_position);
CREATE INDEX rounds_position_idx ON views.rounds (site, first_position);

-- tables --------------------------------------------------------------------------------------------------------------
CREATE TABLE views.tables (
    site               text COLLATE "C" NOT NULL,
    table_name         text COLLATE "C" NOT NULL,
    stream             text COLLATE "C" NOT NULL,
    session            text COLLATE "C" NOT NULL,
    state              text NOT NULL,
    gaming_day         text COLLATE "C" NOT NULL,
    shift              text NOT NULL,
    ruleset            text COLLATE "C" NOT NULL,
    ruleset_version    integer NOT NULL,
    currency           text NOT NULL,
    chip               bigint NOT NULL,
    min                bigint NOT NULL,
    max                bigint NOT NULL,
    max_payout_per_box bigint,
    progressive        text,
    opened_at          timestamptz NOT NULL,
    closed_at          timestamptz,
    opener             bigint NOT NULL,
    closer             bigint,
    rounds             bigint NOT NULL,
    live_round         text,
    tray               bigint NOT NULL,
    last_activity      timestamptz NOT NULL,
    CONSTRAINT tables_pkey PRIMARY KEY (site, table_name)
);

-- A rebuild folds the log into a second set of the same tables, is compared, and takes the place of the first.
CREATE SCHEMA views_build;
GRANT USAGE ON SCHEMA views_build TO pitclerk_service, pitclerk_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE pitclerk_owner IN SCHEMA views_build
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON TABLES TO pitclerk_service;
ALTER DEFAULT PRIVILEGES FOR ROLE pitclerk_owner IN SCHEMA views_build
    GRANT SELECT ON TABLES TO pitclerk_reader;

CREATE TABLE views_build.positions (LIKE views.positions INCLUDING ALL);
CREATE TABLE views_build.jackpot_meters (LIKE views.jackpot_meters INCLUDING ALL);
CREATE TABLE views_build.jackpot_history (LIKE views.jackpot_history INCLUDING ALL);
CREATE TABLE views_build.jackpot_hits (LIKE views.jackpot_hits INCLUDING ALL);
CREATE TABLE views_build.table_hold_sessions (LIKE views.table_hold_sessions INCLUDING ALL);
CREATE TABLE views_build.table_hold (LIKE views.table_hold INCLUDING ALL);
CREATE TABLE views_build.table_hold_kinds (LIKE views.table_hold_kinds INCLUDING ALL);
CREATE TABLE views_build.live_rounds (LIKE views.live_rounds INCLUDING ALL);
CREATE TABLE views_build.box_limits (LIKE views.box_limits INCLUDING ALL);
CREATE TABLE views_build.box_caps (LIKE views.box_caps INCLUDING ALL);
CREATE TABLE views_build.box_capped (LIKE views.box_capped INCLUDING ALL);
CREATE TABLE views_build.rounds (LIKE views.rounds INCLUDING ALL);
CREATE TABLE views_build.tables (LIKE views.tables INCLUDING ALL);
