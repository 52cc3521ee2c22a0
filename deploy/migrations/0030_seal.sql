-- The seals of the log: the stored Merkle tree (a view, it can be computed again) and the checkpoints that were signed over
-- it (only ever added to, like the log itself: they are the house's word to the outside).

-- seal ----------------------------------------------------------------------------------------------------------------
-- Tiles of up to 32 hashes of 32 bytes; level 0 has the leaves, and the positions of their events, 8 bytes big-endian each.
CREATE TABLE views.seal_tiles (
    level          integer NOT NULL,
    tile           bigint NOT NULL,
    hashes         bytea NOT NULL,
    positions      bytea NOT NULL,
    first_position bigint,
    CONSTRAINT seal_tiles_pkey PRIMARY KEY (level, tile)
) WITH (fillfactor = 70);
ALTER TABLE views.seal_tiles ALTER hashes SET STORAGE PLAIN, ALTER positions SET STORAGE PLAIN;
CREATE INDEX seal_tiles_position_idx ON views.seal_tiles (first_position) WHERE level = 0;

-- Where table sessions were closed: at each of these sizes of the tree a checkpoint is due.
CREATE TABLE views.seal_closes (
    size     bigint NOT NULL,
    position bigint NOT NULL,
    session  text COLLATE "C" NOT NULL,
    CONSTRAINT seal_closes_pkey PRIMARY KEY (size)
);

-- Rows that were not as recorded when the tree took them in: for each way to differ the first position, and how many.
CREATE TABLE views.seal_differences (
    difference text COLLATE "C" NOT NULL,
    position   bigint NOT NULL,
    events     bigint NOT NULL,
    CONSTRAINT seal_differences_pkey PRIMARY KEY (difference)
);

CREATE TABLE views_build.seal_tiles (LIKE views.seal_tiles INCLUDING ALL);
CREATE TABLE views_build.seal_closes (LIKE views.seal_closes INCLUDING ALL);
CREATE TABLE views_build.seal_differences (LIKE views.seal_differences INCLUDING ALL);

-- Checkpoints ---------------------------------------------------------------------------------------------------------
CREATE TABLE public.pitclerk_checkpoints (
    size      bigint NOT NULL,
    position  bigint NOT NULL,
    root      bytea NOT NULL,
    origin    text COLLATE "C" NOT NULL,
    cause     text NOT NULL,
    issued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT pitclerk_checkpoints_pkey PRIMARY KEY (size),
    CONSTRAINT pitclerk_checkpoints_size_check CHECK (size >= 0),
    CONSTRAINT pitclerk_checkpoints_root_check CHECK (octet_length(root) = 32)
);
COMMENT ON TABLE public.pitclerk_checkpoints IS 'Every checkpoint that was signed: one root a size. position: of its last event.';

-- Our own signatures and those of witnesses. request_key and request_digest: of the POST that brought a witness's.
CREATE TABLE public.pitclerk_signatures (
    size           bigint NOT NULL,
    name           text COLLATE "C" NOT NULL,
    key_id         bytea NOT NULL,
    verifier_key   text NOT NULL,
    signature      bytea NOT NULL,
    added_by       text COLLATE "C" NOT NULL,
    request_key    text COLLATE "C",
    request_digest bytea,
    added_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT pitclerk_signatures_pkey PRIMARY KEY (size, name, key_id),
    CONSTRAINT pitclerk_signatures_request_key UNIQUE (added_by, request_key),
    CONSTRAINT pitclerk_signatures_key_id_check CHECK (octet_length(key_id) = 4)
);
COMMENT ON TABLE public.pitclerk_signatures IS 'Who signed which checkpoint, each signature checked before it was added.';

CREATE TRIGGER pitclerk_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.pitclerk_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION public.pitclerk_refuse_change();
CREATE TRIGGER pitclerk_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.pitclerk_signatures
    FOR EACH STATEMENT EXECUTE FUNCTION public.pitclerk_refuse_change();
ALTER TABLE public.pitclerk_checkpoints ENABLE ALWAYS TRIGGER pitclerk_append_only;
ALTER TABLE public.pitclerk_signatures ENABLE ALWAYS TRIGGER pitclerk_append_only;

GRANT SELECT, INSERT ON public.pitclerk_checkpoints, public.pitclerk_signatures TO pitclerk_service;
GRANT SELECT ON public.pitclerk_checkpoints, public.pitclerk_signatures TO pitclerk_reader;
