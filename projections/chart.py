"""The chart of accounts: what each account of `domain.postings` is called in the house's own books. Data, replaceable.

A chart is a TOML file with one table an account:

    ["win.*"]
    number = "4100"
    name = "Win: {kind}"
    ledger = "Income:Win:{kind}"

`*` stands for whatever follows, and is put in for `{kind}`. `ledger` is the account's name in a Beancount ledger.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

_LEDGER: Final = re.compile(r"(Assets|Liabilities|Equity|Income|Expenses)(:[A-Z0-9][A-Za-z0-9-]*)+")


class ChartError(Exception):
    """A chart that cannot be used: what is wrong, and where."""


class Account(Struct, frozen=True, forbid_unknown_fields=True):
    """One account of the house's books."""

    number: str
    name: str
    ledger: str


DEFAULT: Final[Mapping[str, Account]] = {
    "tray": Account("1110", "Chips in table trays", "Assets:Tables:Trays"),
    "float": Account("1120", "Table banks between sessions", "Assets:Tables:Floats"),
    "drop_box": Account("1130", "Drop boxes", "Assets:Tables:DropBoxes"),
    "cage": Account("1210", "Cage main bank", "Assets:Cage:Bank"),
    "window_cash": Account("1220", "Cash at cage windows", "Assets:Cage:Windows:Cash"),
    "window_chips": Account("1230", "Chips at cage windows", "Assets:Cage:Windows:Chips"),
    "cage_transit": Account("1240", "Between cage windows", "Assets:Cage:Transit"),
    "jackpot_liability": Account("2110", "Progressive jackpots owed to players", "Liabilities:Jackpots:Progressive"),
    "jackpot_due": Account("2120", "Jackpots hit and not yet paid", "Liabilities:Jackpots:Due"),
    "jackpot_transit": Account("2130", "Between progressives", "Liabilities:Jackpots:Transit"),
    "win.*": Account("4100", "Win: {kind}", "Income:Win:{kind}"),
    "over_short": Account("4200", "Over and short of tables", "Income:OverShort:Tables"),
    "drop_difference": Account("4210", "Drop counted against drop recorded", "Income:OverShort:Drop"),
    "audit_adjustment": Account("4300", "Audit adjustments", "Income:Adjustments"),
    "cage_over_short": Account("4220", "Over and short of the cage", "Income:OverShort:Cage"),
    "jackpot_cost": Account("5100", "Cost of jackpots", "Expenses:Jackpots"),
}


class Chart:
    """Names for accounts."""

    def __init__(self, accounts: Mapping[str, Account] = DEFAULT) -> None:
        """Raises ChartError for a ledger name that is none."""
        self._accounts = accounts
        for account, named in accounts.items():
            if not _LEDGER.fullmatch(named.ledger.replace("{kind}", "X")):
                raise ChartError(f"{account}: {named.ledger!r} is no ledger account, such as Assets:Cage:Bank")

    def __getitem__(self, account: str) -> Account:
        """What an account is called. Raises ChartError for one that the chart lacks."""
        named = self._accounts.get(account)
        if named is not None:
            return named
        head, _, kind = account.partition(".")
        named = self._accounts.get(f"{head}.*")
        if named is None:
            raise ChartError(f"the chart has no account {account!r} and no '{head}.*'")
        spoken = kind.replace("_", " ")
        word = "-".join(part.capitalize() for part in kind.split("_"))
        return Account(named.number, named.name.format(kind=spoken), named.ledger.format(kind=word))


def load(path: Path) -> Chart:
    """A chart from a file; accounts that it does not name keep their default. Raises ChartError."""
    try:
        told = msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, Account])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ChartError(f"{path}: {error}") from error
    return Chart({**DEFAULT, **told})
