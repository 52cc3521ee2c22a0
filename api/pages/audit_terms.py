"""Words for what auditors look at: checkpoints, samples, figures that are known differently."""

from typing import Final

from api.i18n.catalogue import later

AUDIT_TERMS: Final[dict[str, dict[str, str]]] = {
    "seal": {
        "holds": later("holds"),
        "broken": later("broken"),
        "beyond the log": later("beyond the log"),
        "not signed by a known key": later("not signed by a known key"),
    },
    "sample": {
        "openings": later("openings"),
        "closings": later("closings"),
        "fills": later("fills"),
        "credits": later("credits"),
    },
    "known": {
        "rounds": later("rounds"),
        "handle": later("handle"),
        "taken": later("taken"),
        "paid": later("paid"),
        "buy_ins": later("buy-ins"),
        "drop": later("drop"),
        "counted_drop": later("counted drop"),
        "fills": later("fills"),
        "credits": later("credits"),
        "opener": later("opener"),
        "closer": later("closer"),
        "over_short": later("over or short"),
        "adjusted": later("adjusted"),
        "win": later("win"),
    },
}
"""What it is of -> key -> word."""
