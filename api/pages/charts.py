"""Charts: lines, bars and bands over hours or days, drawn by Bokeh in the browser from what the server gives.

    hold = chart("hold", [row.label for row in rows], [Line(gettext("Hold"), values)], written=words.percent)
    visit.page("...", hold=hold, styled_by_script=True)

and in the template `{% from "chart.html" import chart, chart_scripts %}`, `{{ chart_scripts(static) }}` in the head and
`{{ chart(hold, _("Hold by the hour")) }}` beside a table of the same numbers: the table is for those who read without
script or with a screen reader, the chart only for the eye. A value of None is a gap, never zero.

The server says what is drawn and how each figure is written, a few hundred bytes; `chart.js` builds the drawing with
Bokeh's own scripts, which come out of its package, are fetched once, and only when a chart comes into view. (Built
here, a chart would cost 50 to 100 ms of the server's time and the import of Bokeh more than a second.) Bokeh styles
what it draws by itself, so a page with charts asks for `styled_by_script`; scripts stay as strict as anywhere. Colours
are named by the tokens of `house.css`, so a chart follows light and dark.
"""

import gzip
import importlib.util
import math
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

_AT: Final = f"/static/bokeh/{version('bokeh')}"
SCRIPTS: Final = (f"{_AT}/bokeh.min.js", f"{_AT}/bokeh-api.min.js")
"""In the order in which they are loaded; a new version of Bokeh has addresses of its own."""

_FOREVER: Final = "public, max-age=31536000, immutable"
_STEPS: Final = 5  # of the value axis, about

Colour = Literal["ink", "ink-soft", "felt-line", "gold", "gold-deep", "good", "bad", "warn"]
"""A token of `house.css`."""

Values = Sequence[float | None]


class Series(msgspec.Struct, frozen=True, tag_field="kind"):
    """What a chart can draw: one of the three below."""

    name: str

    @property
    def drawn(self) -> list[Values]:
        """Its values, the one that is told under the pointer last; of the mere name none."""
        return []


class Line(Series, frozen=True, tag="line"):
    """A line through its values, with a gap where there is none."""

    values: Values
    colour: Colour = "gold"
    dashed: bool = False

    @property
    def drawn(self) -> list[Values]:
        return [self.values]


class Bars(Series, frozen=True, tag="bars"):
    """A bar for each value, in the colour `below` where it is less than nothing."""

    values: Values
    colour: Colour = "good"
    below: Colour = "bad"

    @property
    def drawn(self) -> list[Values]:
        return [self.values]


class Band(Series, frozen=True, tag="band"):
    """What lies between two values, with a gap where either is missing."""

    low: Values
    high: Values
    colour: Colour = "gold-deep"

    @property
    def drawn(self) -> list[Values]:
        return [self.low, self.high]


class Chart(msgspec.Struct, frozen=True):
    """name: one of its own on the page. said: each series' figures as they are written. ticks: of the value axis."""

    name: str
    labels: Sequence[str]
    series: Sequence[Series]
    said: Sequence[Sequence[str]]
    ticks: Sequence[tuple[float, str]]

    @property
    def drawing(self) -> str:
        """What `chart.js` draws, as JSON."""
        return msgspec.json.encode(self).decode()


def chart(name: str, labels: Sequence[str], series: Sequence[Series], *, written: Callable[[float], str]) -> Chart:
    """A chart over labels in order. written: a value as the reader reads it, on the axis and under the pointer.

    Raises ValueError where a series has not one value for each label.
    """
    if any(len(values) != len(labels) for one in series for values in one.drawn):
        raise ValueError(f"chart {name}: each series has one value for each of the {len(labels)} labels")
    known = [value for one in series for values in one.drawn for value in values if value is not None]
    ticks = _ticks(min([0.0, *known]), max([0.0, *known]))
    said = [["" if value is None else written(value) for value in one.drawn[-1]] for one in series]
    return Chart(name, labels, series, said, [(tick, written(tick)) for tick in ticks])


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from at or below `low` to at or above `high`."""
    if low == high:
        high = low + 1
    raw = (high - low) / _STEPS
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def mount_scripts(app: Starlette) -> None:
    """Serve Bokeh's scripts out of its package. Before the house's own static files, within whose path they lie."""
    for address in SCRIPTS:
        app.add_route(address, _script)


def _script(request: Request) -> Response:
    body = _packed(request.url.path.rpartition("/")[2])
    headers = {"cache-control": _FOREVER, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, headers=headers, media_type="text/javascript")


@cache
def _packed(name: str) -> bytes:
    """A script of the package, packed once for everybody: it is called with the names in SCRIPTS only."""
    found = importlib.util.find_spec("bokeh")
    assert found is not None, "a dependency"
    assert found.origin is not None, "a package of files"
    return gzip.compress((Path(found.origin).parent / "server/static/js" / name).read_bytes(), 9, mtime=0)
