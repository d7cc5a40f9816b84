"""Detection of descriptor sets and buf images by file name and first bytes.

Knows nothing of what is in them, so that runs on documents alone need not import protobuf.
"""

from __future__ import annotations

import re

BINARY = (".bin", ".binpb", ".desc", ".fds", ".gz", ".img", ".pb", ".protoset")
JSON = ".json"
START = 256  # bytes that tell

_JSON_START = re.compile(rb'(?:\xef\xbb\xbf)?+\s*+\{\s*+"file"\s*+:\s*+\[')


def is_json_image(start: bytes) -> bool:
    """Check whether what starts so is a descriptor set as JSON: no object of Kubernetes does."""
    return _JSON_START.match(start) is not None
