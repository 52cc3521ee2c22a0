"""Corrections, announcements made again and rulings: proposed by one person, agreed by another.

A correction says what a settled round should have come to; what differs from what it has come to is put right with one
event an amount, at the table where the chips move now (OAC 3772-10-05: linked events, reason, independent approver).
"""

from typing import Any

import msgspec

from domain import engine
from domain.acts.consent import refused_with_reason
from domain.commands import DecideApproval, MakeRuling, ProposeCorrection, ReannounceHand
from domain.engine.limits import Limits
from domain.engine.record import Record, RecordProgressive
from domain.events.base import Event
from domain.events.correction import (
    AmountCorrected,
    Change,
    CorrectionProposed,
    CorrectionRefused,
    HandReannounced,
    RoundCorrected,
    RulingMade,
    RulingProposed,
    RulingRefused,
)
from domain.hands import HANDS
from domain.refusals import Refusal
from domain.request import Reply
from domain.table.money import Amounts, RoundMoney, money_of
from domain.table.session import TableSession
from domain.work import Work

JACKPOT = "jackpot"
MOST = 10**12
BOXES = 100


def propose(work: Work, table: str, command: ProposeCorrection) -> Reply:
    """Say what a settled round should have come to; another supervisor must agree.

    Refuses `unknown_round`, `nothing_to_correct`, and of a record what `settle` refuses.
    """
    stream, session = work.open_session(table)
    money = _money(work, table, command.round)
    wanted = _of_record(session, command) if command.record is not None else _of_payments(money, command)
    changes = _changes(money.amounts, wanted)
    if not changes:
        raise Refusal("nothing_to_correct", f"round {command.round} has come to exactly that already")
    approval = f"correction.{session.opened.session}.{session.proposed + 1}"
    event = CorrectionProposed(approval=approval, round=command.round, changes=changes, reason=command.reason)
    work.record_at_table(stream, session, [event])
    return Reply({"approval": approval, "needs": "supervisor", "changes": changes}, status=202)


def _money(work: Work, table: str, round_id: str) -> RoundMoney:
    money = money_of(round_id, work.table_history(table, _session_number(table, round_id)))
    if money.closed is None:
        raise Refusal("unknown_round", f"no settled round {round_id!r} of {table}")
    return money


def _session_number(table: str, round_id: str) -> int:
    head, _, tail = round_id.rpartition("-")
    number = head.rpartition("-")[2]
    if not round_id.startswith(f"{table}-") or not number.isdigit() or not tail.isdigit():
        raise Refusal("unknown_round", f"{round_id!r} is not a round of {table}")
    return int(number)


def _of_record(session: TableSession, command: ProposeCorrection) -> Amounts:
    """What the round comes to by the record that it should have been, under the table's chip and cap."""
    try:
        record = msgspec.convert(command.record, Record)
    except msgspec.ValidationError as error:
        raise Refusal("bad_record", f"record: {error}") from error
    if record.ruleset != session.opened.ruleset:
        raise Refusal("bad_record", f"record.ruleset: this table deals {session.opened.ruleset}, not {record.ruleset}")
    chip = session.limits.chip
    limits = Limits(
        currency=session.limits.currency,
        chip=chip,
        min=chip,
        max_payout_per_box=session.limits.max_payout_per_box,
    )
    # Jackpot money is not corrected here, so what the meter held then does not matter.
    progressive = RecordProgressive(meter=0) if engine.jackpot_levels(session.ruleset) else msgspec.UNSET
    record = msgspec.structs.replace(record, progressive=progressive)
    settlement = msgspec.to_builtins(engine.settle_record(session.ruleset, limits, record))
    return _of_bets(settlement["bets"]) if "bets" in settlement else _of_boxes(settlement["boxes"])


def _of_boxes(boxes: list[dict[str, Any]]) -> Amounts:
    names = {"stakes": "staked", "taken": "taken", "returned": "returned", "paid": "paid"}
    return {
        (box["box"], kind, effect): amount
        for box in boxes
        for name, effect in names.items()
        for kind, amount in box[name].items()
    }


def _of_bets(bets: list[dict[str, Any]]) -> Amounts:
    names = {"amount": "staked", "taken": "taken", "returned": "returned", "paid": "paid"}
    return {
        (number, bet["on"].split()[0], effect): bet[name]
        for number, bet in enumerate(bets, 1)
        for name, effect in names.items()
        if bet[name]
    }


