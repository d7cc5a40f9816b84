"""Logs: JSON lines on standard error, which name objects and never quote their content."""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.webhook.review_types import Failure

NAME = "protoc_gen_crd.webhook"
_MAX_LOGGED_FAILURES = 5  # listed failures of a review
LOGGER = logging.getLogger(NAME)


class JsonFormatter(logging.Formatter):
    """A formatter of records as JSON. Messages of exceptions are omitted, since they may quote objects."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as one line of JSON."""
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
    """Write all logs of the process as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # this package logs the state of the server itself
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # omit errors of broken connections


def log(level: int, message: str, *, exc_info: bool = False, **fields: Any) -> None:
    """Log a message with fields."""
    LOGGER.log(level, message, exc_info=exc_info, extra={"fields": fields})


def log_failures(path: str, uid: str, failures: Sequence[Failure]) -> None:
    """Log the failed objects of a review, without their content."""
    if failures:
        first = [
            {"object": failure.object, "reason": failure.reason, "about": list(failure.labels), "place": failure.place}
            for failure in failures[:_MAX_LOGGED_FAILURES]
        ]
        log(logging.WARNING, "review failed", path=path, uid=uid[:64], failures=len(failures), first=first)
