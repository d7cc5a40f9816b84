from __future__ import annotations

import pytest

from protoc_gen_crd.documents.foreign_files import limit_skip_notes, make_skip_note
from protoc_gen_crd.findings.finding import Finding, Location

KIND = Finding("document-no-crd", "m", Location("z.yaml", 1, 1), "Kind.group")
DOCUMENT = Finding("document-skipped", "document without kind is skipped", Location("z.yaml", 1, 1), "document")


@pytest.mark.parametrize(("files", "listed"), [(0, 0), (11, 11), (12, 10), (300, 10)])
def test_a_large_repository_has_few_notes_on_files(files: int, listed: int) -> None:
    notes = [make_skip_note(f"{number}.yaml") for number in range(files)]
    limited = limit_skip_notes([*notes, KIND, DOCUMENT])
    assert limited[: listed + 2] == [*notes[:listed], KIND, DOCUMENT]
    rest = (
        [f"this and {files - listed - 1} more files without a Kubernetes object are skipped"] if files > listed else []
    )
    assert [finding.message for finding in limited[listed + 2 :]] == rest
