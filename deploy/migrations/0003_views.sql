-- What the projections keep. Everything here can be dropped and computed again from the log.

CREATE SCHEMA views;

GRANT USAGE ON SCHEMA views TO pitclerk_service, pitclerk_reader;
-- Tables of later migrations get the same rights without asking for them.
ALTER DEFAULT PRIVILEGES FOR ROLE pitclerk_owner IN SCHEMA views
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON TABLES TO pitclerk_service;
ALTER DEFAULT PRIVILEGES FOR ROLE pitclerk_owner IN SCHEMA views
    GRANT SELECT ON TABLES TO pitclerk_reader;

CREATE TABLE views.positions (
    name       text COLLATE "C" NOT NULL,
    version    integer NOT NULL,
    at         bigint NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    error      text,
    CONSTRAINT positions_pkey PRIMARY KEY (name, version),
    CONSTRAINT positions_at_check CHECK (at >= 0)
);
COMMENT ON TABLE views.positions IS 'How far each version of each projection has folded the log, and why it stands still.';
