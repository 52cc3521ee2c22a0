"""Which line of a TOML file a key stands on: the parser of the standard library does not say."""

import re
from typing import Final

from domain.ruleset.base import Path

_PART: Final = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_DOTTED: Final = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER: Final = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]\]?")
_KEY: Final = re.compile(rf"\s*({_DOTTED})\s*=")
_ITEM: Final = re.compile(r"\s*[\[{\"']")
_STRINGS: Final = re.compile(r"""\"\"\".*?\"\"\"|'''.*?'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*$""")


def _parts(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in re.findall(_PART, dotted))


class Lines:
    """The lines of a file by path. A path without a line of its own is where its nearest ancestor is."""

    def __init__(self, text: str) -> None:
        self._at: dict[Path, int] = {}
        self._arrays: dict[Path, int] = {}
        table: Path = ()
        open_value: Path | None = None
        depth = item = 0
        for number, line in enumerate(text.splitlines(), start=1):
            bare = _STRINGS.sub(lambda m: "" if m[0].startswith("#") else '""', line)
            if open_value is not None:
                if depth == 1 and _ITEM.match(bare):
                    self._at.setdefault((*open_value, item), number)
                    item += 1
                depth += _opened(bare)
                open_value = open_value if depth > 0 else None
            elif header := _HEADER.match(line):
                table = self._header(header[1] == "[[", self._resolve(_parts(header[2])), number)
            elif key := _KEY.match(line):
                path = (*table, *_parts(key[1]))
                for end in range(len(table) + 1, len(path) + 1):
                    self._at.setdefault(path[:end], number)
                depth, item = _opened(bare[bare.index("=") + 1 :]) if "=" in bare else 0, 0
                open_value = path if depth > 0 else None

    def _header(self, is_array: bool, path: Path, number: int) -> Path:
        self._at.setdefault(path, number)
        if not is_array:
            return path
        index = self._arrays[path] = self._arrays.get(path, -1) + 1
        self._at[(*path, index)] = number
        return (*path, index)

    def _resolve(self, path: Path) -> Path:
        """A header under an array of tables belongs to the array's last table."""
        done: Path = ()
        for position, part in enumerate(path):
            done = (*done, part)
            if done in self._arrays and position < len(path) - 1:
                done = (*done, self._arrays[done])
        return done

    def of(self, path: Path) -> int:
        """The line of `path`, counted from 1; 1 where nothing of it has a line."""
        while path:
            if path in self._at:
                return self._at[path]
            path = path[:-1]
        return 1


def _opened(bare: str) -> int:
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
