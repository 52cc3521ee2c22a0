"""Settled counts corrected and figures adjusted by the audit: proposed by one person, agreed by another of finance.

Who mounted, carried or counted a box does not agree to a correction of its count.
"""

from domain import streams
from domain.accounting_commands import AdjustFigure, CorrectCount
from domain.acts.consent import refused_with_reason
from domain.acts.counts import day_of, find_box
from domain.commands import DecideApproval
from domain.counts import COUNTED, CountBook
from domain.duties import another_person, on_duty
from domain.events.adjustment import (
    AdjustmentProposed,
    AdjustmentRefused,
    BoxCorrected,
    BoxCorrectionProposed,
    FigureAdjusted,
)
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work

_SIGN = {"opener": -1, "fills": -1, "closer": 1, "credits": 1}
"""Win = drop + closer + credits - opener - fills (13 Miss. Code R. 7-3.3(a))."""


def correct_count(work: Work, drop: str, command: CorrectCount) -> Reply:
    """Say what a settled box held. Refuses `drop_state` before it is settled, `nothing_to_correct`."""
    on_duty(work, "correct a count")
    box = find_box(work, drop, COUNTED)
    assert box.counted is not None, "a settled box has its contents"
    if command.total == box.counted:
        raise Refusal("nothing_to_correct", f"{drop} is counted as {box.counted} already")
    day = day_of(drop)
    approval = f"drop.{day}.{work.counts(day).proposed + 1}"
    event = BoxCorrectionProposed(
        approval=approval, drop=drop, was=box.counted, now=command.total, reason=command.reason
    )
    work.record(streams.count(day), [event], gaming_day=day)
    return Reply({"approval": approval, "needs": "finance", "was": box.counted, "now": command.total}, status=202)


def adjust_figure(work: Work, day: str, command: AdjustFigure) -> Reply:
    """Say how far a figure of a closed session is out. Refuses `unknown_session`, `day_running`."""
    on_duty(work, "adjust a figure")
    if not command.amount:
        raise Refusal("nothing_to_correct", "an adjustment of nothing")
    table, stream = _session(work, day, command.session)
    session = work.session(stream)
    known = work.house().days.by_day.get(day)
    if not session.closed or (known is not None and known.closed_by is None):
        raise Refusal("day_running", f"{command.session} of {day} is adjusted once its day is closed")
    approval = f"adjustment.{day}.{work.counts(day).proposed + 1}"
    event = AdjustmentProposed(
        approval=approval,
        table=table,
        session=command.session,
        session_stream=stream,
        currency=session.opened.currency,
        figure=command.figure,
        amount=command.amount,
        reason=command.reason,
    )
    work.record(streams.count(day), [event], gaming_day=day)
    win = _SIGN[command.figure] * command.amount
    return Reply({"approval": approval, "needs": "finance", "figure": command.figure, "win": win}, status=202)


def _session(work: Work, day: str, session: str) -> tuple[str, str]:
    """The table and the stream of a session of a day. Refuses `unknown_session`."""
    table, *date, number = session.rsplit("-", 4)
    if "-".join(date) == day and number.isdigit():
        stream = work.registry(table).streams.get(int(number))
        if stream == streams.session(table, day, int(number)):
            return table, stream
    raise Refusal("unknown_session", f"{day} has no session {session!r}; sessions are named like T1-{day}-1")


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Agree to a correction of a count or to an adjustment, or refuse it, as another person than who proposed it."""
    day = approval.partition(".")[2].partition(".")[0]
    book = work.counts(day)
    if approval not in book.proposals:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}; it may be decided already")
    proposal, proposer = book.proposals[approval]
    reason = refused_with_reason(work, proposer, command)
    actor = work.request.actor
    if reason is not None:
        refused = AdjustmentRefused(approval=approval, reason=reason)
        work.record(streams.count(day), [refused], gaming_day=day, approver=actor)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    if isinstance(proposal, AdjustmentProposed):
        adjusted = _adjusted(proposal, proposer)
        work.record(streams.count(day), [adjusted], gaming_day=day, approver=actor)
        return Reply({"session": adjusted.session, "figure": adjusted.figure, "win": adjusted.win})
    corrected = _corrected(work, book, proposal, proposer)
    work.record(streams.count(day), [corrected], gaming_day=day, approver=actor)
    return Reply({"drop": corrected.drop, "was": corrected.was, "now": corrected.now})


def _adjusted(proposal: AdjustmentProposed, proposer: str) -> FigureAdjusted:
    return FigureAdjusted(
        approval=proposal.approval,
        proposer=proposer,
        table=proposal.table,
        session=proposal.session,
        session_stream=proposal.session_stream,
        currency=proposal.currency,
        figure=proposal.figure,
        amount=proposal.amount,
        win=_SIGN[proposal.figure] * proposal.amount,
        reason=proposal.reason,
    )


def _corrected(work: Work, book: CountBook, proposal: BoxCorrectionProposed, proposer: str) -> BoxCorrected:
    box = book.boxes[proposal.drop]
    another_person(work, f"agree to a correction of {proposal.drop}", [*box.people, *box.counters])
    if box.counted != proposal.was:
        raise Refusal("moved", f"{proposal.drop} has been corrected to {box.counted} meanwhile; propose again")
    mounted = box.mounted
    all_counted = all(other.counted is not None for other in book.of_session(mounted.session))
    return BoxCorrected(
        approval=proposal.approval,
        proposer=proposer,
        drop=proposal.drop,
        table=mounted.table,
        session=mounted.session,
        session_stream=mounted.session_stream,
        currency=mounted.currency,
        was=proposal.was,
        now=proposal.now,
        reason=proposal.reason,
        difference=proposal.now - proposal.was if all_counted else None,
    )
