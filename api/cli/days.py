"""Gaming days as options of the command line."""

import datetime as dt

import typer


def check_day(day: str | None) -> str | None:
    """The day as given. Raises BadParameter for what is no date."""
    if day is not None:
        try:
            dt.date.fromisoformat(day)
        except ValueError as error:
            raise typer.BadParameter(f"{day!r} is no date: YYYY-MM-DD") from error
    return day
