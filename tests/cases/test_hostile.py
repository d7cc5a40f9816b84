"""Bad and huge requests: a clear error or correct output, within 10 s and 512 MiB, never a traceback.

Each entry of `tests.support.hostile.REQUESTS` is input of a plugin process; the result is a golden.
"""

from __future__ import annotations

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse

from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.hostile import REQUESTS
from tests.support.measured import MEBIBYTES, SECONDS, measure

GOLDENS = ROOT / "testdata" / "generate" / "hostile"
SHOWN = 4_000  # characters of a report


def outcome(request: bytes) -> tuple[str, float, float]:
    """Return the report of a run, its seconds of processor time and its peak memory in MiB."""
    run = measure((), ROOT, request, merged=False)
    response = CodeGeneratorResponse.FromString(run.stdout)
    files = "".join(f"file {file.name}: {len(file.content)} characters\n" for file in response.file)
    report = f"exit status {run.returncode}\n{files}{response.error}\n{run.stderr.decode()}"
    return report[:SHOWN], run.seconds, run.mebibytes


@pytest.mark.parametrize("name", sorted(REQUESTS))
def test_request(name: str, update: bool) -> None:
    text, seconds, memory = outcome(REQUESTS[name]())
    assert "Traceback" not in text
    assert seconds < SECONDS
    assert memory < MEBIBYTES
    differences = compare(GOLDENS / name, {"report.txt": text}, update=update)
    assert not differences, "\n".join(differences)


def test_every_golden_has_its_request() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == set(REQUESTS)
