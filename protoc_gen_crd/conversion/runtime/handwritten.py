"""Register and call hand-written conversion functions.

Only the standard library is used. A function must not change what it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, cast

from .container_access import Item, Place
from .path_access import put
from .runtime import (
    ANYTHING,
    MISSING,
    OBJECT,
    Change,
    ConversionError,
    Kinds,
    Object,
    checked,
)
from .table_conversion import plain

Derived = Callable[
    [Object], Object
]  # an object as it is converted without the function
_Function = TypeVar("_Function", bound=Callable[..., Any])
_WRITTEN: dict[tuple[str, str], Callable[..., Any]] = {}
VALUE, WHOLE = ("value",), ("value", "derived")


class FunctionError(TypeError):
    """A function that is missing or has other parameters."""


def function(written: _Function) -> _Function:
    """Register a function under its own name."""
    _WRITTEN[written.__module__, written.__name__] = written
    return written


def value_by(
    module: ModuleType, name: str, kinds: Kinds = ANYTHING
) -> Callable[[Any, str], Any]:
    """A conversion of values by a function; None is no value, and 1.0 an integer."""
    written = _registered(module, name, VALUE)

    def called(value: Any, at: str) -> Any:
        found = None if value is MISSING else plain(_called(written, at, value), at)
        if type(found) is float and type(found) not in kinds and found.is_integer():
            return int(found)
        return MISSING if found is None else found

    return called


def object_by(
    module: ModuleType, name: str, change: Change
) -> Callable[[Any, Item, Place], Any]:
    """A conversion of objects by a function that may call the derived conversion."""
    written = _registered(module, name, WHOLE)

    def made(value: Any, convert: Item, place: Place) -> Any:
        if value is MISSING or value is None:
            return value
        lost: Object = {}

        def derived(given: Object) -> Object:
            lost.clear()
            checked(given, OBJECT, place.at)
            result = convert(given, place.root, place.at, place.was, lost)
            return cast("Object", result)

        found = checked(_called(written, place.at, value, derived), OBJECT, place.at)
        plain(found, place.at)
        if lost and place.path:
            put(place.lost, place.path, lost)
        return change(found, place.at)

    return made


def _registered(
    module: ModuleType, name: str, takes: tuple[str, ...]
) -> Callable[..., Any]:
    found = _WRITTEN.get((module.__name__, name))
    if found is None:
        raise FunctionError(f"{module.__name__} has no @function {name}")
    code = getattr(found, "__code__", None)
    given = code.co_varnames[: code.co_argcount] if code is not None else takes
    if len(given) != len(takes):
        wanted, known = ", ".join(takes), ", ".join(given) or "none"
        raise FunctionError(
            f"wrong parameters of {name} of {module.__name__}:"
            f" {known} instead of {wanted}"
        )
    return found


def _called(written: Callable[..., Any], at: str, *given: Any) -> Any:
    try:
        return written(*given)
    except ConversionError:
        raise
    except (Exception, SystemExit) as error:
        known = f"{type(error).__name__}: {error}"[:200]
        text = f"the function {written.__name__} fails: {known}"
        raise ConversionError(f"{at.removeprefix('.')}: {text}") from error
