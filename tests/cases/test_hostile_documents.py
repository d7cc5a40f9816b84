"""Bad and huge documents and CRDs: a verdict within 10 s and 512 MiB, of all versions at once, never a traceback.

Each entry of `tests.support.hostile_documents.DOCUMENTS` is input of a process; the result is a golden. Entries
with a second document show that no document hides the verdict on others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.hostile_documents import DOCUMENTS
from tests.support.measured import MEBIBYTES, SECONDS, measured

GOLDENS = ROOT / "testdata" / "hostile"
SHOWN = 2_500  # characters of a report
EVERY = "1.25..1.37"


def outcome(crd: str, document: bytes, kubernetes: str, work: Path) -> tuple[str, float, float]:
    """Return the report of a run, its seconds of processor time and its peak memory in MiB."""
    documents = work / "documents"
    documents.mkdir()
    (documents / "crd.yaml").write_text(crd, encoding="utf-8")
    (documents / "things.yaml").write_bytes(document)
    return measured(("validate", ".", "--kubernetes", kubernetes), documents)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_documents(name: str, update: bool, tmp_path: Path) -> None:
    text, seconds, memory = outcome(*DOCUMENTS[name](), EVERY, tmp_path)
    assert "Traceback" not in text
    assert seconds < SECONDS
    assert memory < MEBIBYTES
    result = text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}\n...\n{text[-SHOWN // 2 :]}"
    differences = compare(GOLDENS / name, {"report.txt": result}, update=update)
    assert not differences, "\n".join(differences)


def test_every_golden_has_its_documents() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == set(DOCUMENTS)
