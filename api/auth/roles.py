"""Which role may use which door: the whole table, in one place.

A door that is not in this table cannot be mounted; a role that is not in a door's row is refused `role_required`.
"""

from typing import Final

ROLES: Final = ("terminal", "supervisor", "cashier", "security", "finance", "auditor", "display", "admin")

ANY: Final = frozenset(ROLES)
STAFF: Final = ANY - {"display"}

Roles = frozenset[str]


def _only(*roles: str) -> Roles:
    chosen = frozenset(roles)
    assert chosen <= ANY, f"unknown role in {roles}"
    return chosen


DOORS: Final[dict[str, Roles]] = {
    # Stateless: nothing is recorded.
    "POST /v1/settlements": ANY,
    # Table sessions and the chips that cross the table's edge.
    "POST /v1/tables/{table}/open": _only("supervisor"),
    "POST /v1/tables/{table}/limits": _only("supervisor"),
    "POST /v1/tables/{table}/close": _only("supervisor"),
    "POST /v1/tables/{table}/buy-ins": _only("terminal"),
    "POST /v1/tables/{table}/tips": _only("terminal"),
    "POST /v1/tables/{table}/colours": _only("terminal"),
    "POST /v1/tables/{table}/colours/cash-in": _only("terminal"),
    "POST /v1/tables/{table}/counts": _only("supervisor"),
    # Gaming days and shifts, rolled by hand.
    "POST /v1/gaming-days": _only("supervisor", "finance"),
    "POST /v1/gaming-days/{day}/shifts": _only("supervisor", "finance"),
    "POST /v1/gaming-days/{day}/close": _only("finance"),
    "POST /v1/gaming-days/{day}/audit": _only("finance", "auditor"),
    # Drop boxes: carried by security, counted by others, never by the cage.
    "POST /v1/tables/{table}/drop-boxes": _only("security"),
    "POST /v1/drop-boxes/{drop}/remove": _only("security"),
    "POST /v1/drop-boxes/{drop}/receive": _only("finance"),
    "POST /v1/drop-boxes/{drop}/count": _only("finance"),
    "POST /v1/drop-boxes/{drop}/corrections": _only("finance"),
    "POST /v1/gaming-days/{day}/adjustments": _only("finance", "auditor"),
    "GET /v1/adjustments": _only("finance", "auditor"),
    # The cage: only the cashier who opened a shift works its window (the domain sees to that).
    "POST /v1/cage/windows/{window}/open": _only("cashier"),
    "POST /v1/cage/windows/{window}/sales": _only("cashier"),
    "POST /v1/cage/windows/{window}/redemptions": _only("cashier"),
    "POST /v1/cage/windows/{window}/hand-pays": _only("cashier"),
    "POST /v1/cage/windows/{window}/transfers": _only("cashier"),
    "POST /v1/cage/windows/{window}/transfers/{transfer}/receive": _only("cashier"),
    "POST /v1/cage/windows/{window}/close": _only("cashier"),
    "POST /v1/cage/windows/{window}/handover": _only("cashier"),
    "POST /v1/cage/windows/{window}/take-over": _only("cashier"),
    "POST /v1/money-rules": _only("admin", "finance"),
    "POST /v1/exceptions/{exception}/acknowledge": _only("supervisor", "finance", "auditor"),
    # Rounds.
    "POST /v1/tables/{table}/rounds": _only("terminal"),
    "POST /v1/tables/{table}/rounds/current/cards": _only("terminal"),
    "POST /v1/tables/{table}/rounds/current/actions": _only("terminal"),
    "POST /v1/tables/{table}/rounds/current/dealer": _only("terminal"),
    "POST /v1/tables/{table}/rounds/current/void": _only("supervisor"),
    # Slips: five steps, five different people (the domain sees to the people).
    "POST /v1/tables/{table}/fills": _only("supervisor"),
    "POST /v1/tables/{table}/credits": _only("supervisor"),
    "POST /v1/slips/{slip}/prepare": _only("cashier"),
    "POST /v1/slips/{slip}/carry": _only("security"),
    "POST /v1/slips/{slip}/count": _only("terminal"),
    "POST /v1/slips/{slip}/receive": _only("supervisor"),
    "POST /v1/slips/{slip}/void": _only("cashier"),
    # Paper: whoever hands a slip out says so first.
    "POST /v1/slips/{slip}/prints": _only("cashier", "supervisor"),
    "POST /v1/jackpots/{jackpot}/hits/{hit}/prints": _only("cashier", "supervisor"),
    # Afterwards: put right by one supervisor and agreed to by another; a ruling is the casino manager's.
    "POST /v1/tables/{table}/corrections": _only("supervisor"),
    "POST /v1/tables/{table}/rulings": _only("supervisor", "admin"),
    "POST /v1/tables/{table}/announcements": _only("supervisor"),
    # Progressives and what waits for a second person.
    "POST /v1/progressives": _only("admin"),
    "POST /v1/progressives/{progressive}/stop": _only("supervisor", "admin", "finance"),
    "POST /v1/progressives/{progressive}/start": _only("admin", "finance"),
    "POST /v1/progressives/{progressive}/limits": _only("admin"),
    "POST /v1/progressives/{progressive}/terms": _only("admin"),
    "POST /v1/progressives/{progressive}/adjustments": _only("admin"),
    "POST /v1/progressives/{progressive}/transfers": _only("admin"),
    "POST /v1/progressives/{progressive}/retire": _only("admin"),
    "POST /v1/progressives/{progressive}/announcements": _only("admin"),
    "POST /v1/progressives/{progressive}/orphans": _only("admin"),
    "POST /v1/jackpots/{jackpot}/hits/{hit}/steps": _only("supervisor", "security", "cashier"),
    "POST /v1/jackpots/{jackpot}/hits/{hit}/displays": _only("display"),
    "POST /v1/jackpots/{jackpot}/hits/{hit}/reject": _only("supervisor", "admin"),
    "POST /v1/approvals/{approval}": _only("finance", "supervisor"),
    "POST /v1/jackpots/{jackpot}/hits/{hit}/pay": _only("cashier", "supervisor"),
    "POST /v1/rulesets": _only("admin"),
    # Reads.
    "GET /v1/tables": STAFF,
    "GET /v1/tables/{table}": STAFF,
    "GET /v1/rulesets": ANY,
    "GET /v1/jackpots": ANY,
    "GET /v1/jackpots/stream": ANY,
    "GET /v1/jackpots/{jackpot}": ANY,
    "GET /v1/jackpots/{jackpot}/hits": ANY,
    "GET /v1/jackpots/{jackpot}/hits/{hit}": STAFF,
    "GET /v1/jackpots/{jackpot}/hits/{hit}/slip": STAFF,
    "GET /v1/jackpots/{jackpot}/history": STAFF,
    "GET /v1/jackpots/{jackpot}/reconciliation": _only("supervisor", "finance", "auditor"),
    "GET /v1/progressives/{progressive}": STAFF,
    "GET /v1/orphans": _only("finance", "auditor"),
    "GET /v1/hold": _only("supervisor", "finance", "auditor"),
    "GET /v1/gaming-days": _only("supervisor", "finance", "auditor"),
    "GET /v1/gaming-days/{day}": _only("finance", "auditor"),
    "GET /v1/gaming-days/{day}/known": _only("finance", "auditor"),
    # The cage does not learn what it will receive before it is settled (WAC 230-15-620).
    "GET /v1/drop-boxes": _only("security", "finance", "auditor"),
    "GET /v1/discrepancies": _only("supervisor", "finance", "auditor"),
    "GET /v1/cage": _only("cashier", "finance", "auditor"),
    "GET /v1/money-rules": STAFF,
    "GET /v1/needs": _only("supervisor", "cashier", "finance", "auditor"),
    # Finance and audit.
    "GET /v1/journal": _only("finance", "auditor"),
    "GET /v1/master-game-report": _only("finance", "auditor"),
    "GET /v1/statistics": _only("finance", "auditor"),
    "GET /v1/exceptions": _only("supervisor", "finance", "auditor"),
    "GET /v1/slips": _only("supervisor", "cashier", "finance", "auditor"),
    "GET /v1/slips/{slip}/prints": _only("supervisor", "cashier", "finance", "auditor"),
    "GET /v1/player-cash": _only("finance", "auditor"),
    "GET /v1/explain": _only("supervisor", "finance", "auditor"),
    "GET /v1/limits": _only("terminal", "supervisor", "auditor"),
    "GET /v1/events": _only("auditor"),
    # Seals: anybody may hold the house to them.
    "GET /v1/audit/checkpoint": ANY,
    "GET /v1/audit/checkpoints": ANY,
    "GET /v1/audit/proof": ANY,
    "GET /v1/audit/consistency": ANY,
    "POST /v1/audit/checkpoint/signatures": _only("auditor", "admin"),
    "GET /v1/rounds/{round}": STAFF,
    "GET /v1/rounds/{round}/story": STAFF,
    "GET /v1/search": _only("supervisor", "auditor"),
    "GET /v1/rounds/{round}/evidence": _only("supervisor", "finance", "auditor"),
}


