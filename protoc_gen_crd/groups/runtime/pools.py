"""Message classes of a version, built from embedded descriptors in a descriptor pool of their own."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor_pool import DescriptorPool


def load_pool(lines: Iterable[str]) -> DescriptorPool:
    """Return a pool of the files of a FileDescriptorSet in base64, each after its imports."""
    data = base64.b64decode("".join(lines))
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def get_class(pool: DescriptorPool, full_name: str) -> Any:
    """Return the class of a message."""
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(full_name))
