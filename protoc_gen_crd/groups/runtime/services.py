"""A service of a version with its handlers, and a service of several microversions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor_pool import DescriptorPool

from .requested_version import MicroversionHandler, RequestedVersionError, VersionHeader


class VersionService(NamedTuple):
    """A service: its group and version, its full name, its endpoint and deprecation notice, and its handlers.

    `status` is CURRENT, SUPPORTED, or DEPRECATED, and `released` the date of the first release, empty if unknown.
    A service of microversions has the `header` of its requests and the services of its `microversions`, oldest first.
    Its version is the newest one, and its handlers and pool have all versions.
    """

    group: str
    version: str
    name: str
    endpoint: str
    deprecated: str
    handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    pool: DescriptorPool
    deprecated_rpcs: frozenset[str] = frozenset()
    status: str = ""
    released: str = ""
    header: VersionHeader | None = None
    microversions: tuple[VersionService, ...] = ()

    def format_endpoint(self, template: str) -> str:
        """Return the address of the service: its own endpoint or the template, with its group and version."""
        return (self.endpoint or template).replace("{group}", self.group).replace("{version}", self.version)

    def make_handler(self, *, is_aio: bool) -> grpc.GenericRpcHandler:
        """Return the handler of all calls of the service."""
        if self.header is None:
            return grpc.method_handlers_generic_handler(self.name, dict(self.handlers))
        handlers = {service.version: service.handlers for service in self.microversions}
        return MicroversionHandler(self.name, self.header, handlers, is_aio=is_aio)

    def select_version(self, metadata: Iterable[tuple[str, str | bytes]]) -> VersionService:
        """Return the service of the version that a request names; the whole service if none is valid."""
        if self.header is None:
            return self
        try:
            services = {service.version: service for service in self.microversions}
            return services[self.header.select(metadata, [*services])]
        except RequestedVersionError:
            return self._replace(version="")


def join_microversions(
    services: Sequence[VersionService], header: VersionHeader, pool: DescriptorPool
) -> VersionService:
    """Return the service of microversions, oldest first. `pool` has the elements of all of them."""
    handlers = {rpc: handler for service in services for rpc, handler in service.handlers.items()}
    return services[-1]._replace(
        handlers=handlers,
        pool=pool,
        header=header,
        microversions=tuple([service._replace(header=header) for service in services]),
    )


def list_version_services(services: Iterable[VersionService]) -> Iterator[VersionService]:
    """Yield the services of each version."""
    for service in services:
        yield from service.microversions or (service,)
