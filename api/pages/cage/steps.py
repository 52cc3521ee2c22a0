"""What comes next for a slip, and whether it is for who is signed in."""

from typing import Final, NamedTuple

from api.pages.visit import Visit
from domain.slips import STEPS
from projections.reads.slip_board import SlipView

STEP_OF: Final = {state: step for step, (state, _) in STEPS.items()}
"""The state of a slip -> the step that leads on."""

ORDER: Final = ("request", *STEPS)


class NextStep(NamedTuple):
    """step: `prepare`, `carry`, `count`, `receive`. mine: who is signed in may take it. signed: has signed before."""

    step: str
    mine: bool
    signed: bool


def next_step(visit: Visit, slip: SlipView) -> NextStep | None:
    """None for a slip that is received or void."""
    step = STEP_OF.get(slip.state)
    if step is None:
        return None
    signed = visit.person is not None and visit.person.id in slip.signed
    return NextStep(step, visit.may(f"POST /v1/slips/{{slip}}/{step}") and not signed, signed)
