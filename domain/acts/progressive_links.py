"""Linking a table to a progressive: the odds are not too long, and no other game wins a level by another hand."""

from domain import streams
from domain.acts.progressive_day import limits_of, record
from domain.edge.jackpot import Share, UnknownOddsError, shares
from domain.events.progressive import GameLinked, WonBy
from domain.refusals import Refusal
from domain.ruleset import Ruleset
from domain.work import Work


def link(work: Work, progressive_id: str, ruleset: Ruleset) -> None:
    """Link the sheet, unless it is linked already. Refuses `odds_too_long`, `other_odds`, and `bad_terms`.

    Judged again at every opening: what the rules allow may have changed since the sheet was linked.
    """
    try:
        won = shares(ruleset)
    except UnknownOddsError as error:
        raise Refusal("bad_terms", f"{error}, so their odds are not known; leave `progressive` out") from error
    _check_odds(work, won)
    games = work.games(progressive_id)
    if ruleset.digest in games.linked:
        return
    mine = tuple(WonBy(one.level, one.hand, one.share_ppm, one.hands) for one in won)
    for level in {one.level for one in mine}:
        theirs = games.won_by(level)
        if theirs is not None and theirs[1] != {one for one in mine if one.level == level}:
            name, other = theirs
            hands = ", ".join(sorted(f"{one.hand} {one.share_ppm // 10_000} %" for one in other))
            raise Refusal(
                "other_odds",
                f"level {level} of {progressive_id} is won in {name} by {hands}; a game that wins it otherwise takes"
                " another progressive",
            )
    linked = GameLinked(progressive=progressive_id, ruleset=ruleset.id, digest=ruleset.digest, shares=mine)
    record(work, streams.games(progressive_id), linked)


def _check_odds(work: Work, won: tuple[Share, ...]) -> None:
    longest = limits_of(work).longest_odds
    for one in won:
        if longest is not None and one.is_longer_than(longest):
            raise Refusal("odds_too_long", f"{one.hand}: {one.odds}; the money rules allow {longest:,} to 1")
