"""What the house shoe owes the felt next: whole moves, with each card drawn from those that remain."""


