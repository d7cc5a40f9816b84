"""Limits for one input: processor time, elapsed time and memory."""

from __future__ import annotations

import re
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

MEBIBYTES = 512  # maximum increase of the peak memory of the process
_ELAPSED = 15  # factor of the processor time: for waiting, on a busy machine
_TIMERS = ((signal.ITIMER_PROF, signal.SIGPROF, 1), (signal.ITIMER_REAL, signal.SIGALRM, _ELAPSED))


class TimeLimitError(BaseException):
    """The time limit is exceeded; no `except Exception` can catch it."""


def _expire(number: int, _: FrameType | None) -> None:
    raise TimeLimitError(signal.Signals(number).name)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError in the block after this processor time, or after far more elapsed time."""
    before = [(number, signal.signal(number, _expire)) for _, number, _ in _TIMERS]
    try:
        for timer, _, factor in _TIMERS:
            signal.setitimer(timer, seconds * factor)
        yield
    finally:
        for timer, _, _ in _TIMERS:
            signal.setitimer(timer, 0)
        for number, handler in before:
            signal.signal(number, handler)


@contextmanager
def recursion_limit(frames: int) -> Iterator[None]:
    """Limit the frames of the block; a limit that the block sets itself is reset at its end."""
    before = sys.getrecursionlimit()
    used = sum(1 for _ in traceback.walk_stack(sys._getframe()))  # inspect.stack takes milliseconds
    sys.setrecursionlimit(used + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def exceeded_memory(limit: int = MEBIBYTES) -> Iterator[Callable[[], int]]:
    """Yield a function that returns by how many MiB the block has raised the peak memory, 0 within the limit."""
    _reset_peak()
    before = _peak()

    def exceeded() -> int:
        growth = (_peak() - before) // 1024
        return growth if growth > limit else 0

    yield exceeded


def _reset_peak() -> None:
    """Reset the peak to the current size, so that earlier code hides nothing. Only Linux supports it."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    """Return the peak of the resident memory in KiB, which Linux reports since the last reset."""
    with suppress(OSError):
        if peak := re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE):
            return int(peak[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
