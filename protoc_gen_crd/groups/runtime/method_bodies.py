"""Methods with several bodies, each for a range of microversions.

@api_version("3.0", "3.3")
async def get_volume(self, request, context, version): ...

@get_volume.api_version("3.4")
async def _(self, request, context, version): ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from .microversions import Microversion
from .values import ConversionError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Owner = TypeVar("Owner")
_PARAMETERS = ("version", "request")  # names of the parameters that have the version


class MissingBodyError(ConversionError, NotImplementedError):
    """A call of a method in a version without a body. Clients receive UNIMPLEMENTED."""


class VersionRangeError(TypeError):
    """Bodies of a method that overlap, or that leave out a version. It is raised when the class is defined."""


def _list_parameters(body: Any) -> list[str]:
    """Return the names of the parameters of a function, or of the function that it wraps."""
    while hasattr(body, "__wrapped__"):
        body = body.__wrapped__
    code = body.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _make_missing(name: str, version: Microversion) -> Callable[..., Any]:
    """Return the body of a version without one."""

    def reject(*_: Any, **__: Any) -> Any:
        raise MissingBodyError(f"{name} has no body for version {version.label}", code="UNIMPLEMENTED")

    return reject


class VersionedMethod(Generic[Owner, Parameters, Result]):
    """A method that calls the body of the version that it gets as `version`, or with `request`."""

    def __init__(self, versions: type[Microversion], ranges: Mapping[str, tuple[str, str]]) -> None:
        self._versions = versions
        self._ranges = ranges
        self._bodies: dict[Microversion, Callable[..., Any]] = {}
        self._name = ""
        self._call: Callable[..., Any] = self._add

    def _add(self, body: Callable[..., Any], since: str | None, until: str | None) -> None:
        self._name = self._name or body.__name__
        if self._call != self._add:
            raise VersionRangeError(f"{self._name}: bodies are added in the class that defines the method")
        try:
            matching = [version for version in self._versions if version.matches(since, until)]
        except ValueError as error:
            raise VersionRangeError(f"{self._name}: {error}") from None
        if not matching:
            raise VersionRangeError(f'{self._name}: "{since}" to "{until}" is not a range')
        for version in matching:
            if version in self._bodies:
                raise VersionRangeError(f"{self._name} has two bodies for version {version.label}")
            self._bodies[version] = body

    def api_version(
        self, since: str | None = None, until: str | None = None
    ) -> Callable[[Callable[Concatenate[Owner, Parameters], Result]], Callable[Concatenate[Owner, Parameters], Result]]:
        """Add a body for a range of versions. An end that is None or empty has no limit."""

        def add(body: Callable[Concatenate[Owner, Parameters], Result]) -> Any:
            self._add(body, since, until)
            return body

        return add

    def __set_name__(self, owner: type, name: str) -> None:
        """Check the bodies. Raises VersionRangeError."""
        ends = self._ranges.get(name)
        low, high = (self._versions.parse(end) for end in ends) if ends else (min(self._bodies), max(self._bodies))
        required = [version for version in self._versions if low <= version <= high]
        missing = [version.label for version in required if version not in self._bodies]
        if missing:
            raise VersionRangeError(f"{owner.__name__}.{name} has no body for version {', '.join(missing)}")
        self._call = self._make_call(name)

    def _make_call(self, name: str) -> Callable[..., Any]:
        """Return the function that selects the body."""
        first = next(iter(self._bodies.values()))
        parameters = _list_parameters(first)
        parameter = next((each for each in _PARAMETERS if each in parameters), "")
        if not parameter:
            raise VersionRangeError(f"{name} has versions, but no parameter version or request")
        index, is_request = parameters.index(parameter), parameter != "version"
        for body in self._bodies.values():
            if _list_parameters(body)[index : index + 1] != [parameter]:
                raise VersionRangeError(f"the bodies of {name} have the parameter {parameter} in different places")

        bodies = [self._bodies.get(version) or _make_missing(name, version) for version in self._versions]

        def call(*arguments: Any, **named: Any) -> Any:
            value = arguments[index] if index < len(arguments) else named.get(parameter, 0)
            return bodies[value.version if is_request else value](*arguments, **named)

        return call

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: Owner, owner: type) -> Callable[Parameters, Result]: ...

    def __get__(self, instance: Any, owner: type) -> Any:
        """Return the bound method."""
        return self if instance is None else MethodType(self._call, instance)


class VersionDecorator:
    """The decorator `api_version` of a group. `ranges` are the first and last versions of RPCs by method."""

    def __init__(self, versions: type[Microversion], ranges: Mapping[str, tuple[str, str]]) -> None:
        self._versions = versions
        self._ranges = ranges

    def __call__(
        self, since: str | None = None, until: str | None = None
    ) -> Callable[[Callable[Concatenate[Owner, Parameters], Result]], VersionedMethod[Owner, Parameters, Result]]:
        """Define a method with the body for a range of versions. An end that is None or empty has no limit."""

        def define(body: Callable[Concatenate[Owner, Parameters], Result]) -> Any:
            method: VersionedMethod[Owner, Parameters, Result] = VersionedMethod(self._versions, self._ranges)
            method.api_version(since, until)(body)
            return method

        return define
