"""`pitclerk payout`: the dealer's payout guide, from an amount to chips and stacks. Nothing is read or recorded."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from api.cli.output import people, print_json, print_table
from api.cli.service import Json


def add_to(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(payout)


def payout(
    amount: Annotated[int, typer.Argument(min=1, max=10**12, help="What is to be paid, in minor units.")],
    chips: Annotated[str, typer.Option(help="Values of cash chips at the table, in minor units: 100,500,2500.")],
    colour: Annotated[
        int | None, typer.Option(min=1, help="Value of the player's colour chips, if they play one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which chips make a payout, highest first, and how they are built into stacks."""
    from domain.payout_guide import colour_guide, guide
    from domain.ruleset import shipped

    rules: Any = shipped("roulette-ua").rules
    cutting = rules.cutting
    try:
        values = [int(value) for value in chips.split(",")]
        in_colour, cash = (
            (None, guide(amount, values, cutting)) if colour is None else colour_guide(amount, colour, values, cutting)
        )
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--chips") from error
    lines = [] if in_colour is None or not in_colour.chips else [("colour", colour, in_colour)]
    lines += [("cash", line.denomination, line.stacks) for line in cash]
    if as_json:
        print_json(
            {
                "amount": amount,
                "clause": cutting.clause,
                "lines": [
                    {"kind": kind, "denomination": value, "chips": stacks.chips, "stacks": stacks.text()}
                    for kind, value, stacks in lines
                ],
            }
        )
        return
    rows = [(kind, value, stacks.chips, stacks.text()) for kind, value, stacks in lines]
    print_table(f"Payout of {amount}", ["chips", "worth", "how many", "stacks"], rows, right=["worth", "how many"])
    people.print(f"by clause {cutting.clause}", markup=False)
