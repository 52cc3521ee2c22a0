"""A form as it came: its fields, read strictly; each refusal names the field and says what would be right.

Amounts are written as the reader's language writes them. A mark between thousands is taken only where thousands end, so
that `1,000` and `1.000` are never taken for each other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from api.i18n import numbers
from api.i18n.catalogue import gettext
from api.problems import ProblemError
from domain.money import CURRENCIES

MEDIA_TYPE: Final = "application/x-www-form-urlencoded"
MOST_FIELDS: Final = 500
_COUNT: Final = re.compile(r"[0-9]{1,9}")
_MOST_DIGITS: Final = 13


class FormError(ProblemError):
    """A field that cannot be read. field: its name in the form."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__("bad_body", detail, extra={"field": field})
        self.field = field


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, each named once."""

    fields: Mapping[str, str]

    @classmethod
    def read(cls, body: bytes) -> "Form":
        """Refuses `bad_body`, also where a field is named twice: which of two amounts was meant nobody can know."""
        try:
            pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError as error:
            raise ProblemError("bad_body", f"the form cannot be read: {error}") from error
        fields = dict(pairs)
        if len(fields) < len(pairs):
            twice = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
            raise ProblemError("bad_body", f"the form cannot be read: field {twice[:40]!r} is named twice")
        return cls(fields)

    def text(self, name: str) -> str:
        """A field without space around it; empty if it is not there."""
        return self.fields.get(name, "").strip()

    def optional(self, name: str) -> str | None:
        """A field, None if it is empty."""
        return self.text(name) or None

    def required(self, name: str, label: str) -> str:
        """A field that may not be empty."""
        found = self.text(name)
        if not found:
            raise FormError(name, gettext("%(field)s is missing") % {"field": label})
        return found

    def count(self, name: str, label: str) -> int:
        """A whole number; 0 where the field is empty."""
        found = self.text(name)
        if not found:
            return 0
        if not _COUNT.fullmatch(found):
            detail = gettext("%(field)s is a whole number, not “%(given)s”") % {"field": label, "given": found[:40]}
            raise FormError(name, detail)
        return int(found)

    def amount(self, name: str, label: str, currency: str) -> int:
        """An amount in minor units, as the language writes it: `1 000.50`, `1.000,50`."""
        found = self.required(name, label)
        minor = minor_units(found, currency)
        if minor is None:
            example = "1000" + (numbers.marks().decimal + "50" if CURRENCIES.get(currency, 2) else "")
            given = {"field": label, "example": example, "given": found[:40]}
            raise FormError(name, gettext("%(field)s is an amount such as %(example)s, not “%(given)s”") % given)
        return minor

    def chips(self, prefix: str) -> list[dict[str, int]]:
        """Fields `PREFIX.DENOMINATION` holding counts, as a list of denominations and counts, zeros left out."""
        found = []
        for name in self.fields:
            head, _, denomination = name.rpartition(".")
            if head == prefix and denomination.isascii() and denomination.isdigit():
                count = self.count(name, gettext("the count"))
                if count:
                    found.append({"denomination": int(denomination[:12]), "count": count})
        return sorted(found, key=lambda chips: -chips["denomination"])


def minor_units(text: str, currency: str) -> int | None:
    """The minor units of an amount as the language writes it; None where it cannot be one without doubt."""
    marks, decimals = numbers.marks(), CURRENCIES.get(currency, 2)
    packed = re.sub(r"[\s\u00a0\u202f]", "", text)
    group = "," if marks.decimal == "." else "."
    whole, _, part = packed.partition(marks.decimal)
    if group in whole:
        first, *thousands = whole.split(group)
        if not 1 <= len(first) <= 3 or any(len(three) != 3 for three in thousands):
            return None
        whole = whole.replace(group, "")
    digits = whole + part
    if not whole or not digits.isascii() or not digits.isdigit() or len(digits) > _MOST_DIGITS:
        return None
    if len(part) > decimals or (marks.decimal in packed and not part):
        return None
    return int(whole + part.ljust(decimals, "0"))
