"""Evidence of a round: everything recorded of it, told for people, with the proof that it was recorded so.

    gather    which events belong in, their leaf bytes and the paths to a signed root
    leaves    leaf bytes back to events
    telling   what the events say: cards, money with its clauses, meter, who did what, what came afterwards
    verify    all of it checked again from the leaf bytes alone, offline

What is told follows from the leaf bytes and from nothing else, so a bundle cannot say one thing and prove another.
"""

from projections.evidence.gather import gather
from projections.evidence.leaves import EvidenceError
from projections.evidence.telling import tell
from projections.evidence.verify import FORMAT, read, verify

__all__ = ["FORMAT", "EvidenceError", "gather", "read", "tell", "verify"]
