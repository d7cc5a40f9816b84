"""A service of a version with its handlers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor_pool import DescriptorPool


class VersionService(NamedTuple):
    """A service: its group and version, its full name, its endpoint and deprecation notice, and its handlers."""

    group: str
    version: str
    name: str
    endpoint: str
    deprecated: str
    handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    pool: DescriptorPool
    deprecated_rpcs: frozenset[str] = frozenset()

    def format_endpoint(self, template: str) -> str:
        """Return the address of the service: its own endpoint or the template, with its group and version."""
        return (self.endpoint or template).replace("{group}", self.group).replace("{version}", self.version)
