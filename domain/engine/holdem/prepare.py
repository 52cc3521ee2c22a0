"""The hold'em family's rules made ready to play."""

from domain.engine.boxes.prepare import flaws, prepare

__all__ = ["flaws", "prepare"]
