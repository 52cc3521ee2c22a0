-- The cage: one row a cashier's shift, and the money rules as adopted.

CREATE TABLE views.cage_shifts (
    site          text COLLATE "C" NOT NULL,
    stream        text COLLATE "C" NOT NULL,
    window_name   text COLLATE "C" NOT NULL,
    cage_shift    text COLLATE "C" NOT NULL,
    gaming_day    text COLLATE "C" NOT NULL,
    shift         text NOT NULL,
    cashier       text NOT NULL,
    currency      text NOT NULL,
    state         text NOT NULL,
    opened_at     timestamptz NOT NULL,
    opening_cash  bigint NOT NULL,
    opening_chips bigint NOT NULL,
    taken_over    text,
    cash          bigint NOT NULL,
    chips         bigint NOT NULL,
    sold          bigint NOT NULL,
    redeemed      bigint NOT NULL,
    hand_paid     bigint NOT NULL,
    sent          bigint NOT NULL,
    received      bigint NOT NULL,
    in_transit    bigint NOT NULL,
    closed_at     timestamptz,
    counted_cash  bigint,
    counted_chips bigint,
    over_short    bigint,
    handed_to     text,
    position      bigint NOT NULL,
    CONSTRAINT cage_shifts_pkey PRIMARY KEY (site, stream)
);
CREATE INDEX cage_shifts_day_idx ON views.cage_shifts (site, gaming_day, window_name);

-- Rules as JSON of domain.events.rules.Rules, by the position of their adoption.
CREATE TABLE views.money_rules (
    site       text COLLATE "C" NOT NULL,
    position   bigint NOT NULL,
    valid_from text COLLATE "C" NOT NULL,
    rules      text NOT NULL,
    adopted_at timestamptz NOT NULL,
    approver   text,
    CONSTRAINT money_rules_pkey PRIMARY KEY (site, position)
);

CREATE TABLE views_build.cage_shifts (LIKE views.cage_shifts INCLUDING ALL);
CREATE TABLE views_build.money_rules (LIKE views.money_rules INCLUDING ALL);
