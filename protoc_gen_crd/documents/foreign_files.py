"""Detection of YAML and JSON files of other programs, such as the values of a Helm chart or a package.json."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.documents.document_files import STDIN_NAME, is_stream, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase, find_object_keys, has_syntax_error, is_test_file
from protoc_gen_crd.documents.expectation_keys import KEYS
from protoc_gen_crd.documents.unknown_kinds import SKIP_RULE, UnknownKinds
from protoc_gen_crd.findings.finding import Finding, Location, Problems

_JSON = ".json"
_MAX_SKIP_NOTES = 10


def lacks_json_objects(file: str) -> bool:
    """Return whether neither `apiVersion` nor `kind` occurs in a JSON file. It is not parsed, since it can be large."""
    return file.endswith(_JSON) and not is_test_file(file) and _find_object_keys(file) == []


def lacks_objects(
    file: str, cases: Sequence[DocumentCase], findings: Sequence[Finding], unknown_kinds: UnknownKinds
) -> bool:
    """Return whether a file contains no objects. `findings` are the findings of reading it."""
    rules = {finding.rule for finding in findings}
    if is_test_file(file) or not rules.isdisjoint(("document-file", "document-empty")):
        return False
    if any(unknown_kinds.is_object(case) or _is_test(case, file) for case in cases):
        return False
    if "document-syntax" in rules:
        return not is_stream(file) and not _is_broken_object(file)
    return bool(cases) or file.endswith(_JSON) or is_stream(file)  # an empty YAML file is valid


def make_skip_note(file: str) -> Finding:
    """Return the only finding of a file without objects."""
    return Finding(SKIP_RULE, "file without a Kubernetes object is skipped", Location(file))


def limit_skip_notes(findings: Iterable[Finding]) -> list[Finding]:
    """Replace all but the first notes on files without objects by a note with their number."""
    all_findings = list(findings)
    hidden = [finding for finding in all_findings if finding.rule == SKIP_RULE and not finding.path][_MAX_SKIP_NOTES:]
    if len(hidden) <= 1:
        return all_findings
    ids = set(map(id, hidden))
    message = f"this and {len(hidden) - 1} more files without a Kubernetes object are skipped"
    note = hidden[0].replace(message=message)
    return [*(finding for finding in all_findings if id(finding) not in ids), note]


def make_stream_error(file: str) -> Finding:
    """Return the finding of a stream without objects. The command that writes it may have failed."""
    stream = "standard input" if file == STDIN_NAME else "pipe"
    return Finding("document-file", f"{stream} contains no Kubernetes object", Location(file))


def _find_object_keys(file: str) -> list[str] | None:
    """Return the keys of an object that occur in a file, None if it cannot be read."""
    problems = Problems()
    data = read_content(file, problems)
    return None if problems.findings else find_object_keys(data)


def _is_broken_object(file: str) -> bool:
    """Return whether a file may be intended as objects: it has their keys, or is YAML that cannot be parsed."""
    keys = _find_object_keys(file)
    is_yaml = not file.endswith(_JSON)
    return keys is None or len(keys) > 1 or (is_yaml and has_syntax_error(read_content(file, Problems())))


def _is_test(case: DocumentCase, file: str) -> bool:
    """Return whether a document without a kind is a test. In JSON, the same keys may belong to other programs."""
    return not file.endswith(_JSON) and any(key in KEYS for key in case.expectation.keys)
