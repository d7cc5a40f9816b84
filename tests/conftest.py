"""Fixtures of all tests: `--update` rewrites the goldens of the tests that run; corpora are found by environment."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from protoc_gen_crd.proto import protoc_compiler
from tests.support.fork_server import close_servers, run_protoc
from tests.support.memory import use_memory

ROOT = Path(__file__).parent.parent

# The same examples in each run, without a deadline: `fuzz` searches for new ones.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")
# By default, examples contain constants of all modules that are loaded: they depend on the tests before, and reading
# the modules takes seconds.
providers._get_local_constants = lambda: providers._local_constants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite goldens instead of comparing them")


_OBJECTS_UNTIL_COLLECTION = 2_000_000


def pytest_configure() -> None:
    """Prepare the process: files in memory, few collections of garbage, and signals as in a terminal.

    A background job or nohup ignores SIGINT and SIGHUP, and so would all children.
    """
    use_memory()
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION, 50, 50)
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


# Optional corpora, which are not part of the repository; CONTRIBUTING.md describes the folder.
CORPORA = Path(os.environ.get("PROTOC_GEN_CRD_SHARED", ROOT.parent / "shared"))


def without(path: str) -> str:
    """Return the reason to skip a test whose corpus is absent."""
    return f"{CORPORA / path} does not exist: set PROTOC_GEN_CRD_SHARED, see Optional corpora in CONTRIBUTING.md"


def shared(*parts: str) -> Path:
    """Return a file or folder of the corpora; skip the test if it does not exist."""
    path = CORPORA.joinpath(*parts)
    if not path.exists():
        pytest.skip(without("/".join(parts)))
    return path


def pytest_collection_finish() -> None:
    """Exempt the objects of the collection of tests from garbage collection, which would visit all of them."""
    gc.freeze()


def pytest_runtest_setup() -> None:
    """Collect garbage rarely: a tenth of the time was spent on it. Commands in this process set their own limit."""
    gc.set_threshold(_OBJECTS_UNTIL_COLLECTION, 50, 50)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test as pytest does, but report to the process that prints the results only what it prints.

    The reports of setups and teardowns that pass took as much time as running a short test.
    """
    if not hasattr(item.config, "workerinput") or item.config.getoption("durations") is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(autouse=True, scope="session")
def forked_protoc() -> Iterator[None]:
    """Fork protoc instead of starting it: the tests of this process compile thousands of requests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protoc_compiler, "_run_protoc", run_protoc)
        yield
    close_servers()


@pytest.fixture(scope="session")
def mypy_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder in which runs of mypy share what they know of libraries; pass absolute paths, which it compares."""
    return tmp_path_factory.mktemp("mypy")
