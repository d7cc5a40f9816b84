# Written once by protoc-gen-crd. It is yours: generate never overwrites it.
"""The server of the group dummy."""

from __future__ import annotations

import grpc

from . import api, hub

_INT64 = range(-(2**63), 2**63)


class Server:
    """The server of the group dummy, for all versions."""

    async def compute_double(
        self,
        request: hub.ComputeDoubleRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.ComputeDoubleResponse:
        """Return twice the number."""
        response = 2 * request.input
        if response not in _INT64:
            await context.abort(grpc.StatusCode.OUT_OF_RANGE, "int64 overflow")
        return hub.ComputeDoubleResponse(response)
