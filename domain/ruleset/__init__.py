"""Rulesets: one TOML file a sheet, every clause as data, checked strictly on load.

`load_text` and `load_file` report all problems of a file at once, each with its line; `shipped` gives the sheets that
come with the program. A ruleset names the engine that plays it; that engine's shape of rules is in the module of its
name here (`stud`, `holdem`, `roulette`).
"""

from domain.ruleset.base import Flaw, Header, InvalidRulesetError, Problem, Ruleset
from domain.ruleset.loader import load_file, load_text, shipped, shipped_ids

__all__ = [
    "Flaw",
    "Header",
    "InvalidRulesetError",
    "Problem",
    "Ruleset",
    "load_file",
    "load_text",
    "shipped",
    "shipped_ids",
]
