"""Bad and huge documents and CRDs: a verdict within 10 s and 512 MiB, of all versions at once, never a traceback.

Each entry of `tests.support.hostile_documents.DOCUMENTS` is given to a process; what comes of it is a golden. That no
document hides the verdict on others is seen by those that have another one behind them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.hostile_documents import DOCUMENTS

GOLDENS = ROOT / "testdata" / "hostile"
SECONDS, MEBIBYTES = 10, 512
SHOWN = 2_500  # characters of a report
COMMAND = (sys.executable, "-m", "protoc_gen_crd", "validate", ".", "--kubernetes")
EVERY = "1.25..1.37"
FEWER = {"rule-of-100000-characters": "1.35..1.37"}  # a second for each version, since each compiles it


def outcome(crd: str, document: bytes, kubernetes: str, work: Path) -> tuple[str, float, float]:
    """The report of a run as text, its seconds of processor time and its peak memory in MiB."""
    documents = work / "documents"
    documents.mkdir()
    (documents / "crd.yaml").write_text(crd, encoding="utf-8")
    (documents / "things.yaml").write_bytes(document)
    report = work / "report"
    with report.open("wb") as sink:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = (*COMMAND, kubernetes)
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd=documents, env=environment)
        watch = threading.Timer(6 * SECONDS, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    text = f"{report.read_text(encoding='utf-8', errors='replace')}[{process.returncode}]\n"
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_documents(name: str, update: bool, tmp_path: Path) -> None:
    text, seconds, memory = outcome(*DOCUMENTS[name](), FEWER.get(name, EVERY), tmp_path)
    assert "Traceback" not in text
    assert seconds < SECONDS
    assert memory < MEBIBYTES
    shown = text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}\n...\n{text[-SHOWN // 2 :]}"
    differences = compare(GOLDENS / name, {"report.txt": shown}, update=update)
    assert not differences, "\n".join(differences)


def test_every_golden_has_its_documents() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == set(DOCUMENTS)
