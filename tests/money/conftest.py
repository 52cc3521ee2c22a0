"""A connection to a fresh log, and the projections run to its head by hand: those of the projections' own tests."""

from tests.projections.conftest import FoldAll, conn, fold_all

__all__ = ["FoldAll", "conn", "fold_all"]
