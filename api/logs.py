"""One log line an event, as JSON for machines or in colour for people, on standard error.

Lines name who, what and how long. Tokens and the cards of live rounds never reach a log: nothing here writes a
request's body or its headers.
"""

import logging
import sys
from typing import Literal

import structlog

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]


def configure(style: Literal["json", "console"], *, level: int = logging.INFO) -> None:
    """Send our own lines and those of the libraries through one formatter."""
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer()
    finish: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, renderer]
    if style == "console":
        # Plain tracebacks: the pretty ones print local variables, tokens and cards among them.
        console = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
        finish = [console]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *finish],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    # Who read which report is told however little else is.
    logging.getLogger("pitclerk.reports").setLevel(min(level, logging.INFO))
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    # One line a request is ours to write, with the position it reached; uvicorn's own would be a second.
    logging.getLogger("uvicorn.access").disabled = True
