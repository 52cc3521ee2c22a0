"""Settle a round: cards and decisions on a board, who is paid what and why. Nothing is recorded.

page      the page, its form, and the part of it that is fetched again on every change
sheets    what each sheet offers, as the board needs it
layout    the roulette layout as shapes to click
form      a round in plain fields, for who has no script
link      a round as a link that anybody can open, and back
result    the settlement with its reasons, clause by clause
guide     the payout in chips and stacks
recorded  a round of the log beside what its record settles to
examples  rounds to begin with
"""
