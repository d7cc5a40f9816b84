"""Commands on 225 made-up CRDs of 2,000 nodes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd import pipeline
from protoc_gen_crd.emit.crd_files import make_crd_files
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings
from tests.bench.changes import FOLDER, NO_INPUT, edit_bound
from tests.bench.measure import STUB, run_once
from tests.bench.requests import scaled

_MESSAGES, _FIELDS = 25, 9  # so that the three versions of a CRD have 2,000 nodes
_SCALE = 15
_EDITS = 20
_OLD, _NEW = (FOLDER / "scaled" / side for side in ("old", "new"))
_OUT = FOLDER / "scaled" / "out"


class _Row(NamedTuple):
    """A command, the seconds that it may take at most, the goal, and the MiB at most, 0 for no limit."""

    name: str
    arguments: tuple[str, ...]
    most: float
    goal: float
    memory: int = 0


_ROWS = (
    _Row("changes", ("changes", str(_NEW), "--old", str(_OLD)), 20, 8, 300),
    _Row("import", ("import", str(_OLD), "--out", str(_OUT / "protos")), 60, 20),
    _Row("schemas", ("schemas", str(_OLD), "--out", str(_OUT / "schemas")), 10, 4),
    _Row("lint", ("lint", str(_OLD)), 15, 15),
)


def many_crds(shared: Path, stub_request: bytes) -> Iterator[str]:
    """A line for each command: seconds, the ratio to the stub that runs before it, and peak MiB."""
    if not _NEW.exists() and not _write_sides(shared):
        yield f"{'225 CRDs':26} their generator is not in {shared}"
        return
    stub_file = FOLDER / "stub.binpb"
    stub_file.write_bytes(stub_request)
    program = str(Path(sys.executable).with_name("protoc-gen-crd"))
    for row in _ROWS:
        shutil.rmtree(_OUT, ignore_errors=True)
        stub, _ = run_once(STUB, stub_file)
        seconds, memory = run_once((program, *row.arguments), NO_INPUT)
        limit = f"; at most {row.memory}" if row.memory else ""
        limits = f"at most {row.most:g}, goal {row.goal:g}"
        yield f"{f'{row.name}, 225 CRDs':26}{seconds:8.3f}s = {seconds / stub:.0f} S; {limits}{memory:8.0f} MiB{limit}"


def _write_sides(shared: Path) -> bool:
    """Write the CRDs and a copy with edits. Return False without the generator of such APIs."""
    request = scaled(_SCALE, shared, "--messages", str(_MESSAGES), "--fields", str(_FIELDS))
    for index, (name, text) in enumerate(_generate(request) if request else ()):
        for side in (_OLD, _NEW):
            side.mkdir(parents=True, exist_ok=True)
            (side / name).write_text(edit_bound(text) if side is _NEW and index < _EDITS else text)
    return request is not None


def _generate(request: bytes) -> list[tuple[str, str]]:
    """Return the names and the texts of files of CRDs."""
    parsed = Request.from_message(CodeGeneratorRequest.FromString(request), problems := Problems())
    settings = Settings(include_description=False)
    crds = pipeline.build_crds(parsed, settings, problems) if parsed else ()
    return [(file.name, file.text) for file in make_crd_files(crds, settings, problems)]
