"""Names of streams: readable text, made and taken apart in one place. Table names and round ids hold no `/`."""

HOUSE = "house"
PROGRAM = "program"


def registry(table: str) -> str:
    """The table's registry: which session is open."""
    return f"table/{table}"


def session(table: str, gaming_day: str, number: int) -> str:
    """One table session, opener to closer."""
    return f"table/{table}/{gaming_day}/{number}"


def progressive(progressive_id: str) -> str:
    return f"progressive/{progressive_id}"


def slips(kind: str, gaming_day: str) -> str:
    """All slips of one kind (`fill`, `credit`, `hand_pay`) of one gaming day: their numbers have no gap."""
    return f"slips/{kind}/{gaming_day}"


def games(progressive_id: str) -> str:
    """The games that a progressive is linked to."""
    return f"games/{progressive_id}"


def prints(kind: str, slip: str) -> str:
    """The prints of one slip; of kind `jackpot` the slip is a hit's id."""
    return f"prints/{kind}/{slip}"


def displays(hit: str) -> str:
    """Which displays have shown a hit."""
    return f"displays/{hit}"


def count(gaming_day: str) -> str:
    """The soft count of a gaming day: its drop boxes. A day has one, however late a box is counted."""
    return f"count/{gaming_day}/1"


def window(name: str) -> str:
    """A cage window's registry: which cashier's shift is open."""
    return f"cage/{name}"


def cage(name: str, gaming_day: str, number: int) -> str:
    """One cashier's shift at a window."""
    return f"cage/{name}/{gaming_day}/{number}"


def inbox(gaming_day: str) -> str:
    """What was said to the exceptions of a gaming day."""
    return f"inbox/{gaming_day}"


def day_of(stream: str) -> str:
    """The gaming day in the name of a stream that belongs to one."""
    return stream.split("/")[2 if stream.startswith(("table/", "cage/", "slips/")) else 1]


def kind(stream: str) -> str:
    """What a stream is: `house`, `program`, `registry`, `session`, `window`; else the word it begins with."""
    head, *rest = stream.split("/")
    if head == "table":
        return "registry" if len(rest) == 1 else "session"
    if head == "cage" and len(rest) == 1:
        return "window"
    return head
