"""Which languages there are, which one a reader gets, and which one is spoken now."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from babel.core import negotiate_locale

SOURCE: Final = "en"
LANGUAGES: Final = {
    "en": "English",
    "ro": "Română",
    "et": "Eesti",
    "el": "Ελληνικά",
    "uk": "Українська",
    "ru": "Русский",
}
"""Language -> its own name, in the order of the menu."""

_MOST_WISHES: Final = 20
_spoken: ContextVar[str] = ContextVar("spoken", default=SOURCE)


def spoken() -> str:
    """The language of what is being written now."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Write in this language; threads that are started within take it along."""
    assert language in LANGUAGES, language
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def wanted(chosen: str | None, accepted: str) -> str:
    """The reader's language: the one chosen before, else the best of the header Accept-Language, else English."""
    if chosen in LANGUAGES:
        return chosen
    ranges = [_weighed(part) for part in accepted.split(",")[:_MOST_WISHES]]
    wishes = [tag for weight, tag in sorted(ranges, key=lambda pair: -pair[0]) if weight > 0]
    return negotiate_locale([tag.replace("-", "_") for tag in wishes], list(LANGUAGES), sep="_") or SOURCE


def _weighed(part: str) -> tuple[float, str]:
    tag, _, quality = part.strip().partition(";q=")
    try:
        return (float(quality) if quality else 1.0), tag
    except ValueError:
        return 0.0, tag
