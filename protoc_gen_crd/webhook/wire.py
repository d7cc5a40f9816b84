"""Reviews as bytes: JSON as Go reads and writes it, with a bound on nesting and without what is no JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from protoc_gen_crd.webhook.review import MalformedError

_MOST_NESTED = 600  # frames of the C reader, one for each level

T = TypeVar("T")


def _refused(text: str) -> NoReturn:
    raise ValueError(text)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


_READER = json.JSONDecoder(parse_constant=_refused, parse_float=_finite)
_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def read(data: bytes) -> Any:
    """The value of a body. Raises MalformedError for what is no JSON, or nested too deep."""
    try:
        text = data.decode("utf-8")
        return _shallow(lambda: _READER.decode(text))
    except RecursionError:
        raise MalformedError("the body is nested too deep") from None
    except ValueError as error:
        place = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise MalformedError(f"the body is no JSON{place}") from None


def written(value: Any) -> bytes:
    """A value as a body. Raises ValueError for what is no JSON, or nested too deep."""
    try:
        return _shallow(lambda: _WRITER.encode(value).encode("ascii"))
    except (RecursionError, TypeError) as error:
        raise ValueError(str(error)) from None


def _shallow(work: Callable[[], T]) -> T:
    """Do something with a low limit on recursion: the C stack would not stand the one that walks in Python need."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(min(limit, _MOST_NESTED))
    try:
        return work()
    finally:
        sys.setrecursionlimit(limit)