PAGES: Final[dict[str, Roles]] = {
    "/": STAFF,
    "/tables": _only("supervisor"),
    "/tables/{table}": STAFF,
    "/tables/{table}/deal": _only("terminal", "supervisor"),
    "/tables/{table}/open": _only("supervisor"),
    "/tables/{table}/limits": _only("supervisor"),
    "/tables/{table}/close": _only("supervisor"),
    "/tables/{table}/count": _only("supervisor"),
    "/tables/{table}/void": _only("supervisor"),
    "/tables/{table}/fill": _only("supervisor"),
    "/tables/{table}/credit": _only("supervisor"),
    "/tables/{table}/correct": _only("supervisor"),
    "/tables/{table}/rule": _only("supervisor", "admin"),
    "/tables/{table}/buy-in": _only("terminal"),
    "/tables/{table}/tip": _only("terminal"),
    "/tables/{table}/colour": _only("terminal"),
    "/display": ANY,
    "/settle": STAFF,
    "/jackpots": STAFF,
    "/jackpots/+new": _only("admin"),
    "/jackpots/{jackpot}": STAFF,
    "/jackpots/{jackpot}/life": _only("supervisor", "finance", "auditor", "admin"),
    "/jackpots/{jackpot}/hits/{hit}": STAFF,
    "/jackpots/{jackpot}/hits/{hit}/slip": STAFF,
    # Slips go from the pit to the cage and back: everybody who signs one finds it here.
    "/cage": _only("terminal", "supervisor", "cashier", "security", "finance", "auditor"),
    "/cage/slips/{slip}": _only("terminal", "supervisor", "cashier", "security", "finance", "auditor"),
    "/cage/slips/{slip}/paper": _only("supervisor", "cashier", "finance", "auditor"),
    "/cage/windows": _only("cashier", "finance", "auditor"),
    "/cage/windows/{window}": _only("cashier", "finance", "auditor"),
    "/cage/windows/{window}/count": _only("cashier"),
    "/cage/shifts/{shift}": _only("cashier", "finance", "auditor"),
    "/cage/drops": _only("security", "finance", "auditor"),
    "/cage/drops/{drop}": _only("finance", "auditor"),
    "/finance": _only("finance", "auditor"),
    "/finance/days/{day}": _only("finance", "auditor"),
    "/finance/days/{day}/known": _only("finance", "auditor"),
    "/finance/days/{day}/adjustments": _only("finance", "auditor"),
    "/finance/explain": _only("finance", "auditor"),
    "/finance/events/{position}": _only("finance", "auditor"),
    "/finance/statistics": _only("finance", "auditor"),
    "/finance/journal": _only("finance", "auditor"),
    "/finance/export": _only("finance", "auditor"),
    "/finance/cash": _only("finance", "auditor"),
    "/finance/rules": _only("finance", "auditor", "admin"),
    "/inbox": _only("supervisor", "finance", "auditor"),
    "/audit": _only("supervisor", "auditor"),
    "/audit/rounds/{round}": _only("supervisor", "finance", "auditor"),
    "/audit/rounds/{round}/evidence": _only("supervisor", "finance", "auditor"),
    "/audit/tables/{table}": _only("auditor"),
    "/audit/compare": _only("finance", "auditor"),
    "/audit/events": _only("auditor"),
    "/audit/events/{position}": _only("auditor"),
    "/audit/events/{position}/proof": _only("auditor"),
    "/audit/verify": _only("auditor", "admin"),
    "/audit/checkpoints": _only("finance", "auditor", "admin"),
    "/audit/checkpoints/{size}": _only("finance", "auditor", "admin"),
    "/audit/sample": _only("auditor"),
    "/audit/people": _only("auditor"),
}
"""Page -> who may see it once signed in. What may be done there is the doors' to say."""

OPEN_PAGES: Final = frozenset(path for path, who in PAGES.items() if who >= STAFF)
"""Pages that a demonstration shows without sign-in: those that everybody of the house may see."""


def allowed(method: str, path: str) -> Roles:
    """The roles of a door."""
    return DOORS[f"{method} {path}"]
