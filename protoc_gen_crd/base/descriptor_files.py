"""Detection of descriptor sets and buf images by file name and first bytes.

It does not read their content, so that runs on documents need not import protobuf.
"""

from __future__ import annotations

import re

BINARY = (".bin", ".binpb", ".desc", ".fds", ".gz", ".img", ".pb", ".protoset")
JSON = ".json"
START = 256  # bytes that are sufficient for the detection

_JSON_START = rb'(?:\xef\xbb\xbf)?\s*+\{\s*+"file"\s*+:\s*+\['


def is_json_image(start: bytes) -> bool:
    """Return whether a file with this start is a descriptor set as JSON. No Kubernetes object starts like it."""
    return re.match(_JSON_START, start) is not None
