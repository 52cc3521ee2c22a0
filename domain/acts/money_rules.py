"""Money rules: proposed by one person, agreed to by another of finance."""

import datetime as dt

from domain import streams
from domain.acts.consent import refused_with_reason
from domain.commands import DecideApproval, ProposeRules
from domain.duties import on_duty
from domain.events.rules import ProgressiveLimits, Rules, RulesAdopted, RulesProposed, RulesRefused
from domain.money import CURRENCIES
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def propose(work: Work, command: ProposeRules) -> Reply:
    """Say how the money rules shall read from a gaming day on. Refuses `bad_rules` for what contradicts itself."""
    on_duty(work, "propose money rules")
    rules = Rules(
        valid_from=command.valid_from,
        windows=command.windows,
        transfers=command.transfers,
        thresholds=command.thresholds,
        idle_minutes=command.idle_minutes,
        progressives=command.progressives,
        pars=command.pars,
    )
    _check(rules)
    approval = f"rules.house.{work.house().rules.proposed + 1}"
    event = RulesProposed(approval=approval, rules=rules, reason=command.reason)
    work.record(streams.HOUSE, [event], gaming_day=rules.valid_from)
    return Reply({"approval": approval, "needs": "finance"}, status=202)


def _check(rules: Rules) -> None:
    try:
        dt.date.fromisoformat(rules.valid_from)
    except ValueError as error:
        raise Refusal("bad_rules", f"valid_from {rules.valid_from!r} is not a date: YYYY-MM-DD") from error
    currency = {window.name: window.currency for window in rules.windows}
    if len(currency) != len(rules.windows):
        raise Refusal("bad_rules", "windows: a name stands twice")
    for window in rules.windows:
        if window.currency not in CURRENCIES or window.imprest < 0 or not _is_name(window.name):
            raise Refusal("bad_rules", f"windows: {window.name!r} needs a name, a currency and an imprest of 0 or more")
    for pair in rules.transfers:
        ends = (pair.sender, pair.receiver)
        if pair.sender == pair.receiver or any(end not in currency for end in ends):
            raise Refusal("bad_rules", f"transfers: {pair.sender} to {pair.receiver} are not two windows of the list")
        if currency[pair.sender] != currency[pair.receiver]:
            raise Refusal("bad_rules", f"transfers: {pair.sender} and {pair.receiver} are not of one currency")
    if any(threshold.amount < 0 or threshold.times_stake < 0 for threshold in rules.thresholds):
        raise Refusal("bad_rules", "thresholds: amounts and times_stake are 0 or more")

    if any(par.amount < 0 for par in rules.pars) or len({par.table for par in rules.pars}) != len(rules.pars):
        raise Refusal("bad_rules", "pars: one of 0 or more a table")
    _check_progressives(rules.progressives)


def _check_progressives(limits: ProgressiveLimits) -> None:
    numbers = [limits.stop_after_months, limits.stop_notice_days, *(cap.seed for cap in limits.seed_caps)]
    least_one = [n for n in (limits.longest_odds, limits.most_levels) if n is not None]
    least_one += [cap.level for cap in limits.seed_caps]
    if any(n < 0 for n in numbers) or any(n < 1 for n in least_one) or max(numbers) > 10**12:
        raise Refusal("bad_rules", "progressives: odds, levels are 1 or more, months, days and seeds 0 or more")
    if limits.stop_after_months > 1_200 or limits.stop_notice_days > 36_500:
        raise Refusal("bad_rules", "progressives: a stop is waited for at most 1200 months and 36500 days")
    if any(cap.currency not in CURRENCIES for cap in limits.seed_caps):
        raise Refusal("bad_rules", f"progressives: seed caps are in one of {', '.join(CURRENCIES)}")
    try:
        dt.date.fromisoformat(f"2001-{limits.orphans_until}")
    except ValueError as error:
        raise Refusal("bad_rules", f"progressives: orphans_until {limits.orphans_until!r} is no MM-DD") from error


def _is_name(name: str) -> bool:
    return 0 < len(name) <= 40 and name.isascii() and all(c.isalnum() or c in "_.-" for c in name)


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Adopt the proposed rules, or refuse them, as another person than who proposed them."""
    book = work.house().rules
    if approval not in book.proposals:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}; it may be decided already")
    proposal, proposer = book.proposals[approval]
    reason = refused_with_reason(work, proposer, command)
    day = proposal.rules.valid_from
    if reason is not None:
        refused = RulesRefused(approval=approval, reason=reason)
        work.record(streams.HOUSE, [refused], gaming_day=day, approver=work.request.actor)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    adopted = RulesAdopted(approval=approval, rules=proposal.rules)
    work.record(streams.HOUSE, [adopted], gaming_day=day, approver=work.request.actor)
    return Reply({"valid_from": day, "rules": proposal.rules})
