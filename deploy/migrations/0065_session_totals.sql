-- What the hours of a session come to: reports of days, months and years read one row a session instead of all its hours.
CREATE TABLE views.table_hold_totals (
    site         text COLLATE "C" NOT NULL,
    stream       text COLLATE "C" NOT NULL,
    rounds       bigint NOT NULL,
    void_rounds  bigint NOT NULL,
    void_staked  bigint NOT NULL,
    buy_ins      bigint NOT NULL,
    fills        bigint NOT NULL,
    credits      bigint NOT NULL,
    tips         bigint NOT NULL,
    jackpot_paid bigint NOT NULL,
    jackpot_tray bigint NOT NULL,
    tray_play    bigint NOT NULL,
    over_short   bigint NOT NULL,
    CONSTRAINT table_hold_totals_pkey PRIMARY KEY (site, stream)
);

CREATE TABLE views.table_hold_kind_totals (
    site      text COLLATE "C" NOT NULL,
    stream    text COLLATE "C" NOT NULL,
    kind      text COLLATE "C" NOT NULL,
    handle    bigint NOT NULL,
    taken     bigint NOT NULL,
    due       bigint NOT NULL,
    paid      bigint NOT NULL,
    paid_tray bigint NOT NULL,
    capped    bigint NOT NULL,
    CONSTRAINT table_hold_kind_totals_pkey PRIMARY KEY (site, stream, kind)
);

CREATE TABLE views_build.table_hold_totals (LIKE views.table_hold_totals INCLUDING ALL);
CREATE TABLE views_build.table_hold_kind_totals (LIKE views.table_hold_kind_totals INCLUDING ALL);

-- The totals of what has been folded already.
INSERT INTO views.table_hold_totals
SELECT site, stream, sum(rounds), sum(void_rounds), sum(void_staked), sum(buy_ins), sum(fills), sum(credits), sum(tips),
       sum(jackpot_paid), sum(jackpot_tray), sum(tray_play), sum(over_short)
FROM views.table_hold GROUP BY site, stream;
INSERT INTO views.table_hold_kind_totals
SELECT site, stream, kind, sum(handle), sum(taken), sum(due), sum(paid), sum(paid_tray), sum(capped)
FROM views.table_hold_kinds GROUP BY site, stream, kind;
INSERT INTO views_build.table_hold_totals
SELECT site, stream, sum(rounds), sum(void_rounds), sum(void_staked), sum(buy_ins), sum(fills), sum(credits), sum(tips),
       sum(jackpot_paid), sum(jackpot_tray), sum(tray_play), sum(over_short)
FROM views_build.table_hold GROUP BY site, stream;
INSERT INTO views_build.table_hold_kind_totals
SELECT site, stream, kind, sum(handle), sum(taken), sum(due), sum(paid), sum(paid_tray), sum(capped)
FROM views_build.table_hold_kinds GROUP BY site, stream, kind;