def _of_payments(money: RoundMoney, command: ProposeCorrection) -> Amounts:
    """The round as it stands, with the payments that should have been."""
    wanted = dict(money.amounts)
    stakes = [(payment.box, payment.kind) for payment in command.payments]
    if len(set(stakes)) != len(stakes):
        raise Refusal("bad_record", "payments: one stake has one right payment; it is named twice")
    for payment in command.payments:
        if payment.kind == JACKPOT:
            raise Refusal("not_correctable", "jackpot money is put right by an adjustment of the progressive")
        if (payment.box, payment.kind, "staked") not in money.amounts:
            raise Refusal("unknown_stake", f"box {payment.box} has no {payment.kind} in round {command.round}")
        wanted[payment.box, payment.kind, "paid"] = payment.paid
    return wanted


def _changes(amounts: Amounts, wanted: Amounts) -> tuple[Change, ...]:
    keys = sorted(key for key in amounts.keys() | wanted.keys() if key[1] != JACKPOT)
    pairs = ((key, amounts.get(key, 0), wanted.get(key, 0)) for key in keys)
    return tuple(Change(*key, was, now) for key, was, now in pairs if was != now)


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Agree to a correction or a ruling, or refuse it, as another person than who proposed it.

    Refuses `moved` where the round has been corrected otherwise since it was proposed.
    """
    stream, session = work.open_session(_table_of(approval))
    if approval not in session.proposals:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}; it may be decided already")
    proposal, proposer = session.proposals[approval]
    reason = refused_with_reason(work, proposer, command)
    if reason is not None:
        refusal = CorrectionRefused if isinstance(proposal, CorrectionProposed) else RulingRefused
        work.record_at_table(stream, session, [refusal(approval=approval, reason=reason)], approved=True)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    if isinstance(proposal, RulingProposed):
        return _rule(work, stream, session, proposal)
    return _correct(work, stream, session, proposal)


def _table_of(approval: str) -> str:
    session = approval.partition(".")[2].rpartition(".")[0]
    return session.rsplit("-", 4)[0]


def _correct(work: Work, stream: str, session: TableSession, proposal: CorrectionProposed) -> Reply:
    money = _money(work, session.opened.table, proposal.round)
    assert money.closed is not None, "only a settled round is corrected"
    events: list[Event] = []
    net = 0
    for change in proposal.changes:
        key = (change.box, change.kind, change.effect)
        if money.amounts.get(key, 0) != change.was:
            raise Refusal("moved", f"round {proposal.round} has been corrected meanwhile; propose again")
        net += {"taken": 1, "paid": -1}.get(change.effect, 0) * (change.now - change.was)
        events.append(
            AmountCorrected(
                round=proposal.round,
                box=change.box,
                kind=change.kind,
                effect=change.effect,
                was=change.was,
                now=change.now,
                corrects=tuple(money.sources.get(key, ())),
                reason=proposal.reason,
                approval=proposal.approval,
            )
        )
    corrected = RoundCorrected(approval=proposal.approval, round=proposal.round, reason=proposal.reason, house_net=net)
    work.record_at_table(stream, session, [corrected, *events], approved=True)
    return Reply({"round": proposal.round, "changes": proposal.changes, "house_net": net})


def reannounce(work: Work, table: str, command: ReannounceHand) -> Reply:
    """A hand announced wrongly, announced again: words only; the money was settled by the cards."""
    stream, session = work.open_session(table)
    for name in (command.was, command.now):
        if name not in HANDS:
            raise Refusal("bad_record", f"{name!r} is no hand; one of {', '.join(HANDS)}")
    _session_number(table, command.round)
    event = HandReannounced(
        round=command.round, box=command.box, was=command.was, now=command.now, reason=command.reason
    )
    work.record_at_table(stream, session, [event])
    return Reply({"round": command.round})


def propose_ruling(work: Work, table: str, command: MakeRuling) -> Reply:
    """The casino manager's ruling; a supervisor other than the manager makes it good."""
    stream, session = work.open_session(table)
    if command.round is not None:
        _session_number(table, command.round)
    for payment in command.payments:
        if not 0 < payment.amount <= MOST or not 0 < payment.box <= BOXES:
            raise Refusal("bad_record", f"payments: an amount is 1 to {MOST}, a box 1 to {BOXES}; got {payment}")
    approval = f"ruling.{session.opened.session}.{session.proposed + 1}"
    event = RulingProposed(
        approval=approval,
        round=command.round,
        ruling=command.ruling,
        reason=command.reason,
        payments=command.payments,
    )
    work.record_at_table(stream, session, [event])
    return Reply({"approval": approval, "needs": "supervisor"}, status=202)


def _rule(work: Work, stream: str, session: TableSession, proposal: RulingProposed) -> Reply:
    made = RulingMade(
        approval=proposal.approval,
        round=proposal.round,
        ruling=proposal.ruling,
        reason=proposal.reason,
        payments=proposal.payments,
        paid=sum(payment.amount for payment in proposal.payments),
    )
    work.record_at_table(stream, session, [made], approved=True)
    return Reply({"ruling": proposal.ruling, "paid": made.paid})
