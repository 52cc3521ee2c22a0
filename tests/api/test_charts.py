"""Charts: what is drawn travels as data, a missing figure is a gap, and the scripts come out of Bokeh's own package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.pages import charts, site, words
from api.pages.charts import Band, Bars, Line, chart

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_a_missing_figure_is_a_gap_and_never_zero() -> None:
    drawn = chart("a", ["20:00", "21:00"], [Line("Hold", [0.125, None])], written=words.percent)
    drawing = msgspec.json.decode(drawn.drawing)
    assert drawing["series"][0] | {"colour": ""} == {
        "kind": "line", "name": "Hold", "values": [0.125, None], "colour": "", "dashed": False,
    }  # fmt: skip
    assert drawing["said"] == [["12.5 %", ""]]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([3, 47], [0, 10, 20, 30, 40, 50]),
        ([-130, 260], [-200, -100, 0, 100, 200, 300]),
    ],
)
def test_the_axis_has_round_numbers_from_zero_to_beyond_the_values(values: Sequence[float], ticks: list[float]) -> None:
    drawn = chart("a", [""] * len(values), [Bars("x", values)], written=str)
    assert [tick for tick, _ in drawn.ticks] == ticks


def test_each_series_has_a_value_for_each_label() -> None:
    with pytest.raises(ValueError, match="each of the 2 labels"):
        chart("a", ["1", "2"], [Band("luck", [1, 2], [1])], written=str)


def test_the_scripts_come_from_the_package_packed_and_for_ever() -> None:
    app = FastAPI()
    site.mount_static(app)
    with TestClient(app) as client:
        for address in charts.SCRIPTS:
            answer = client.get(address)
            assert answer.status_code == 200
            assert answer.headers["content-encoding"] == "gzip"
            assert "immutable" in answer.headers["cache-control"]
            assert "Bokeh" in answer.text
            plain = client.get(address, headers={"accept-encoding": "identity"})
            assert (plain.text, plain.headers.get("content-encoding")) == (answer.text, None)


def test_only_styles_are_let_loose_and_only_where_there_are_charts() -> None:
    strict = site.HEADERS["content-security-policy"]
    loose = site.page("chart.html", styled_by_script=True).headers["content-security-policy"]
    assert "unsafe" not in strict
    assert loose == strict.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
