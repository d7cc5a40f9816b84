"""Logs: a JSON object a line on standard error, which names objects and never quotes them."""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.webhook.review import Failure

NAME = "protoc_gen_crd.webhook"
_MAX_LOGGED_FAILURES = 5  # failures of a review that are listed
LOGGER = logging.getLogger(NAME)


class JsonFormatter(logging.Formatter):
    """A record as JSON. Of an exception it tells the type and the lines of code: its text may hold what was sent."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter."""
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        row: dict[str, Any] = {
            "time": f"{seconds}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "pid": record.process,
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            row["exception"] = record.exc_info[0].__name__
            row["at"] = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(record.exc_info[2])]
        return json.dumps(row)


def configure_logging() -> None:
    """Send all logs of the process this way."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what it tells of its own course is told here
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # connections that break off


def log(level: int, message: str, *, exc_info: bool = False, **fields: Any) -> None:
    """One line."""
    LOGGER.log(level, message, exc_info=exc_info, extra={"fields": fields})


def log_failures(path: str, uid: str, failures: Sequence[Failure]) -> None:
    """Tell of the objects of a review that went wrong, without what they hold."""
    if failures:
        first = [
            {"object": one.object, "reason": one.reason, "about": list(one.labels), "place": one.place}
            for one in failures[:_MAX_LOGGED_FAILURES]
        ]
        log(logging.WARNING, "review failed", path=path, uid=uid[:64], failures=len(failures), first=first)
