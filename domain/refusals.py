"""Why an input is refused: a closed list of codes, and the one exception that carries them.

The first group is the list of round-record errors (`settle`, finished rounds and live play alike); the second belongs
to live play, where an input can also come at a moment when no finished record could hold it.
"""

from typing import Final

BAD_RECORD: Final = "bad_record"
BAD_CARD: Final = "bad_card"
DUPLICATE_CARD: Final = "duplicate_card"
WRONG_CARD_COUNT: Final = "wrong_card_count"
STAKE_LIMITS: Final = "stake_limits"
CHIP_MULTIPLE: Final = "chip_multiple"
TOO_MANY_BOXES: Final = "too_many_boxes"
UNEQUAL_ANTES: Final = "unequal_antes"
NOT_OFFERED: Final = "not_offered"
NOT_ALLOWED_NOW: Final = "not_allowed_now"
INSURANCE_LIMITS: Final = "insurance_limits"
CARD_NOT_HELD: Final = "card_not_held"
MISSING_DECISION: Final = "missing_decision"
MISSING_METER: Final = "missing_meter"
BAD_BET: Final = "bad_bet"

NO_OPEN_ROUND: Final = "no_open_round"
ROUND_CLOSED: Final = "round_closed"
WRONG_DEALER_CARD: Final = "wrong_dealer_card"

RECORD_CODES: Final = frozenset(
    {
        BAD_RECORD,
        BAD_CARD,
        DUPLICATE_CARD,
        WRONG_CARD_COUNT,
        STAKE_LIMITS,
        CHIP_MULTIPLE,
        TOO_MANY_BOXES,
        UNEQUAL_ANTES,
        NOT_OFFERED,
        NOT_ALLOWED_NOW,
        INSURANCE_LIMITS,
        CARD_NOT_HELD,
        MISSING_DECISION,
        MISSING_METER,
        BAD_BET,
    }
)
LIVE_CODES: Final = frozenset({NO_OPEN_ROUND, ROUND_CLOSED, WRONG_DEALER_CARD})
CODES: Final = RECORD_CODES | LIVE_CODES


class Refusal(Exception):  # noqa: N818  (the field's word: a refusal is an answer, not a fault of the program)
    """An input that breaks the sheet or itself.

    code is one of CODES; detail says what is wrong, where, and what would be right; box is None where it is no box's.
    """

    def __init__(self, code: str, detail: str, box: int | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.box = box

    def __str__(self) -> str:
        where = f"box {self.box}: " if self.box is not None else ""
        return f"{self.code}: {where}{self.detail}"
