"""Words of the cage and of jackpots: states of slips, windows, boxes and hits, steps, movements, causes."""

from typing import Final

from api.i18n.catalogue import later

MONEY_TERMS: Final[dict[str, dict[str, str]]] = {
    "slip": {
        "fill": later("Fill"),
        "credit": later("Credit"),
        "hand_pay": later("Hand-pay"),
    },
    "slip_state": {
        "requested": later("requested"),
        "prepared": later("prepared"),
        "carried": later("on the way"),
        "counted": later("counted"),
        "received": later("received"),
        "void": later("void"),
    },
    # What a signature says.
    "slip_step": {
        "request": later("Requested by the pit"),
        "prepare": later("Prepared by the cashier"),
        "carry": later("Carried by security"),
        "count": later("Counted by the dealer"),
        "receive": later("Verified by a supervisor"),
        "void": later("Void by the cashier"),
    },
    # What the next person is asked for.
    "slip_next": {
        "prepare": later("A cashier prepares and signs"),
        "carry": later("Security compares, carries and signs"),
        "count": later("The dealer counts and signs"),
        "receive": later("Another supervisor verifies and signs"),
    },
    "window_state": {
        "open": later("open"),
        "offered": later("waits to be taken over"),
        "closed": later("closed"),
    },
    "move": {
        "opened": later("opened"),
        "sold": later("chips sold"),
        "redeemed": later("chips redeemed"),
        "hand_paid": later("jackpot paid"),
        "fill": later("fill sent to a table"),
        "fill_back": later("fill taken back"),
        "credit": later("credit taken"),
        "sent": later("sent"),
        "received": later("received"),
    },
    "box_state": {
        "mounted": later("at the table"),
        "removed": later("on the way"),
        "received": later("in the count room"),
        "counting": later("being counted"),
        "counted": later("counted"),
    },
    "progressive_state": {
        "proposed": later("proposed"),
        "refused": later("refused"),
        "running": later("running"),
        "stopped": later("stopped"),
        "retired": later("retired"),
    },
    "meter_state": {
        "NORMAL": later("running"),
        "PENDING": later("hit, waits to be paid"),
        "STOPPED": later("stopped"),
    },
    "hit_state": {
        "pending": later("waits to be paid"),
        "paid": later("paid"),
        "rejected": later("rejected"),
    },
    "hit_step": {
        "hand_verified": later("Hand verified"),
        "deck_checked": later("Deck checked"),
        "surveillance_confirmed": later("Confirmed by surveillance"),
        "disputed": later("Disputed"),
        "dispute_settled": later("Dispute settled"),
    },
    "step_result": {
        "passed": later("passed"),
        "failed": later("failed"),
    },
    "dispute": {
        "none": later("no dispute"),
        "open": later("in dispute"),
        "settled": later("dispute settled"),
    },
    "instrument": {
        "cash": later("cash"),
        "chips": later("chips"),
        "cheque": later("cheque"),
        "bank_transfer": later("bank transfer"),
    },
    "paid_by": {
        "cage": later("from the cage"),
        "tray": later("from the tray"),
    },
    "flag": {
        "jackpot_tax_form": later("Tax form"),
        "jackpot_aml": later("Due diligence"),
    },
    "balance": {
        "display": later("meter"),
        "reserve": later("reserve"),
        "overflow": later("overflow"),
        "residue": later("residue"),
    },
    "cause": {
        "malfunction": later("malfunction"),
        "above_limit": later("meter above the posted limit"),
        "undisplayed_to_receipts": later("funds not displayed, to gross receipts"),
        "seed_recovery": later("recovery of the seed"),
        "reversal": later("reversal of a contribution"),
        "house_gift": later("gift of the house"),
    },
    "change": {
        "limit": later("limit"),
        "terms": later("terms"),
        "adjustment": later("adjustment"),
        "transfer": later("transfer"),
        "retirement": later("retirement"),
        "orphaning": later("entry in the register of orphans"),
    },
    "prizes_from": {
        "house": later("the house"),
        "meter": later("the meter"),
    },
    "same_deal": {
        "box_order": later("in the order of boxes"),
        "shared": later("shared equally"),
    },
}
