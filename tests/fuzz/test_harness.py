"""The harness itself: planted defects are found, minimized and reported, and what passes is not."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import isolation
from tests.fuzz.harness import Fuzzer, PropertyError, attempt, campaign
from tests.fuzz.isolation import isolated

_COUNTER = itertools.count()


class Planted(Fuzzer):
    """Letters, with a defect that the letter `x` exposes."""

    name, seconds = "planted", 0.2

    def __init__(self, defect: Callable[[], object]) -> None:
        self._defect = defect

    def generate(self, random: Random) -> bytes:
        return bytes(random.choices(b"abcdefghx", k=40))

    def run(self, data: bytes) -> str:
        return str(self._defect()) if b"x" in data else ""


def _crash() -> None:
    raise KeyError("planted")


def _hang() -> None:
    while True:
        pass


def _wait() -> None:
    time.sleep(60)


def _swallow() -> None:
    while True:
        try:
            _hang()
        except Exception:  # noqa: S112 - the defect
            continue


def _exit() -> None:
    raise SystemExit(3)


def _recurse() -> None:
    _recurse()


def _hoard() -> int:
    return len(b"x" * (700 << 20))


@pytest.mark.parametrize(
    ("defect", "key"),
    [
        (_crash, "KeyError"),
        (_hang, "TimeLimitError"),
        (_wait, "TimeLimitError"),
        (_swallow, "TimeLimitError"),
        (_exit, "SystemExit"),
        (_recurse, "RecursionError"),
        (_hoard, "PropertyError: an input of 1 bytes needs"),
    ],
)
def test_a_planted_defect_is_reported(defect: Callable[[], object], key: str) -> None:
    fuzzer = Planted(defect)
    fuzzer.seconds = 0.05 if defect in (_hang, _wait, _swallow) else 30.0  # type: ignore[misc]
    failed = attempt(fuzzer, b"x")
    assert failed is not None
    assert failed[0].startswith(key)
    assert attempt(Planted(defect), b"a") is None


def test_memory_that_earlier_code_used_hides_nothing() -> None:
    assert b"x" * (900 << 20)
    fuzzer = Planted(_hoard)
    fuzzer.seconds = 2.0  # type: ignore[misc]
    failed = attempt(fuzzer, b"x")
    assert failed is not None
    assert failed[0].startswith("PropertyError: an input of 1 bytes needs")


def test_an_outcome_that_differs_from_run_to_run_is_reported() -> None:
    failed = attempt(Planted(lambda: next(_COUNTER)), b"x", repeat=True)
    assert failed is not None
    assert failed[0] == "PropertyError: not deterministic:"


def test_an_input_is_minimized_and_the_defect_reported_once() -> None:
    failures: list[object] = []
    report = campaign(Planted(_crash), 1, count=50, on_failure=failures.append)
    (failure,) = report.failures
    assert failures == [failure]
    assert failure.data == b"x"
    assert report.count == 50
    assert "--only planted --seed 1 --index" in str(failure)
    assert b"x" in Planted(_crash).input(1, failure.index)


def test_inputs_depend_on_seed_and_index_alone() -> None:
    fuzzer = Planted(_crash)
    assert fuzzer.input(1, 7) == fuzzer.input(1, 7)
    assert fuzzer.input(1, 7) != fuzzer.input(2, 7) != fuzzer.input(2, 8)


def end_third_run(runs: Path, defect: Callable[[], object]) -> Callable[[], object]:
    """Return a defect whose third run ends the campaign, so that no test depends on the speed of the machine."""

    def run() -> object:
        with runs.open("a") as file:
            file.write("x")
        if runs.stat().st_size == 3:
            os._exit(0)
        return defect()

    return run


def test_a_crash_is_reported_and_the_campaign_continues(tmp_path: Path) -> None:
    defect = end_third_run(tmp_path / "runs", lambda: os.kill(os.getpid(), signal.SIGSEGV))
    report = isolated(Planted(defect), 1, 600)
    assert [failure.key for failure in report.failures] == ["the process ends: signal SIGSEGV"]
    assert report.count > 1


def test_a_hang_is_reported_and_the_campaign_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_PATIENCE", 0.5)
    report = isolated(Planted(end_third_run(tmp_path / "runs", _block)), 1, 600)
    assert [failure.key for failure in report.failures] == ["the process ends: no end after 0 s"]
    assert report.count > 1


def _block() -> None:
    """Hang like C code that does not check for signals."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF, signal.SIGALRM])
    _hang()


def test_a_property_that_does_not_hold_is_reported() -> None:
    def fail() -> None:
        raise PropertyError("files are written in spite of errors")

    failed = attempt(Planted(fail), b"x")
    assert failed is not None
    assert failed[0] == "PropertyError: files are written in spite of errors"
