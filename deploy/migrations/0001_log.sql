-- The log, its hash chain and the answers of idempotent requests. These three are only ever added to.
-- Text compares by bytes (COLLATE "C"): one order on every machine, and LIKE 'table/CS07/%' walks the primary key.

CREATE TABLE public.pitclerk_events (
    originator_id      text COLLATE "C" NOT NULL,
    originator_version bigint NOT NULL,
    topic              text COLLATE "C" NOT NULL,
    state              bytea NOT NULL,
    recorded_at        timestamptz NOT NULL,
    notification_id    bigint GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT pitclerk_events_pkey PRIMARY KEY (originator_id, originator_version),
    CONSTRAINT pitclerk_events_notification_id_key UNIQUE (notification_id),
    CONSTRAINT pitclerk_events_version_check CHECK (originator_version >= 1)
);
COMMENT ON TABLE public.pitclerk_events IS 'The log. notification_id is the position: commit order; gaps mean nothing.';

-- A jackpot hit folds what came after its checkpoint while it holds the commit lock, so that read must not scan the log.
CREATE INDEX pitclerk_events_jackpot_idx ON public.pitclerk_events (notification_id)
    WHERE topic LIKE 'progressive.%' OR topic LIKE 'table.jackpot_%';

CREATE TABLE public.pitclerk_chain (
    position bigint NOT NULL,
    leaf     bytea NOT NULL,
    link     bytea NOT NULL,
    CONSTRAINT pitclerk_chain_pkey PRIMARY KEY (position),
    CONSTRAINT pitclerk_chain_leaf_check CHECK (octet_length(leaf) = 32),
    CONSTRAINT pitclerk_chain_link_check CHECK (octet_length(link) = 32)
);
COMMENT ON TABLE public.pitclerk_chain IS 'leaf = SHA-256(0x00 || leaf bytes of the event); link binds it to the link before.';

CREATE TABLE public.pitclerk_answers (
    identity    text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    digest      bytea NOT NULL,
    status      integer NOT NULL,
    answer      bytea NOT NULL,
    position    bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    CONSTRAINT pitclerk_answers_pkey PRIMARY KEY (identity, key)
);
COMMENT ON TABLE public.pitclerk_answers IS 'What each (token identity, idempotency key) was answered; digest covers the request.';

CREATE FUNCTION public.pitclerk_refuse_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    RAISE EXCEPTION '% on %.% refused: the log is only ever added to', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege',
              HINT = 'A mistake is corrected by recording a correction.';
END
$$;

CREATE TRIGGER pitclerk_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.pitclerk_events
    FOR EACH STATEMENT EXECUTE FUNCTION public.pitclerk_refuse_change();
CREATE TRIGGER pitclerk_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.pitclerk_chain
    FOR EACH STATEMENT EXECUTE FUNCTION public.pitclerk_refuse_change();
CREATE TRIGGER pitclerk_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.pitclerk_answers
    FOR EACH STATEMENT EXECUTE FUNCTION public.pitclerk_refuse_change();

-- ALWAYS: also with session_replication_role = replica.
ALTER TABLE public.pitclerk_events ENABLE ALWAYS TRIGGER pitclerk_append_only;
ALTER TABLE public.pitclerk_chain ENABLE ALWAYS TRIGGER pitclerk_append_only;
ALTER TABLE public.pitclerk_answers ENABLE ALWAYS TRIGGER pitclerk_append_only;

GRANT SELECT, INSERT ON public.pitclerk_events, public.pitclerk_chain, public.pitclerk_answers TO pitclerk_service;
GRANT SELECT ON public.pitclerk_events, public.pitclerk_chain, public.pitclerk_answers TO pitclerk_reader;
