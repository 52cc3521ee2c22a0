"""QR codes as inline SVG that a strict content security policy lets through: attributes, no style and no script."""

from typing import Final

import segno
from markupsafe import Markup
from segno.encoder import DataOverflowError

QUIET_ZONE: Final = 4  # modules of white around it, as ISO/IEC 18004 asks


def svg(text: str, title: str) -> Markup | None:
    """A QR code of the text, as dense as need be; None for a text longer than the largest code holds.

    title is what a screen reader says. The best error correction that the needed size leaves room for is used.
    """
    try:
        code = segno.make(text, error="l", micro=False)
    except DataOverflowError:
        return None
    drawn = code.svg_inline(border=QUIET_ZONE, omitsize=True, title=title, svgclass="qr")
    return Markup(drawn)  # noqa: S704  (made by the library of modules and a title that it escapes)
