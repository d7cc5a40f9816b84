"""The pattern of the names of container images, with tag and digest.

Source: github.com/distribution/reference.
"""

from __future__ import annotations

_PART = "[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*"  # of a path in a registry
_HOST = "(?:[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)(?:[.][a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)*(?::[0-9]+)?"
IMAGE_NAME = f"(?:{_HOST}/)?{_PART}(?:/{_PART})*(?::[a-zA-Z0-9_][-.a-zA-Z0-9_]{{0,127}})?(?:@sha256:[0-9a-f]{{64}})?"
