"""What accounting may ask for afterwards, as strict shapes like those of `domain.commands`."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.commands import Command, Reason


class CorrectCount(Command, frozen=True, kw_only=True):
    """What a settled drop box held, in minor units; another person of finance must agree."""

    total: Annotated[int, Meta(ge=0, le=10**12)]
    reason: Reason


class AdjustFigure(Command, frozen=True, kw_only=True):
    """How much more (less: negative) a figure of a closed session should be, in minor units."""

    session: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
    figure: Literal["opener", "closer", "fills", "credits"]
    amount: Annotated[int, Meta(ge=-(10**12), le=10**12)]
    reason: Reason
