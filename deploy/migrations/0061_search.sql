-- Search: in which stretches of 1024 positions a term (`player:P7`, `amount:5000`, `hand:full house`) occurs.
CREATE TABLE views.search_terms (
    term    text COLLATE "C" NOT NULL,
    stretch bigint NOT NULL,
    CONSTRAINT search_terms_pkey PRIMARY KEY (term, stretch)
);
CREATE TABLE views_build.search_terms (LIKE views.search_terms INCLUDING ALL);
