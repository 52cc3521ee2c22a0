"""What a winning bet is due, with the additional combination where the sheet pays one."""

from domain.engine.boxes.prepare import BoxTables


def bet_win(play: BoxTables, total: int, held: int, bet: int) -> tuple[int, int]:
    """What a winning bet is due on this hand, and the category of its additional combination (0: none)."""
    pay = play.win_bet[held]
    due = pay.due(bet) if pay else 0
    if play.additional is None:
        return due, 0
    second = play.additional.of(total, held)
    extra = play.bet_by_category[second] if second else None
    return (due + extra.due(bet), second) if extra else (due, 0)
