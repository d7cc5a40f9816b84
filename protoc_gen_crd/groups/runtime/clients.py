"""Negotiation of the version: the newest version in a range that a server has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import grpc
import grpc.aio

from . import discovery

AnyVersion = TypeVar("AnyVersion", bound=int)
_PATH = f"/{discovery.SERVICE}/{discovery.METHOD}"
_CALL: dict[str, Any] = {
    "request_serializer": discovery.ListVersionsRequest.SerializeToString,
    "response_deserializer": discovery.ListVersionsResponse.FromString,
}


class VersionError(Exception):
    """A server without a version in the range of the client."""


class MissingRpcError(NotImplementedError):
    """An RPC that the negotiated version does not have."""


def choose_version(
    channel: grpc.Channel,
    group: str,
    services: Mapping[AnyVersion, tuple[str, str]],
    floor: AnyVersion,
    ceiling: AnyVersion,
    timeout: float | None,
) -> AnyVersion:
    """Return the newest version in a range that a server has; the floor for a server without discovery.

    `services` are the names of the service and of the version.
    Raises VersionError if there is none, and RpcError if the server does not answer.
    """
    try:
        response = channel.unary_unary(_PATH, **_CALL)(discovery.ListVersionsRequest(group=group), timeout=timeout)
    except grpc.RpcError as error:
        return _use_floor(error, floor)
    return _choose(response, group, services, floor, ceiling)


async def choose_aio_version(
    channel: grpc.aio.Channel,
    group: str,
    services: Mapping[AnyVersion, tuple[str, str]],
    floor: AnyVersion,
    ceiling: AnyVersion,
    timeout: float | None,
) -> AnyVersion:
    """Return what `choose_version` returns, with asyncio."""
    try:
        response = await channel.unary_unary(_PATH, **_CALL)(
            discovery.ListVersionsRequest(group=group), timeout=timeout
        )
    except grpc.aio.AioRpcError as error:
        return _use_floor(error, floor)
    return _choose(response, group, services, floor, ceiling)


def _use_floor(error: Any, floor: AnyVersion) -> AnyVersion:
    if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
        raise error
    return floor


def _choose(
    response: Any, group: str, services: Mapping[AnyVersion, tuple[str, str]], floor: AnyVersion, ceiling: AnyVersion
) -> AnyVersion:
    served = {(version.service, version.version) for version in response.versions}
    common = [version for version, service in services.items() if service in served and floor <= version <= ceiling]
    if not common:
        names = ", ".join(version.version for version in response.versions) or "none"
        own = ", ".join(name for version, (_, name) in services.items() if floor <= version <= ceiling) or "none"
        raise VersionError(f"no common version of the group {group}: the server has {names}; the client accepts {own}")
    return max(common)
