"""The pages and the playground of a run, which are loaded again when a file changes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.playground.http_server import RequestError, Routes
from protoc_gen_crd.playground.playground_verdicts import Playground

_CHECK_INTERVAL = 0.5  # seconds between two looks at the files

Fingerprint = frozenset[tuple[str, int, int]]


class LoadedSite(Record):
    """The pages by name, the playground, and the findings of the files as plain data."""

    pages: Mapping[str, str]
    playground: Playground | None
    findings: Sequence[Mapping[str, Any]]


class LiveSite:
    """The site of some paths. `load` reads them; with errors, the last pages remain, and their findings are shown.

    Requests are answered one after another: evaluations share compiled schemas, which are not safe for threads.
    """

    def __init__(self, site: LoadedSite, load: Callable[[], LoadedSite], paths: Sequence[str]) -> None:
        self._site, self._load, self._paths = site, load, paths
        self._lock = threading.Lock()
        self._fingerprint = _compute_fingerprint(paths)
        self._generation, self._checked = 1, time.monotonic()

    @property
    def routes(self) -> Routes:
        """The routes of the server."""
        answers = {
            "api/state": lambda _: {"generation": self._generation, "findings": self._site.findings},
            "api/manifest": lambda question: self._playground.validate(question.get("manifest", "")),
            "api/rule": lambda question: self._playground.evaluate(
                question.get("expression", ""), question.get("manifest", ""), question.get("location", "")
            ),
            "api/conversion": lambda question: self._playground.convert(question.get("manifest", "")),
        }
        return Routes(self._get_page, {name: self._lock_answer(answer) for name, answer in answers.items()})

    def warm_up(self) -> None:
        """Compile the rules of all kinds, so that the first verdict is as fast as later ones."""
        playground = self._site.playground
        if playground is None:
            return
        for manifest in playground.list_empty_objects():
            with self._lock:
                playground.validate(manifest)

    @property
    def _playground(self) -> Playground:
        if self._site.playground is None:
            raise RequestError(409, "the files have errors: correct them, and try again")
        return self._site.playground

    def _lock_answer(self, answer: Callable[[Mapping[str, Any]], Any]) -> Callable[[Mapping[str, Any]], Any]:
        def run(question: Mapping[str, Any]) -> Any:
            with self._lock:
                self._reload_if_changed()
                return answer(question)

        return run

    def _get_page(self, name: str) -> str | None:
        with self._lock:
            self._reload_if_changed()
            return self._site.pages.get(name)

    def _reload_if_changed(self) -> None:
        if time.monotonic() - self._checked < _CHECK_INTERVAL:
            return
        fingerprint = _compute_fingerprint(self._paths)
        if fingerprint != self._fingerprint:
            loaded = self._load()
            if not loaded.pages:
                loaded = self._site.replace(findings=loaded.findings)
            self._site, self._fingerprint = loaded, fingerprint
            self._generation += 1
        self._checked = time.monotonic()


def _compute_fingerprint(paths: Sequence[str]) -> Fingerprint:
    """Return the files in these paths with their times and sizes, without hidden ones; missing files are left out."""
    return frozenset(entry for path in paths for entry in _list_files(path))


def _list_files(path: str) -> Iterator[tuple[str, int, int]]:
    files = [path] if not os.path.isdir(path) else _walk(path)  # noqa: PTH112 - as os.walk
    for file in files:
        try:
            status = os.stat(file)  # noqa: PTH116
        except OSError:
            continue  # it has disappeared
        yield file, status.st_mtime_ns, status.st_size


def _walk(folder: str) -> Iterator[str]:
    for current, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(current, name) for name in files if not name.startswith("."))  # noqa: PTH118
