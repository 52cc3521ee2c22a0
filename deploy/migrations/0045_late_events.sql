-- Late events that belong to an earlier session than the stream that took them: versions first to last of recorded_in.
CREATE TABLE views.late_events (
    site          text COLLATE "C" NOT NULL,
    stream        text COLLATE "C" NOT NULL,
    recorded_in   text COLLATE "C" NOT NULL,
    first_version bigint NOT NULL,
    last_version  bigint NOT NULL,
    position      bigint NOT NULL,
    CONSTRAINT late_events_pkey PRIMARY KEY (site, position)
);
CREATE INDEX late_events_stream_idx ON views.late_events (site, stream);

CREATE TABLE views_build.late_events (LIKE views.late_events INCLUDING ALL);
