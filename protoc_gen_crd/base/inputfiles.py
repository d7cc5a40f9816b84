"""Files that a user names, as bytes. What would be waited for without end, or never ends, is none of them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_OTHERS = ((stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"), (stat.S_ISSOCK, "a socket"))
_OPEN = ("/proc/", "/dev/fd/")  # pipes without a name, such as those of a shell's <(command), have someone who writes


def check_input(path: str) -> int:
    """The mode of a file or folder. Raises OSError for what is neither; a pipe of a shell's is taken for a file."""
    mode = os.stat(path).st_mode  # noqa: PTH116 - its error names the path as it was given
    found = next((name for test, name in _OTHERS if test(mode)), None)
    if stat.S_ISFIFO(mode) and not os.path.realpath(path).startswith(_OPEN):
        found = "a pipe"
    if found:
        raise OSError(0, f"{found} where a file is wanted", path)
    return mode


def input_bytes(path: str) -> bytes:
    """What a file holds. Raises OSError for what cannot be read, or is no file."""
    check_input(path)
    return Path(path).read_bytes()
