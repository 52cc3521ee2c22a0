-- The journal: the balanced postings of every event, added up by gaming day, entry and account. amount_u: millionths of a
-- minor unit, a debit positive. The lines of one entry of one day and currency sum to zero.
CREATE TABLE views.journal (
    site           text COLLATE "C" NOT NULL,
    gaming_day     text COLLATE "C" NOT NULL,
    currency       text COLLATE "C" NOT NULL,
    entry          text COLLATE "C" NOT NULL,
    account        text COLLATE "C" NOT NULL,
    amount_u       numeric(40, 0) NOT NULL,
    postings       bigint NOT NULL,
    first_position bigint NOT NULL,
    last_position  bigint NOT NULL,
    CONSTRAINT journal_pkey PRIMARY KEY (site, gaming_day, currency, entry, account)
);
CREATE TABLE views_build.journal (LIKE views.journal INCLUDING ALL);
