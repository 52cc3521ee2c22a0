"""What the shadow payer says where it will not judge."""


class ShadowUnsure(Exception):  # noqa: N818 - it is an answer, not a fault
    """This round, or this sheet, is beyond the shadow payer: it has no opinion, which is neither yes nor no."""
