-- Gaming days with their shifts, drop boxes from mounted to counted, and trays counted in the middle of a session.

-- gaming_days ---------------------------------------------------------------------------------------------------------
CREATE TABLE views.gaming_days (
    site             text COLLATE "C" NOT NULL,
    day              text COLLATE "C" NOT NULL,
    state            text NOT NULL,
    opened_at        timestamptz NOT NULL,
    opened_by        text NOT NULL,
    opened_position  bigint NOT NULL,
    closed_at        timestamptz,
    closed_by        text,
    closed_position  bigint,
    audited_at       timestamptz,
    audited_by       text,
    audited_position bigint,
    CONSTRAINT gaming_days_pkey PRIMARY KEY (site, day)
);

CREATE TABLE views.gaming_shifts (
    site       text COLLATE "C" NOT NULL,
    day        text COLLATE "C" NOT NULL,
    shift      text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    position   bigint NOT NULL,
    CONSTRAINT gaming_shifts_pkey PRIMARY KEY (site, day, shift)
);

-- counts --------------------------------------------------------------------------------------------------------------
-- counted is null until the box is settled: what is not known is not zero. No single count is kept here: they are blind.
CREATE TABLE views.drop_boxes (
    site             text COLLATE "C" NOT NULL,
    drop_id          text COLLATE "C" NOT NULL,
    gaming_day       text COLLATE "C" NOT NULL,
    box              text NOT NULL,
    table_name       text COLLATE "C" NOT NULL,
    session          text COLLATE "C" NOT NULL,
    stream           text COLLATE "C" NOT NULL,
    currency         text NOT NULL,
    state            text NOT NULL,
    counts           bigint NOT NULL,
    counted          bigint,
    differ           boolean NOT NULL,
    mounted_at       timestamptz NOT NULL,
    removed_at       timestamptz,
    received_at      timestamptz,
    counted_at       timestamptz,
    position         bigint NOT NULL,
    counted_position bigint,
    CONSTRAINT drop_boxes_pkey PRIMARY KEY (site, drop_id)
);
CREATE INDEX drop_boxes_stream_idx ON views.drop_boxes (site, stream);
CREATE INDEX drop_boxes_day_idx ON views.drop_boxes (site, gaming_day);

CREATE TABLE views.tray_counts (
    site       text COLLATE "C" NOT NULL,
    position   bigint NOT NULL,
    stream     text COLLATE "C" NOT NULL,
    counted_at timestamptz NOT NULL,
    actor      text NOT NULL,
    total      bigint NOT NULL,
    expected   bigint NOT NULL,
    difference bigint NOT NULL,
    rounds     bigint NOT NULL,
    CONSTRAINT tray_counts_pkey PRIMARY KEY (site, position)
);
CREATE INDEX tray_counts_stream_idx ON views.tray_counts (site, stream, position);

CREATE TABLE views_build.gaming_days (LIKE views.gaming_days INCLUDING ALL);
CREATE TABLE views_build.gaming_shifts (LIKE views.gaming_shifts INCLUDING ALL);
CREATE TABLE views_build.drop_boxes (LIKE views.drop_boxes INCLUDING ALL);
CREATE TABLE views_build.tray_counts (LIKE views.tray_counts INCLUDING ALL);
