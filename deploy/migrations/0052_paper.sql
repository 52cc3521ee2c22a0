-- Paper: the slips of jackpot payments with their numbers, and every print of any slip.

CREATE TABLE views.hand_pay_slips (
    site        text COLLATE "C" NOT NULL,
    slip        text COLLATE "C" NOT NULL,
    number      bigint NOT NULL,
    progressive text COLLATE "C" NOT NULL,
    hit         text COLLATE "C" NOT NULL,
    amount      bigint NOT NULL,
    instrument  text NOT NULL,
    paid_by     text NOT NULL,
    gaming_day  text COLLATE "C" NOT NULL,
    actor       text NOT NULL,
    issued_at   timestamptz NOT NULL,
    position    bigint NOT NULL,
    CONSTRAINT hand_pay_slips_pkey PRIMARY KEY (site, slip)
);
CREATE INDEX hand_pay_slips_hit_idx ON views.hand_pay_slips (hit);

CREATE TABLE views.slip_prints (
    site       text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    slip       text COLLATE "C" NOT NULL,
    number     bigint NOT NULL,
    actor      text NOT NULL,
    printed_at timestamptz NOT NULL,
    position   bigint NOT NULL,
    CONSTRAINT slip_prints_pkey PRIMARY KEY (site, kind, slip, number)
);

CREATE TABLE views_build.hand_pay_slips (LIKE views.hand_pay_slips INCLUDING ALL);
CREATE TABLE views_build.slip_prints (LIKE views.slip_prints INCLUDING ALL);
