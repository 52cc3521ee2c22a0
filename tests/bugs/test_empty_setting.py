"""An empty environment variable is an absent one: `PITCLERK_DATABASE_URL=` means the embedded server."""

import pytest

from api.settings import Settings


def test_an_empty_address_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITCLERK_DATABASE_URL", "")
    assert Settings().database_url is None
