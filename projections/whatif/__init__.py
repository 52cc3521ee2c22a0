"""What if: recorded rounds played again under another sheet, cap or jackpot rate, beside what they came to.

    run      the log once over, in its order, for both sides at once
    rounds   one round under other terms
    meters   the progressives as they would have stood

Players are taken to have decided as they did; a round in which what they did is not to be had under the other terms is
listed as not comparable, and counted on neither side. Nothing is recorded.
"""

from projections.whatif.rounds import Terms
from projections.whatif.run import WhatIf, whatif

__all__ = ["Terms", "WhatIf", "whatif"]
