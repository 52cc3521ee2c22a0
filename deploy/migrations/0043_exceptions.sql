-- The exceptions inbox with its trail, slips with their states, the cash of player references by gaming day, and when each
-- session last had something on its felt.

CREATE TABLE views.exceptions (
    site        text COLLATE "C" NOT NULL,
    exception   text COLLATE "C" NOT NULL,
    code        text COLLATE "C" NOT NULL,
    gaming_day  text COLLATE "C" NOT NULL,
    table_name  text COLLATE "C",
    subject     text COLLATE "C" NOT NULL,
    currency    text,
    amount      bigint,
    detail      text NOT NULL,
    stream      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    position    bigint NOT NULL,
    actor       text NOT NULL,
    happened_at timestamptz NOT NULL,
    CONSTRAINT exceptions_pkey PRIMARY KEY (site, exception)
);
CREATE INDEX exceptions_day_idx ON views.exceptions (site, gaming_day, code);
CREATE INDEX exceptions_position_idx ON views.exceptions (position);

CREATE TABLE views.exception_notes (
    site      text COLLATE "C" NOT NULL,
    exception text COLLATE "C" NOT NULL,
    position  bigint NOT NULL,
    actor     text NOT NULL,
    noted_at  timestamptz NOT NULL,
    note      text NOT NULL,
    CONSTRAINT exception_notes_pkey PRIMARY KEY (site, exception, position)
);

CREATE TABLE views.slips (
    site         text COLLATE "C" NOT NULL,
    slip         text COLLATE "C" NOT NULL,
    kind         text NOT NULL,
    number       bigint NOT NULL,
    stream       text COLLATE "C" NOT NULL,
    table_name   text COLLATE "C" NOT NULL,
    session      text COLLATE "C" NOT NULL,
    amount       bigint NOT NULL,
    state        text NOT NULL,
    requested_at timestamptz NOT NULL,
    requested_by text NOT NULL,
    moved_at     timestamptz NOT NULL,
    version      bigint NOT NULL,
    position     bigint NOT NULL,
    CONSTRAINT slips_pkey PRIMARY KEY (site, slip)
);
CREATE INDEX slips_stream_idx ON views.slips (stream, number);
CREATE INDEX slips_session_idx ON views.slips (session);

CREATE TABLE views.player_cash (
    site       text COLLATE "C" NOT NULL,
    gaming_day text COLLATE "C" NOT NULL,
    player     text COLLATE "C" NOT NULL,
    currency   text COLLATE "C" NOT NULL,
    cash_in    bigint NOT NULL,
    cash_out   bigint NOT NULL,
    position   bigint NOT NULL,
    CONSTRAINT player_cash_pkey PRIMARY KEY (site, gaming_day, player, currency)
);

CREATE TABLE views.table_pulse (
    site    text COLLATE "C" NOT NULL,
    stream  text COLLATE "C" NOT NULL,
    last_at timestamptz NOT NULL,
    CONSTRAINT table_pulse_pkey PRIMARY KEY (site, stream)
);

CREATE TABLE views_build.exceptions (LIKE views.exceptions INCLUDING ALL);
CREATE TABLE views_build.exception_notes (LIKE views.exception_notes INCLUDING ALL);
CREATE TABLE views_build.slips (LIKE views.slips INCLUDING ALL);
CREATE TABLE views_build.player_cash (LIKE views.player_cash INCLUDING ALL);
CREATE TABLE views_build.table_pulse (LIKE views.table_pulse INCLUDING ALL);
