"""A round as a link: its record deflated into the query, so that whoever opens it sees the same round exactly.

Nothing is kept for it, and what a link may unfold into is bounded.
"""

import base64
import binascii
import zlib
from typing import Any, Final

import msgspec

from api.i18n.catalogue import gettext
from api.problems import ProblemError

MOST_LINK: Final = 6_000
"""Characters of the packed record: what every browser, proxy and message takes."""

MOST_BYTES: Final = 60_000
"""Of the record that a link unfolds into."""

_RAW: Final = -15  # no header and no checksum: a record that is damaged is refused by its shape


def packed(record: Any) -> str | None:
    """The `r` of a link; None for a record too long for one."""
    deflating = zlib.compressobj(9, wbits=_RAW)
    data = deflating.compress(msgspec.json.encode(record)) + deflating.flush()
    text = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return text if len(text) <= MOST_LINK else None


def unpacked(text: str) -> bytes:
    """The record's JSON. Refuses `bad_parameter`."""
    inflating = zlib.decompressobj(wbits=_RAW)
    try:
        if len(text) > MOST_LINK:
            raise ValueError(text[:20])
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        record = inflating.decompress(data, MOST_BYTES)
        if not inflating.eof:
            raise ValueError(text[:20])
    except (ValueError, binascii.Error, zlib.error) as error:
        detail = gettext("the link is damaged or cut off; ask for it again")
        raise ProblemError("bad_parameter", detail, extra={"field": "r"}) from error
    return record
