"""The documents of testdata/validate with the CRDs that validate them, for the tests and for their judge."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.validation_run import Session
from tests.conftest import ROOT

CASES = ROOT / "testdata" / "validate"
ANSWERS = CASES / "answers.jsonl"


class Judged(NamedTuple):
    """A document whose kind has a CRD in its case, and its place as `case/file:line`."""

    place: str
    case: DocumentCase
    session: Session

    @property
    def crd(self) -> dict[str, Any]:
        """Return the manifest of the CRD; of a document that is a CRD, the document."""
        definition = self.session.definitions.find(self.case)
        source = definition.source if definition else self.case
        assert isinstance(source, DocumentCase)
        return source.object


def judged(minor: int) -> Iterator[Judged]:
    """All of them, for one version of Kubernetes."""
    for folder in sorted(path for path in CASES.iterdir() if path.is_dir() and list(path.glob("*.crd.yaml"))):
        yield from judged_in(folder.name, [os.path.relpath(folder)], minor)


def judged_in(name: str, paths: list[str], minor: int) -> Iterator[Judged]:
    """Load the documents of some files and folders."""
    session = Session(Settings(kubernetes=f"1.{minor}"), paths, Problems())
    load_documents(session)
    for file in (file for file in session.files if "expected" not in Path(file).parts):
        for case in session.get_cases(file)[0]:
            if not case.is_crd and session.definitions.find(case):
                yield Judged(f"{name}/{Path(file).name}:{case.at.line} {case.name}", case, session)
