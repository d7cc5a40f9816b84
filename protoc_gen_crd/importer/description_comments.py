"""Comments for descriptions. The generator derives exactly the description from such a comment."""

from __future__ import annotations

import re

from protoc_gen_crd.markers.marker_recognition import can_lack_plus

# What the parser of comments treats as a marker, a hidden part or decoration, and characters that comments lose.
_UNSAFE = re.compile(r"[+\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|<!--|\(--|\$hide_from_docs")


def make_comment(description: str) -> tuple[str, ...]:
    """Return the lines of a comment without slashes; empty if no comment has exactly this description."""
    if not description:
        return ()
    lines = description.split("\n")
    if description != description.strip() or any(line != line.rstrip() for line in lines):
        return ()
    return () if _UNSAFE.search(description) or can_lack_plus(description) else tuple(lines)
