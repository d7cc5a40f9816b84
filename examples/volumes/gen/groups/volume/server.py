# Written once by protoc-gen-crd. It is yours: generate never overwrites it.
"""The server of the group volume."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

import grpc

from . import api, hub
from .versions import api_version

_MIB_PER_GIB = 1024
_MAX_VOLUMES = 1000


class Server:
    """The server of the group volume, for all versions."""

    def __init__(self, volumes: Iterable[hub.Volume] = ()) -> None:
        self._volumes = {volume.name: volume for volume in volumes}

    async def create_volume(
        self,
        request: hub.CreateVolumeRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.Volume:
        """Create a volume."""
        if request.name in self._volumes:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, request.name)
        if len(self._volumes) >= _MAX_VOLUMES:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many volumes")
        volume = hub.Volume(
            name=request.name,
            size_mb=self._round_size(request.size_mb, version),
            metadata=dict(request.metadata),
            status=hub.VolumeStatus.AVAILABLE,
            host="storage-1",
        )
        self._volumes[volume.name] = volume
        return volume

    @api_version(until="3.4")
    async def get_volume(
        self, request: hub.GetVolumeRequest, context: api.AioContext, version: hub.Version
    ) -> hub.Volume:
        """Return a volume."""
        return await self._find(request.name, context)

    @get_volume.api_version("3.5")
    async def _(
        self, request: hub.GetVolumeRequest, context: api.AioContext, version: hub.Version
    ) -> hub.Volume:
        """Return a volume. Names are not case-sensitive any more."""
        names = {name.casefold(): name for name in self._volumes}
        return await self._find(names.get(request.name.casefold(), ""), context)

    async def list_volumes(
        self,
        request: hub.ListVolumesRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> AsyncIterator[hub.Volume]:
        """Yield the volumes in the order of their names."""
        for _, volume in sorted(self._volumes.items()):
            if request.status in (0, volume.status):
                yield volume

    async def rename_volume(
        self,
        request: hub.RenameVolumeRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.Volume:
        """Set the name of a volume."""
        volume = await self._find(request.name, context)
        del self._volumes[volume.name]
        volume.name = request.new_name
        self._volumes[volume.name] = volume
        return volume

    async def update_volume(
        self,
        request: hub.UpdateVolumeRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.Volume:
        """Change the name and the metadata of a volume."""
        volume = await self._find(request.name, context)
        volume.metadata |= request.metadata
        if request.new_name is not None:
            del self._volumes[volume.name]
            volume.name = request.new_name
            self._volumes[volume.name] = volume
        if request.version.matches("3.5") and volume.metadata.get("archived"):
            volume.status = hub.VolumeStatus.ARCHIVED
        return volume

    async def _find(self, name: str, context: api.AioContext) -> hub.Volume:
        if name not in self._volumes:
            await context.abort(grpc.StatusCode.NOT_FOUND, name)
        return self._volumes[name]

    @api_version(until="3.2")
    def _round_size(self, size_mb: int, version: hub.Version) -> int:
        """Return the size of a new volume: at least one GiB."""
        return max(size_mb, _MIB_PER_GIB)

    @_round_size.api_version("3.3")
    def _(self, size_mb: int, version: hub.Version) -> int:
        """Return the size of a new volume in whole GiB, so that older versions can represent it."""
        return max(-(-size_mb // _MIB_PER_GIB), 1) * _MIB_PER_GIB
