"""`make bench`: whole runs in turn with a plugin that does nothing on the networking request, whose time is the unit S.

Times depend on the machine, their quotient hardly does. A new row is a line of ROWS. The last table is kept next to
this file; `python -m tests.bench peers` measures only the comparisons with other programs.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tests.bench.changes import CRDS, PROTOS, edited_crds, edited_protos
from tests.bench.changes import SETTINGS as CHANGES
from tests.bench.conversions import conversions
from tests.bench.documents import MANY, NESTED, istio, many, nested, objects_per_second
from tests.bench.group_protos import SETTINGS as GROUPS
from tests.bench.group_protos import write_groups
from tests.bench.groups import groups
from tests.bench.many_crds import many_crds
from tests.bench.measure import PAIRS, measure
from tests.bench.microversions import microversions
from tests.bench.migrations import migrations
from tests.bench.pages import FOLDER as PAGES
from tests.bench.pages import HTML, SETTINGS, pages
from tests.bench.peers import compare_peers, compare_ranges
from tests.bench.playground import playground
from tests.bench.releases import FOLDER, releases
from tests.bench.requests import evolving, many_versions, networking, scaled, with_settings
from tests.bench.webhook import webhook

SHARED = Path(os.environ.get("PROTOC_GEN_CRD_SHARED", Path(__file__).parents[3] / "shared"))
PLUGIN = (str(Path(sys.executable).with_name("protoc-gen-crd")),)
TABLES = {"": Path(__file__).with_name("table.txt"), "peers": Path(__file__).with_name("peers.txt")}
VALIDATE = (*PLUGIN, "validate")
_CORPUS = SHARED / "corpora" / "istio-networking"
ISTIO = (*VALIDATE, str(_CORPUS / "testdata"), str(_CORPUS / "expected.yaml"), "--kubernetes")


class Row(NamedTuple):
    """A command on an input, and its limits: times S at most, the goal, MiB at most."""

    name: str
    request: Callable[[Path], bytes | None]
    most: float
    goal: float
    memory: int
    command: tuple[str, ...] = PLUGIN


ROWS = (
    Row("networking compat=istio", partial(networking, "compat=istio"), 2.35, 2.1, 60),
    Row("networking, settings file", with_settings, 2.9, 2.5, 100),
    Row("scale 10", partial(scaled, 10), 27, 12, 220),
    Row("scale 10 compat=istio", partial(scaled, 10, parameter="compat=istio"), 15, 13, 220),
    Row("scale 50", partial(scaled, 50), 160, 60, 420),
    Row("scale 50 compat=istio", partial(scaled, 50, parameter="compat=istio"), 69, 62, 420),
    Row("validate Istio's, 1.34", istio, 4, 3.6, 150, (*ISTIO, "1.34")),
    Row("validate Istio's, 1.25..", istio, 6.2, 5, 150, (*ISTIO, "1.25..1.37")),
    Row("validate 10,000, 2 jobs", partial(many, 10_000), 400, 200, 400, (*VALIDATE, str(MANY), "--jobs", "2")),
    Row("200 versions of a kind", partial(many_versions, 200), 12, 8, 100),
    Row("errors in nested allOf", partial(nested, "nested allOf", 1600), 40, 20, 100, (*VALIDATE, str(NESTED))),
    Row("errors in nested types", partial(nested, "nested bad types", 1600), 40, 20, 100, (*VALIDATE, str(NESTED))),
    Row(
        "history, 50 releases",
        partial(releases, 50),
        22,
        12,
        150,
        (*PLUGIN, "history", "show", "--history", str(FOLDER)),
    ),
    Row("lint of networking", istio, 5, 4, 100, (*PLUGIN, "lint", str(_CORPUS / "image.binpb"))),
    Row(
        "docs of networking",
        pages,
        22,
        18,
        150,
        (*PLUGIN, "docs", str(_CORPUS / "image.binpb"), "--settings", str(SETTINGS), "--out", str(PAGES)),
    ),
    Row(
        "explorer of 9 CRDs",
        pages,
        25,
        13,
        150,
        (*PLUGIN, "docs", str(_CORPUS / "expected.yaml"), "--html", "--settings", str(SETTINGS), "--out", str(HTML)),
    ),
    Row("24 versions of 6 groups", write_groups, 10, 5, 150, (*PLUGIN, "generate", "--settings", str(GROUPS))),
    Row("changes of networking", edited_protos, 10, 7, 100, (*PLUGIN, *PROTOS, "--settings", str(CHANGES))),
    Row("changes of its CRDs", edited_crds, 6, 4, 100, (*PLUGIN, *CRDS)),
)


def measure_all(unit: bytes) -> Iterator[str]:
    """A line for each row: medians of the ratio to the unit and of the peak memory, beside what is asked."""
    yield f"medians of {PAIRS} pairs; load of {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the start"
    yield f"{'':26}{'S':>9}{'run':>9}{'at most':>9}{'goal':>7}{'memory':>12}{'at most':>9}"
    for row in ROWS:
        yield from _report_failure(row.name, _measure_row(row, unit))
    for name, measure_part in _PARTS.items():
        yield from _report_failure(name, measure_part(unit))
    yield from _report_failure("peers", measure_peers())


def _report_failure(name: str, lines: Iterator[str]) -> Iterator[str]:
    """Yield lines, and the kind of an error, which is printed, so that the other rows are measured."""
    try:
        yield from lines
    except Exception as error:  # noqa: BLE001 - of any program
        traceback.print_exc()
        yield f"{name:26} failed: {type(error).__name__}"


def _measure_row(row: Row, unit: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as work:
        request = row.request(SHARED)
        if request is None:
            yield f"{row.name:26} its input is not in {SHARED}"
            return
        found = measure(row.command, request, unit, PAIRS, Path(work))
    run = f"{found.stub:8.3f}s{found.ratio:7.2f} S{row.most:7g} S{row.goal:5g} S"
    yield f"{row.name:26}{run}{found.memory:8.0f} MiB{row.memory:5d} MiB"


def _measure_versions(unit: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as work:
        one, ten = (measure(PLUGIN, evolving(count), unit, PAIRS, Path(work)).ratio for count in (1, 10))
    yield f"{'ten versions of a kind':26}{ten / one:8.2f} times one version; at most 2.5"


def _measure_conversions(_: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as work:
        for what, found_rate, least, goal in conversions(Path(work)):
            yield f"{what:26}{found_rate:8,.4g}; {least:,g} must be met, goal {goal:,g}"


def _measure_webhook(_: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as work:
        for timed in webhook(Path(work)):
            yield f"{timed.name:34}{timed.value:9,.4g} {timed.unit:4} at most {timed.most:g}, goal {timed.goal:g}"


def _measure_groups(_: bytes) -> Iterator[str]:
    for measure_servers in (groups, microversions):  # each with its own protos
        with tempfile.TemporaryDirectory() as work:
            for result in measure_servers(Path(work)):
                yield f"{result.name:34}{result.value:9,.4g}; {result.limit}"


def _measure_servers(_: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as work:
        yield from chain(playground(PLUGIN[0], Path(work)), migrations(Path(work)))


def _measure_library(_: bytes) -> Iterator[str]:
    if rate := objects_per_second(SHARED):
        yield f"{'library, Istio valid':26}{rate:8,.0f} objects a second; at least 1,500, goal 5,000"


_PARTS: dict[str, Callable[[bytes], Iterator[str]]] = {
    "versions": _measure_versions,
    "conversions": _measure_conversions,
    "many CRDs": lambda unit: many_crds(SHARED, unit),
    "webhook": _measure_webhook,
    "groups": _measure_groups,
    "playground, migrations": _measure_servers,
    "library": _measure_library,
}


def measure_peers() -> Iterator[str]:
    """A line for each ratio to another program, or to the same work for one version, in one run."""
    yield from compare_ranges(SHARED)
    with tempfile.TemporaryDirectory() as work:
        yield from compare_peers(SHARED, PLUGIN[0], Path(work))


def main(part: str = "") -> int:
    """Print all lines, and keep them in the repository; with `peers`, only those that compare with other programs."""
    unit = networking("", SHARED)
    if unit is None:
        print(f"The unit is taken on Istio's networking API, which is not in {SHARED}: set PROTOC_GEN_CRD_SHARED.")
        return 1
    lines = []
    for line in measure_peers() if part == "peers" else measure_all(unit):
        print(line, flush=True)
        lines.append(line + "\n")
    TABLES[part].write_text("".join(lines), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
