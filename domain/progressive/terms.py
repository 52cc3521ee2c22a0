"""What a progressive's levels may be."""

from domain.events.progressive import LevelTerms
from domain.events.rules import ProgressiveLimits
from domain.money import MICRO
from domain.refusals import Refusal

MOST = 10**12


def check_terms(levels: tuple[LevelTerms, ...]) -> None:
    """Refuses `bad_terms` for levels that cannot be."""
    if [t.level for t in levels] != list(range(1, len(levels) + 1)):
        raise Refusal("bad_terms", "levels are numbered 1, 2, 3 ... in order")
    for t in levels:
        if t.seed > MOST or (t.limit is not None and t.limit > MOST):
            raise Refusal("bad_terms", f"level {t.level}: seed and limit are at most {MOST} minor units")
        if t.seed < 0 or t.increment_ppm < 0 or t.reserve_ppm < 0 or t.increment_ppm + t.reserve_ppm > MICRO:
            raise Refusal(
                "bad_terms", f"level {t.level}: seed and shares are not negative, shares at most 1000000 in all"
            )
        if t.limit is not None and t.limit < t.seed:
            raise Refusal("bad_terms", f"level {t.level}: the limit {t.limit} lies under the seed {t.seed}")
    if sum(t.increment_ppm + t.reserve_ppm for t in levels) > MICRO:
        raise Refusal("bad_terms", "all levels together take more than the whole stake")


def check_limits(limits: ProgressiveLimits, currency: str, levels: tuple[LevelTerms, ...]) -> None:
    """Refuses `bad_terms` for more levels or larger seeds than the house's rules allow."""
    if limits.most_levels is not None and len(levels) > limits.most_levels:
        raise Refusal("bad_terms", f"{len(levels)} levels; the money rules allow {limits.most_levels}")
    caps = {(cap.currency, cap.level): cap.seed for cap in limits.seed_caps}
    for terms in levels:
        cap = caps.get((currency, terms.level))
        if cap is not None and terms.seed > cap:
            raise Refusal(
                "bad_terms", f"level {terms.level}: a seed of {terms.seed}; the money rules allow {cap} {currency}"
            )
