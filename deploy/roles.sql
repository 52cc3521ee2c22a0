-- The three roles, and what they may do in this database as a whole. Rights on single tables stand beside the tables, in the
-- migrations. Idempotent: applied before the first migration and again whenever this file has changed.
--
--   pitclerk_owner    owns every table; nobody logs in as it
--   pitclerk_service  the program: adds to the log, keeps the views
--   pitclerk_reader   an auditor's or analyst's own tools: reads
--
-- Passwords are not set here: whoever runs the server sets them (the embedded server draws its own).

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'pitclerk_owner') THEN
        CREATE ROLE pitclerk_owner NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'pitclerk_service') THEN
        CREATE ROLE pitclerk_service LOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'pitclerk_reader') THEN
        CREATE ROLE pitclerk_reader NOLOGIN;
    END IF;
    -- The migrations run as the owner: an administrator who is no superuser must be allowed to become it.
    IF current_setting('is_superuser') = 'off' THEN
        EXECUTE format('GRANT pitclerk_owner TO %I', current_user);
    END IF;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO pitclerk_owner', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO pitclerk_service, pitclerk_reader', current_database());
    -- Anyone may ask whether the database is up to date.
    IF to_regclass('public.schema_migrations') IS NOT NULL THEN
        ALTER TABLE public.schema_migrations OWNER TO pitclerk_owner;
        GRANT SELECT ON public.schema_migrations TO pitclerk_service, pitclerk_reader;
    END IF;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO pitclerk_owner;
GRANT USAGE ON SCHEMA public TO pitclerk_service, pitclerk_reader;
