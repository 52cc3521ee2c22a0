"""A form that named an amount twice was recorded with the last one, where JSON that does so is refused."""

import pytest

from api.pages.form import Form
from api.problems import ProblemError


def test_a_field_named_twice_is_refused_by_its_name() -> None:
    with pytest.raises(ProblemError) as refused:
        Form.read(b"amount=10.00&player=A&amount=20.00")
    assert refused.value.code == "bad_body"
    assert "amount" in str(refused.value.detail)


def test_fields_named_once_are_read_as_before() -> None:
    assert Form.read(b"amount=10.00&player=").fields == {"amount": "10.00", "player": ""}
