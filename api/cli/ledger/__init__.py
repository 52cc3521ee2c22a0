"""The books as files: CSV, XLSX, Parquet and a Beancount ledger, all made of one `Document`.

Each is headed by site, interval, position and the chain's head at it, and says of a day on which nothing happened that
nothing did.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from api.cli.ledger.document import Document


def write_csv(document: Document, out: Path) -> int:
    """As comma-separated text; the rows written."""
    from api.cli.ledger import csv_file

    return csv_file.write(document, out)


def write_xlsx(document: Document, out: Path) -> int:
    """As a workbook: journal, balances, master game report; the rows written."""
    from api.cli.ledger import xlsx_file

    return xlsx_file.write(document, out)


def write_parquet(document: Document, out: Path) -> int:
    """As columns for analysis, amounts exact decimals; the rows written."""
    from api.cli.ledger import parquet_file

    return parquet_file.write(document, out)


def write_beancount(document: Document, out: Path) -> int:
    """As a ledger that `bean-check` accepts, its balances asserted; the transactions written."""
    from api.cli.ledger import beancount_file

    return beancount_file.write(document, out)


WRITERS: Final[dict[str, Callable[[Document, Path], int]]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
    "parquet": write_parquet,
    "beancount": write_beancount,
}
