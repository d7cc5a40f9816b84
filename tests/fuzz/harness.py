"""The fuzzing harness: seeded inputs, limits per input, minimization, and a report of each defect.

An input is bytes. Input `index` of a seed depends only on the seed, the fuzzer's name and the index, so that it can be
generated again without the inputs before it. An input fails if the code under test raises an exception, exceeds a
limit, or has another outcome when it is run again.
"""

from __future__ import annotations

import itertools
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import ClassVar

import protoc_gen_crd
from protoc_gen_crd.base.record import Record

from .limits import TimeLimitError, exceeded_memory, recursion_limit, time_limit

SECONDS = 2.0  # of processor time per input
REPEATED = 10  # one input of this number is run twice
_MINIMIZATIONS = 200  # maximum number of runs and of seconds
_MINIMIZING = 20.0
_RECURSION = 1000  # Python's own limit, relative to the harness
_GENERATING = 20_000
_PACKAGE = str(Path(protoc_gen_crd.__file__).parent)


class PropertyError(Exception):
    """A violated property of the code under test."""


class Failure(Record):
    """An input that exposes a defect; `key` is the same for inputs that expose the same defect."""

    fuzzer: str
    seed: int
    index: int
    key: str
    trace: str
    data: bytes

    def __str__(self) -> str:
        excerpt = repr(self.data if len(self.data) <= 600 else self.data[:600] + b"...")
        again = f"python -m tests.fuzz --only {self.fuzzer} --seed {self.seed} --index {self.index}"
        return f"{self.fuzzer}: {self.key}\n  reproduce: {again}\n  minimized: {excerpt}\n{self.trace}"


class Report(Record):
    """The result of a campaign of one fuzzer."""

    fuzzer: str
    count: int
    failures: tuple[Failure, ...]


class Fuzzer(ABC):
    """A source of inputs for one surface, and the code that reads them."""

    name: ClassVar[str]
    slice: ClassVar[int] = 100  # inputs that the tests run
    seconds: ClassVar[float] = SECONDS

    @abstractmethod
    def generate(self, random: Random) -> bytes:
        """Return an input."""

    @abstractmethod
    def run(self, data: bytes) -> str:
        """Return the outcome of an input. Raises PropertyError if a property of the surface is violated."""

    def input(self, seed: int, index: int) -> bytes:
        """Return an input by its number."""
        with recursion_limit(_GENERATING):
            return self.generate(Random(f"{self.name}/{seed}/{index}"))


def attempt(fuzzer: Fuzzer, data: bytes, *, repeat: bool = False) -> tuple[str, str] | None:
    """Return the key and the traceback of a failure, None if the input passes."""
    try:
        with recursion_limit(_RECURSION), exceeded_memory() as exceeded, time_limit(fuzzer.seconds * (1 + repeat)):
            outcome = fuzzer.run(data)
            again = fuzzer.run(data) if repeat else outcome
        if again != outcome:
            return f"{PropertyError.__name__}: not deterministic:", f"{outcome}\n---\n{again}"
        if exceeded():
            return f"{PropertyError.__name__}: an input of {len(data)} bytes needs {exceeded()} MiB", ""
    except (Exception, TimeLimitError, SystemExit) as error:
        return _key(error), "".join(traceback.format_exception(error, limit=-12))
    return None


def _key(error: BaseException) -> str:
    """Return the type of an exception and the innermost frame of the package; for time limits, modules."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_PACKAGE)]
    name = type(error).__name__
    if isinstance(error, PropertyError):
        return f"{name}: {str(error).splitlines()[0][:60]}"
    if isinstance(error, TimeLimitError | RecursionError):
        return " < ".join([name, *dict.fromkeys(_module(frame) for frame in frames[-1:-40:-1])][:3])
    return f"{name} in {_module(frames[-1])}:{frames[-1].name}" if frames else name


def _module(frame: traceback.FrameSummary) -> str:
    return frame.filename.removeprefix(_PACKAGE)[1:]


def campaign(
    fuzzer: Fuzzer,
    seed: int,
    *,
    count: int = sys.maxsize,
    seconds: float = float("inf"),
    first: int = 0,
    on_input: Callable[[int], None] = lambda _: None,
    on_failure: Callable[[Failure], None] = lambda _: None,
) -> Report:
    """Run inputs until a count or a time is reached. Of inputs with the same defect only the first one is kept."""
    failures: dict[str, Failure] = {}
    done, end = 0, time.monotonic() + seconds
    for index in itertools.islice(itertools.count(first), count):
        if time.monotonic() >= end:
            break
        on_input(index)
        data = fuzzer.input(seed, index)
        done += 1
        failed = attempt(fuzzer, data, repeat=index % REPEATED == 0)
        if failed is None or failed[0] in failures:
            continue
        failure = Failure(fuzzer.name, seed, index, *failed, minimized(fuzzer, data, failed[0]))
        failures[failed[0]] = failure
        on_failure(failure)
    return Report(fuzzer.name, done, tuple(failures.values()))


def minimized(fuzzer: Fuzzer, data: bytes, key: str) -> bytes:
    """Return a smaller input with the same failure: remove pieces, in decreasing size, as long as it fails."""
    end = time.monotonic() + _MINIMIZING
    left = _MINIMIZATIONS
    size = len(data) // 2
    while size:
        for shorter in _without(data, size):
            left -= 1
            if not left or time.monotonic() > end:
                return data
            failed = attempt(fuzzer, shorter)
            if failed is not None and failed[0] == key:
                data = shorter
                break
        else:
            size //= 2
    return data


def _without(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size):
        yield data[:at] + data[at + size :]
