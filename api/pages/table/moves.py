"""What the dealer's forms ask for: each `do` of a form as the door of a live round and its body."""

from collections.abc import Callable
from typing import Any, Final

from api.i18n.catalogue import gettext
from api.pages.form import Form, FormError
from api.pages.table.forms import number_of, optional_amount
from api.problems import ProblemError

ROUNDS: Final = "/v1/tables/{table}/rounds"
VOID: Final = f"{ROUNDS}/current/void"
MOST_BOXES: Final = 9

Body = dict[str, Any]


def move_of(form: Form, currency: str) -> tuple[str, Body]:
    """The door and the body. Refuses what cannot be read, naming the field."""
    make = _MOVES.get(form.text("do"))
    if make is None:
        raise ProblemError("bad_body", "the form does not say what is done")
    door, body = make(form, currency)
    return door, {name: value for name, value in body.items() if value is not None}


def _open(form: Form, currency: str) -> tuple[str, Body]:
    boxes = [box for n in range(1, MOST_BOXES + 1) if (box := _seat(form, n, currency))]
    return ROUNDS, {"boxes": boxes, "shoe": form.text("shoe") or "house"}


def _seat(form: Form, n: int, currency: str) -> Body | None:
    """One box; None where no ante stands. A side stake without an ante is asked about, never dropped."""
    label = gettext("box %(box)s") % {"box": n}
    sides = {name: optional_amount(form, f"{name}.{n}", label, currency) or 0 for name in ("bonus", "jackpot")}
    ante = optional_amount(form, f"ante.{n}", label, currency)
    if ante is None:
        if any(sides.values()):
            raise FormError(f"ante.{n}", gettext("box %(box)s stakes a side bet and no ante") % {"box": n})
        return None
    flags = {name: bool(form.text(f"{name}.{n}")) for name in ("blind", "accepted")}
    return {"box": n, "ante": ante, "player": form.optional(f"player.{n}"), **sides, **flags}


def _cards(form: Form, _currency: str) -> tuple[str, Body]:
    body: Body = {name: form.optional(name) for name in ("cards", "upcard", "board")}
    if body["cards"] is not None:
        body["box"] = number_of(form, "box", gettext("the box"))
    return f"{ROUNDS}/current/cards", body


def _dealer(form: Form, _currency: str) -> tuple[str, Body]:
    return f"{ROUNDS}/current/dealer", {"cards": form.optional("cards"), "drawn": form.optional("drawn")}


def _number(form: Form, _currency: str) -> tuple[str, Body]:
    return f"{ROUNDS}/current/dealer", {"number": number_of(form, "number", gettext("the number called"))}


def _action(form: Form, currency: str) -> tuple[str, Body]:
    """What a box does."""
    body: Body = {"do": form.text("do"), "box": number_of(form, "box", gettext("the box"))}
    if body["do"] == "swap":
        out = [name.partition(".")[2] for name in form.fields if name.startswith("out.")]
        if not out:
            raise FormError("out", gettext("mark the cards that go"))
        body["out"] = " ".join(out)
    if body["do"] in ("swap", "buy"):
        body["in"] = form.optional("in")
    if body["do"] == "insure":
        body["amount"] = form.amount("amount", gettext("the insurance"), currency)
    return f"{ROUNDS}/current/actions", body


def _wager(form: Form, currency: str) -> tuple[str, Body]:
    return f"{ROUNDS}/current/actions", {
        "do": "wager",
        "on": form.required("on", gettext("where the wager lies")),
        "amount": optional_amount(form, "amount", gettext("the amount"), currency),
        "unit": optional_amount(form, "unit", gettext("the unit"), currency),
        "player": form.optional("player"),
        "late": bool(form.text("late")),
    }


_BOX_ACTS: Final = ("swap", "buy", "insure", "bet", "fold", "time_out", "dealer_card", "decline_dealer_card")
_MOVES: Final[dict[str, Callable[[Form, str], tuple[str, Body]]]] = {
    "open": _open,
    "cards": _cards,
    "dealer": _dealer,
    "number": _number,
    "wager": _wager,
    **dict.fromkeys(_BOX_ACTS, _action),
}

NO_SPIN: Final = (f"{ROUNDS}/current/dealer", {"number": None})
