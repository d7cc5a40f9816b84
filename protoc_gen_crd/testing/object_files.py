"""Detection of YAML and JSON files of other programs, such as the values of a Helm chart or a package.json."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.documents.document_cases import DocumentCase, has_object_keys, has_syntax_error, is_test_file
from protoc_gen_crd.documents.document_files import STDIN_NAME, read_content
from protoc_gen_crd.documents.expectation_keys import KEYS
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from protoc_gen_crd.testing.unknown_kinds import SKIP_RULE, UnknownKinds

_JSON = ".json"


def lacks_json_objects(file: str) -> bool:
    """Return whether neither `apiVersion` nor `kind` occurs in a JSON file, without parsing it: it may be large."""
    return file.endswith(_JSON) and _lacks_object_keys(file)


def lacks_objects(
    file: str, cases: Sequence[DocumentCase], findings: Sequence[Finding], unknown_kinds: UnknownKinds
) -> bool:
    """Return whether a file contains something else than objects. `findings` are those of reading it."""
    rules = {finding.rule for finding in findings}
    if is_test_file(file) or not rules.isdisjoint(("document-file", "document-empty")):
        return False
    if any(unknown_kinds.is_object(case) or _is_test(case, file) for case in cases):
        return False
    if "document-syntax" in rules:
        return file != STDIN_NAME and _lacks_object_keys(file) and not has_syntax_error(read_content(file, Problems()))
    return True


def make_skip_note(file: str) -> Finding:
    """Return the only finding of a file without objects."""
    return Finding(SKIP_RULE, "file without a Kubernetes object is skipped", Location(file))


def make_stdin_error(file: str) -> Finding:
    """Return the finding of standard input without objects: the command before the pipe may have failed."""
    return Finding("document-file", "standard input contains no Kubernetes object", Location(file))


def _lacks_object_keys(file: str) -> bool:
    problems = Problems()
    data = read_content(file, problems)
    return not problems.findings and not is_test_file(file) and not has_object_keys(data)


def _is_test(case: DocumentCase, file: str) -> bool:
    """Return whether a document without a kind is a test. In JSON, its keys may be those of other programs."""
    return not file.endswith(_JSON) and any(key in KEYS for key in case.expectation.keys)
