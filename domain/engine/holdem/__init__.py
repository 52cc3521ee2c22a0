"""The hold'em family: two cards to each box and the dealer, five shared ones."""

from domain.engine.boxes.family import (
    settle_record,
)

__all__ = ["settle_record"]
