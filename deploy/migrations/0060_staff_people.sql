-- People who sign in to the pages: a password is kept as an Argon2 hash, a session as a digest of its cookie.
-- Ending access or a session stamps the row; nothing is removed.

CREATE TABLE staff.people (
    id            text COLLATE "C" NOT NULL,
    name          text NOT NULL,
    role          text NOT NULL,
    password_hash text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_by    text NOT NULL,
    ended_at      timestamptz,
    failures      integer NOT NULL DEFAULT 0,
    failed_at     timestamptz,
    CONSTRAINT people_pkey PRIMARY KEY (id),
    CONSTRAINT people_id_check CHECK (id ~ '^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,39}$'),
    CONSTRAINT people_failures_check CHECK (failures >= 0)
);

CREATE TABLE staff.sessions (
    cookie_sha256 bytea NOT NULL,
    person        text COLLATE "C" NOT NULL,
    began_at      timestamptz NOT NULL,
    seen_at       timestamptz NOT NULL,
    ends_at       timestamptz NOT NULL,
    ended_at      timestamptz,
    CONSTRAINT sessions_pkey PRIMARY KEY (cookie_sha256),
    CONSTRAINT sessions_person_fkey FOREIGN KEY (person) REFERENCES staff.people (id),
    CONSTRAINT sessions_cookie_sha256_check CHECK (octet_length(cookie_sha256) = 32)
);

CREATE INDEX sessions_person_idx ON staff.sessions (person) WHERE ended_at IS NULL;

GRANT SELECT, INSERT, UPDATE ON staff.people, staff.sessions TO pitclerk_service;
