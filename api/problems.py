"""Refusals over HTTP: problem documents (RFC 9457) with a closed list of codes.

A program branches on `code`, a person reads `detail`: what is wrong, where, and what would be right. `type` leads to
the page that explains the code. Codes of round records and of the domain's refusals stand here too, each with the
status it travels with; a code that is not in this list cannot be sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.responses import Response

MEDIA_TYPE: Final = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """One code: the status it is sent with, its title, and what it means to the caller."""

    status: int
    title: str
    meaning: str


_EDGE: Final = {
    "bad_http": Kind(400, "Not HTTP", "The request line or a header cannot be read."),
    "bad_json": Kind(400, "Not JSON", "The body is no JSON text in UTF-8, nests too deep, or names a field twice."),
    "bad_parameter": Kind(400, "Bad parameter", "A query parameter or a name in the path is malformed."),
    "unknown_parameter": Kind(400, "Unknown parameter", "This door has no such query parameter."),
    "idempotency_key_required": Kind(400, "Idempotency key required", "Every POST that records takes one."),
    "bad_idempotency_key": Kind(400, "Bad idempotency key", "An Idempotency-Key is 1 to 200 visible ASCII characters."),
    "unauthenticated": Kind(401, "No valid token", "Send Authorization: Bearer TOKEN."),
    "role_required": Kind(403, "Another role is needed", "The token is valid, but its role may not do this."),
    "sign_in_failed": Kind(401, "Not signed in", "Nobody of this name has access, or the password is another."),
    "must_wait": Kind(429, "Wait a minute", "Too many wrong passwords in a row; try again after a minute."),
    "foreign_form": Kind(403, "Not our form", "The form was not made for this session; open the page again."),
    "loopback_only": Kind(403, "This machine only", "The door answers only connections from the machine itself."),
    "pages_closed": Kind(403, "Pages are closed", "This service shows no pages without sign-in."),
    "not_found": Kind(404, "Nothing here", "No door or page has this path."),
    "method_not_allowed": Kind(405, "Method not allowed", "The path exists, but not with this method; see Allow."),
    "request_timeout": Kind(408, "Too slow", "The body did not arrive in time."),
    "body_too_large": Kind(413, "Body too large", "The body, or one line of it, is larger than this door takes."),
    "unsupported_media_type": Kind(415, "Unsupported media type", "This door does not read the body's Content-Type."),
    "bad_body": Kind(422, "Bad body", "The body is JSON but not of this door's shape; unknown fields are refused."),
    "headers_too_large": Kind(431, "Headers too large", "The request line and headers together are too large."),
    "internal_error": Kind(500, "Our fault", "Something unforeseen happened and nothing was recorded; see the log."),
    "idempotency_key_reused": Kind(409, "Idempotency key reused", "The key was used before with another request."),
    "busy": Kind(503, "Busy", "Too much at once; try again with the same Idempotency-Key after Retry-After seconds."),
    "store_unavailable": Kind(503, "Store unavailable", "The database cannot be reached; try again with the same key."),
    "not_caught_up": Kind(504, "Not caught up", "The figures did not reach min_position within wait_ms."),
}

_RECORD: Final = {
    "bad_record": Kind(422, "Bad record", "The round record's shape: unknown ruleset or field, a box number twice."),
    "bad_card": Kind(422, "Bad card", "A card is not a rank (23456789TJQKA) and a suit (cdhs)."),
    "duplicate_card": Kind(422, "Duplicate card", "A card is seen twice in one round."),
    "wrong_card_count": Kind(422, "Wrong card count", "Too few or too many cards."),
    "stake_limits": Kind(422, "Stake outside the limits", "A stake is under the minimum or over the maximum."),
    "chip_multiple": Kind(422, "Not a multiple of the chip", "An amount is no multiple of the table's smallest chip."),
    "too_many_boxes": Kind(422, "Boxes not possible", "More boxes than the table has, or blind ones alone."),
    "unequal_antes": Kind(422, "Unequal antes", "Boxes of one player need equal antes."),
    "not_offered": Kind(422, "Not offered", "The sheet or the table has no such action, stake or misdeal kind."),
    "not_allowed_now": Kind(422, "Not allowed now", "The action exists but not at this moment of the round."),
    "insurance_limits": Kind(422, "Insurance outside its limits", "It is outside its limits, or the hand is too low."),
    "card_not_held": Kind(422, "Card not held", "A swap names a card that the box does not hold."),
    "missing_decision": Kind(422, "Missing decision", "A box neither bets nor folds and the sheet has no time-out."),
    "missing_meter": Kind(422, "Missing meter", "A share of a meter is won and no meter is given."),
    "bad_bet": Kind(422, "Bad bet", "A roulette bet that the layout does not have."),
}

_LIVE: Final = {
    "no_open_round": Kind(409, "No open round", "No round is on the felt of this table."),
    "round_closed": Kind(409, "Round settled", "The round is settled; nothing more can happen in it."),
    "wrong_dealer_card": Kind(422, "Wrong dealer card", "The dealer's cards do not hold the card shown face up."),
    "house_shoe": Kind(422, "House shoe", "The house shoe deals this round; cards may not be sent."),
    "round_in_progress": Kind(409, "Round in progress", "A round is on the felt; finish or void it first."),
    "table_closed": Kind(409, "Table closed", "The table has no open session."),
    "already_open": Kind(409, "Already open", "The table has an open session."),
    "session_over": Kind(409, "Session over", "What is asked belongs to a session that is closed."),
    "no_evidence": Kind(409, "No evidence", "The events do not make one whole round under the checkpoint."),
    "shadow_disagrees": Kind(409, "Two settlements differ", "Settled twice by different means, the round differs."),
    "tray_short": Kind(409, "Tray short", "The tray should not hold that many chips."),
}

_HOUSE: Final = {
    "same_person": Kind(403, "Another person is needed", "Who took an earlier step may not take this one."),
    "slip_state": Kind(409, "Wrong state of the slip", "The slip is not at the step before this one."),
    "already_exists": Kind(409, "Already exists", "The id is taken."),
    "already_paid": Kind(409, "Already paid", "The hit was paid before."),
    "already_published": Kind(409, "Already published", "The newest version reads exactly so."),
    "bad_terms": Kind(422, "Bad terms", "Limits, chips, currency, day or shares do not fit together."),
    "bad_time": Kind(
        422, "Bad time", "`at` is when it cannot have been: in the future, before what it follows, on other terms."
    ),
    "bad_chips": Kind(422, "Bad chips", "Denominations and counts are positive, each denomination once."),
    "bad_ruleset": Kind(422, "Bad ruleset", "The ruleset file has mistakes; detail lists them with their lines."),
    "reason_required": Kind(422, "Reason required", "The act needs a reason."),
    "above_limit": Kind(422, "Above the limit", "The display may not pass its limit."),
    "balance_short": Kind(409, "Balance short", "The balance does not hold that much."),
    "direction_not_allowed": Kind(422, "Direction not allowed", "The cause does not let the balance move that way."),
    "funds_left": Kind(409, "Funds left", "A progressive retires with nothing left over; transfer its funds first."),
    "notice_too_short": Kind(409, "Notice too short", "The money rules ask for a notice that has not run out."),
    "odds_too_long": Kind(422, "Odds too long", "A share of a meter is less probable than the money rules allow."),
    "orphans_lapsed": Kind(409, "Orphans lapsed", "The last day on which the orphan could be recovered is over."),
    "other_odds": Kind(409, "Other odds", "Another game on the progressive wins the level by another hand."),
    "check_failed": Kind(409, "Check failed", "A step of the hit's verification failed and was not taken again."),
    "hit_disputed": Kind(409, "Hit disputed", "The hit is in dispute; it is paid or disputed again once that is over."),
    "not_disputed": Kind(409, "Not disputed", "The hit is not in dispute."),
    "hit_rejected": Kind(409, "Hit rejected", "The hit was rejected; its meter has been put back."),
    "limit_below_meter": Kind(409, "Limit below the meter", "A limit lies at or above what the meter shows."),
    "moved": Kind(409, "Changed meanwhile", "It has been corrected since this was proposed; propose again."),
    "not_correctable": Kind(422, "Not correctable", "Jackpot money is put right by an adjustment of the progressive."),
    "nothing_to_correct": Kind(409, "Nothing to correct", "It has come to exactly that already."),
    "progressive_running": Kind(409, "Progressive running", "This needs the progressive stopped, with no hit waiting."),
    "progressive_stopped": Kind(409, "Progressive stopped", "No jackpot stakes are taken until it starts again."),
    "step_taken": Kind(409, "Step taken", "This step of the verification was taken before."),
    "unknown_stake": Kind(422, "Unknown stake", "The box has no such stake in the round."),
    "unknown_ruleset": Kind(422, "Unknown ruleset", "No such ruleset is published."),
    "unknown_progressive": Kind(422, "Unknown progressive", "No such progressive is running."),
    "unknown_approval": Kind(404, "Unknown approval", "Nothing of this id waits for a decision."),
    "unknown_hit": Kind(404, "Unknown hit", "No such hit waits for payment."),
    "unknown_slip": Kind(404, "Unknown slip", "There is no slip of this number."),
    "unknown_session": Kind(404, "Unknown session", "The gaming day has no session of this name."),
    "unknown_table": Kind(404, "Unknown table", "The log knows no table of this name."),
    "unknown_round": Kind(404, "Unknown round", "The log knows no round of this id."),
    "unknown_day": Kind(404, "Unknown gaming day", "This gaming day was never opened."),
    "day_closed": Kind(409, "Day closed", "The gaming day is closed; its figure is fixed."),
    "day_running": Kind(409, "Day running", "Tables are still on the gaming day, or an earlier day is still open."),
    "not_counted": Kind(409, "Not counted", "A drop box of the day is not counted yet."),
    "bad_colour": Kind(422, "Bad colour", "A colour chip is worth at least the table minimum, in whole chips."),
    "colour_taken": Kind(409, "Colour taken", "A colour has one player, a player one colour of a value."),
    "colours_out": Kind(409, "Colours out", "Colours are still played; cash them in before the table closes."),
    "unknown_colour": Kind(404, "Unknown colour", "Nobody plays this colour at the table."),
    "box_in_use": Kind(409, "Drop box in use", "The drop box of this label is at a table or not counted yet."),
    "drop_state": Kind(409, "Wrong state of the drop box", "The drop box is not where this act needs it."),
    "unknown_drop": Kind(404, "Unknown drop box", "There is no drop box of this number."),
    "unknown_position": Kind(404, "Unknown position", "The sealed tree has no event at this position."),
    "unknown_checkpoint": Kind(404, "Unknown checkpoint", "No checkpoint of this size was issued."),
    "no_such_tree": Kind(422, "No such tree", "The sealed tree has not that many leaves, or no proof joins the sizes."),
    "bad_signature": Kind(422, "Bad signature", "The signature or its key is malformed, or of another text or key."),
    "log_differs": Kind(409, "The log differs", "The log is not what was recorded or signed; run `pitclerk verify`."),
    "no_signing_key": Kind(503, "No signing key", "The file of the key that signs checkpoints cannot be used."),
    "unknown_window": Kind(404, "Unknown window", "The money rules name no such cage window."),
    "window_closed": Kind(409, "Window closed", "The cage window has no open shift."),
    "window_of_another": Kind(403, "Another's window", "Only the cashier who opened the shift works the window."),
    "window_short": Kind(409, "Window short", "The window should not hold that much."),
    "imprest_differs": Kind(409, "Imprest differs", "A window opens with its imprest, no more and no less."),
    "transfer_not_allowed": Kind(409, "Transfer not allowed", "The money rules allow no transfer between the two."),
    "transfer_pending": Kind(409, "Transfer pending", "What was sent from the window has not been received."),
    "unknown_transfer": Kind(404, "Unknown transfer", "Nothing of this id is on its way."),
    "count_differs": Kind(409, "Count differs", "What was counted is not what was handed over."),
    "no_handover": Kind(409, "No handover", "The window was not offered for handover."),
    "bad_rules": Kind(422, "Bad rules", "The money rules contradict themselves."),
    "unknown_exception": Kind(404, "Unknown exception", "There is no exception of this id."),
    "unknown_figure": Kind(404, "Unknown figure", "There is no figure of this name to explain."),
    "unknown_jackpot": Kind(404, "Unknown jackpot", "The log knows no jackpot of this id."),
}

KINDS: Final[Mapping[str, Kind]] = {**_EDGE, **_RECORD, **_LIVE, **_HOUSE}
"""Every code there is."""

RECORD_CODES: Final = frozenset(_RECORD)


class ProblemError(Exception):
    """A request that is answered with a problem document; extra fields stand beside the five of every problem."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        assert code in KINDS, f"{code} is not a code of the closed list"
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.extra = extra or {}
        self.headers = headers or {}


def document(code: str, detail: str, extra: Mapping[str, Any] | None = None) -> bytes:
    """The problem as JSON."""
    kind = KINDS[code]
    body = {
        "type": f"/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        **(extra or {}),
    }
    return msgspec.json.encode(body)


def response(error: ProblemError) -> Response:
    """The problem as an HTTP answer."""
    return Response(
        document(error.code, error.detail, error.extra),
        KINDS[error.code].status,
        headers={**error.headers, "cache-control": "no-store"},
        media_type=MEDIA_TYPE,
    )
