"""The five-card stud family: five cards to each box and the dealer, whose last lies face up."""

from domain.engine.boxes.family import (
    settle_record,
)

__all__ = ["settle_record"]
