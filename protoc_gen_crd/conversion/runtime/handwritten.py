"""Register and call hand-written conversion functions.

Only the standard library is used. A function must not change its arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, cast

from .container_conversion import Item, Place
from .field_tables import plain
from .path_access import put
from .runtime import (
    ANYTHING,
    MISSING,
    OBJECT,
    Change,
    ConversionError,
    Kinds,
    Object,
    check_type,
)

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
    """Build a conversion of values by a function; None is no value, 1.0 an integer."""
    written = _registered(module, name, VALUE)

    def called(value: Any, at: str) -> Any:
        result = None if value is MISSING else plain(_called(written, at, value), at)
        if type(result) is float and type(result) not in kinds and result.is_integer():
            return int(result)
        return MISSING if result is None else result

    return called


def object_by(
    module: ModuleType, name: str, change: Change
) -> Callable[[Any, Item, Place], Any]:
    """Build a conversion of objects by a function, with the derived conversion."""
    written = _registered(module, name, WHOLE)

    def convert_object(value: Any, convert: Item, place: Place) -> Any:
        if value is MISSING or value is None:
            return value
        lost: Object = {}

        def derived(obj: Object) -> Object:
            lost.clear()
            check_type(obj, OBJECT, place.at)
            result = convert(obj, place.root, place.at, place.was, lost)
            return cast("Object", result)

        converted = check_type(
            _called(written, place.at, value, derived), OBJECT, place.at
        )
        plain(converted, place.at)
        if lost and place.path:
            put(place.lost, place.path, lost)
        return change(converted, place.at)

    return convert_object


def _registered(
    module: ModuleType, name: str, takes: tuple[str, ...]
) -> Callable[..., Any]:
    registered = _WRITTEN.get((module.__name__, name))
    if registered is None:
        raise FunctionError(f"{module.__name__} has no @function {name}")
    code = getattr(registered, "__code__", None)
    parameters = code.co_varnames[: code.co_argcount] if code is not None else takes
    if len(parameters) != len(takes):
        expected, actual = ", ".join(takes), ", ".join(parameters) or "none"
        raise FunctionError(
            f"wrong parameters of {name} of {module.__name__}:"
            f" {actual} instead of {expected}"
        )
    return registered


def _called(written: Callable[..., Any], at: str, *arguments: Any) -> Any:
    try:
        return written(*arguments)
    except ConversionError:
        raise
    except (Exception, SystemExit) as error:
        cause = f"{type(error).__name__}: {error}"[:200]
        reason = f"the function {written.__name__} fails: {cause}"
        raise ConversionError(f"{at.removeprefix('.')}: {reason}") from error
