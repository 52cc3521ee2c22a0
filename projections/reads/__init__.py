"""Reads for the doors. Each takes a psycopg connection (idle), reads one snapshot, and says the position it is true at.

    jackpots.jackpots(conn, *, progressive=None) -> Jackpots(position, jackpots)
    jackpot_hits.hits(conn, *, progressive=None, after=0, state=None, limit=100) -> Hits(position, hits)
    jackpot_hits.changes(conn, after) -> JackpotChanges(position, jackpots, hits, paid)  # for the live feed
    jackpot_hours.history(conn, progressive, *, start=None, end=None) -> History(position, rows)
    jackpot_hours.reconciliation(conn, progressive, *, start=None, end=None) -> Reconciliation(position, levels)
    jackpot_days.reconciliation(conn, progressive, gaming_day) -> DayReconciliation | None
    jackpot_hit_record.hit_record(conn, progressive, hit_id) -> HitRecord | None
    progressives.progressive(conn, progressive_id, *, after=0, limit=100) -> ProgressiveLife | None
    hold.hold(conn, *, by="table", table=None, ruleset=None, gaming_day=None, start=None, end=None)
        -> Hold(position, rows)
    limits.limits(conn, *, table=None) -> Limits(position, rows)
    limits.withheld(conn, *, table=None, gaming_day=None, limit=100) -> Withheld(position, rows)
    tables.tables(conn, *, table=None) -> Tables(position, rows)
    rounds.rounds(conn, *, table=None, gaming_day=None, player=None, after=0, limit=100) -> Rounds(position, rows, next)
    rounds.round_row(conn, round_id) -> RoundRow | None
    rounds.round_events(conn, round_id) -> list[LoggedEvent]                             # [] for an unknown round
    rounds.round_story(conn, round_id) -> RoundStory | None
    rounds.round_record(conn, round_id) -> RoundWhole | None         # round record, settlement, jackpots, state
    events.events(conn, *, after=0, limit=100, table=None, round_id=None, type_=None, raw=False) -> Events(events, next)

Structs encode with msgspec as the doors say: amounts are integers in minor units, `*_u` decimal text, times RFC 3339 in
UTC, ratios numbers of six places or null.
"""
