-- Access tokens: only a digest is kept, the token itself is shown once. Revoking stamps the row, it is never removed.

CREATE SCHEMA staff;

CREATE TABLE staff.access_tokens (
    id           text COLLATE "C" NOT NULL,
    name         text NOT NULL,
    role         text NOT NULL,
    token_sha256 bytea NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by   text NOT NULL,
    revoked_at   timestamptz,
    CONSTRAINT access_tokens_pkey PRIMARY KEY (id),
    CONSTRAINT access_tokens_token_sha256_key UNIQUE (token_sha256),
    CONSTRAINT access_tokens_token_sha256_check CHECK (octet_length(token_sha256) = 32)
);

GRANT USAGE ON SCHEMA staff TO pitclerk_service;
GRANT SELECT, INSERT, UPDATE ON staff.access_tokens TO pitclerk_service;
