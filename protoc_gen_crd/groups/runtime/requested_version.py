"""The version that a request names in its metadata: its form, its errors, and the handler that it selects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn

import grpc

from .microversions import LATEST, parse_number
from .trailing_metadata import Metadata

_MOST_SHOWN = 40  # characters of a version that a client sends
_MAKERS: dict[tuple[bool, bool], Callable[..., Any]] = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}


class RequestedVersionError(Exception):
    """A request without a version that can be served, with its status."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self.code = code


class VersionHeader(NamedTuple):
    """The form of versions in metadata: the key in requests and responses, and the value with {group} and {version}."""

    group: str
    key: str
    form: str

    def format(self, version: str) -> str:
        """Return the value for a version."""
        return self.form.replace("{group}", self.group).replace("{version}", version)

    def make_request(self, version: str) -> Metadata:
        """Return the metadata of a request in a version."""
        return ((self.key, self.format(version)),)

    def make_response(self, version: str, minimum: str, maximum: str) -> Metadata:
        """Return the metadata of a response: the version, unless it is empty, and the range of the service."""
        used = self.make_request(version) if version else ()
        return (*used, (f"{self.key}-minimum", minimum), (f"{self.key}-maximum", maximum))

    def select(self, metadata: Iterable[tuple[str, str | bytes]], versions: Sequence[str]) -> str:
        """Return the version of a request, of those that are served, oldest first. Raises RequestedVersionError."""
        version = self.read([value for name, value in metadata if name == self.key], versions[-1])
        if version in ("", LATEST):
            return versions[-1 if version else 0]
        if version not in versions:
            problem = f"version {version} is not served, only {versions[0]} to {versions[-1]}"
            raise RequestedVersionError(grpc.StatusCode.FAILED_PRECONDITION, problem)
        return version

    def read(self, values: Sequence[str | bytes], example: str) -> str:
        """Return the version in the values of a request: a number, `latest`, or empty if there is no value.

        `example` is the version in the hint of an error. Raises RequestedVersionError for values that are malformed,
        are several, or name another group.
        """
        if not values:
            return ""
        if len(values) > 1:
            raise RequestedVersionError(
                grpc.StatusCode.INVALID_ARGUMENT, f"{len(values)} values of {self.key}, expected one"
            )
        shown = ascii(values[0][:_MOST_SHOWN])
        match = _compile_form(self.form).fullmatch(values[0]) if isinstance(values[0], str) else None
        groups = match.groupdict() if match else {}
        version = groups.get("version", "")
        if version != LATEST and not parse_number(version):
            problem = f'invalid {self.key} {shown}, expected a value such as "{self.format(example)}"'
            raise RequestedVersionError(grpc.StatusCode.INVALID_ARGUMENT, problem)
        if groups.get("group", self.group) != self.group:
            problem = f"{self.key} {shown} is for another group than {self.group}"
            raise RequestedVersionError(grpc.StatusCode.INVALID_ARGUMENT, problem)
        return version


@cache
def _compile_form(form: str) -> re.Pattern[str]:
    pattern = re.escape(form)
    for name in ("group", "version"):
        pattern = pattern.replace(re.escape(f"{{{name}}}"), rf"(?P<{name}>[^\s,]+)")
    return re.compile(rf"\s*{pattern}\s*")


class MicroversionHandler(grpc.GenericRpcHandler):
    """Selects the handler of an RPC in the version that a request names.

    `handlers` are those of each version by the name of the RPC, from the oldest to the newest version.
    """

    def __init__(
        self, service: str, header: VersionHeader, handlers: Mapping[str, Mapping[str, Any]], *, is_aio: bool
    ) -> None:
        self._prefix = f"/{service}/"
        self._header = header
        self._handlers = handlers
        self._versions = [*handlers]
        self._is_aio = is_aio
        self._tables = {
            header.format(version): {f"{self._prefix}{rpc}": handler for rpc, handler in table.items()}
            for version, table in handlers.items()
        }
        self._minimum = self._tables[header.format(self._versions[0])]

    def service(self, handler_call_details: Any) -> Any:
        """Return the handler of a call; None for another service or an unknown RPC."""
        method, key, table, count = handler_call_details.method, self._header.key, self._minimum, 0
        for name, value in handler_call_details.invocation_metadata or ():
            if name == key:
                table, count = self._tables.get(value, {}), count + 1
        handler = table.get(method) if count < 2 else None
        if handler is None and method.startswith(self._prefix):
            rpc = method.removeprefix(self._prefix)
            return self._find_handler(rpc, handler_call_details.invocation_metadata or ())
        return handler

    def _find_handler(self, rpc: str, metadata: Iterable[tuple[str, str | bytes]]) -> Any:
        """Return the handler for a version in any spelling, or one that ends the call with a status."""
        having = [version for version, table in self._handlers.items() if rpc in table]
        if not having:
            return None
        kind, version = self._handlers[having[0]][rpc], ""
        try:
            version = self._header.select(metadata, self._versions)
        except RequestedVersionError as error:
            return self._make_error(kind, error.code, str(error), version)
        if version in having:
            return self._handlers[version][rpc]
        problem = f"{rpc} is not in version {version}, only in {having[0]} to {having[-1]}"
        return self._make_error(kind, grpc.StatusCode.UNIMPLEMENTED, problem, version)

    def _make_error(self, kind: Any, code: grpc.StatusCode, details: str, version: str) -> Any:
        """Return a handler of the kind of an RPC that ends a call with a status."""
        metadata = self._header.make_response(version, self._versions[0], self._versions[-1])

        def end(_: Any, context: Any) -> NoReturn:
            context.set_trailing_metadata(metadata)
            context.abort(code, details)
            raise AssertionError(details)

        async def end_aio(_: Any, context: Any) -> None:
            context.set_trailing_metadata(metadata)
            await context.abort(code, details)

        make = _MAKERS[bool(kind.request_streaming), bool(kind.response_streaming)]
        return make(end_aio if self._is_aio else end)
