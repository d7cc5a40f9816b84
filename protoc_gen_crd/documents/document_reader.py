"""Reader of the objects in YAML and JSON streams, including items of lists, with their expectation keys.

Source: k8s.io/cli-runtime pkg/resource (FlattenListVisitor).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_misspelled
from protoc_gen_crd.documents.expectation_keys import (
    Expectation,
    Json,
    list_versions,
    read_expectation,
)
from protoc_gen_crd.documents.malformed_objects import LIST_SUFFIX, TYPE_KEYS, find_type_error, suggest_type_key
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from protoc_gen_crd.kubernetes.api_version_names import get_api_group
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml import reader
from protoc_gen_crd.yaml.reader import Document

if TYPE_CHECKING:
    from protoc_gen_crd.yaml.go_yaml.similar_documents import SimilarDocuments

CRD_KIND = "CustomResourceDefinition"
CRD_GROUP = "apiextensions.k8s.io"
_SHARED_KEY = "openAPIV3Schema"  # often the same for all versions of a CRD

_TEXT_AFTER_DOCUMENT_END = (
    rb"\.\.\.(?<![^\n]\.\.\.)[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?!---|\.\.\.|%)([ \t]*[^\s#])"
)
_OBJECT_KEYS = {
    "apiVersion": re.compile(b"apiversion", re.IGNORECASE),
    "kind": re.compile(rb"""\bkind\b["']?\s*+:""", re.IGNORECASE),
}
_SEPARATOR_HINT = 'separate documents with a line "---"'
_SYNTAX_HINTS = (
    (rb"(?m)^(?:--|-{4,}|[ \t]+---|---[ \t]+[^\s#].*)[ \t]*\r?$", _SEPARATOR_HINT),
    (rb"\{\{-? ?[.\w$/]", "render templates first, for example with `helm template`"),
    (rb"(?m)^(?:<{7}|>{7}) ", "resolve the Git merge conflict"),
)  # pattern in a document that cannot be parsed -> hint
_TEST_FILE_NAME = re.compile(r".*-(valid|invalid)\.(?:yaml|yml|json)", re.DOTALL)


class DocumentCase(Record):
    """An object of a document, with its expectation and place.

    `object` is the object that an API server receives, `source_object` the object with its expectation keys, `prefix`
    its path in the document. `is_test` documents have expectations. `key_findings` are the findings on the expectation
    keys.
    """

    document: Document
    prefix: DocumentPath
    source_object: Json
    object: Json
    expectation: Expectation
    is_test: bool
    key_findings: tuple[Finding, ...] = ()

    def get_place(self, path: DocumentPath, *, key: bool = False) -> Location:
        """Return the place of a path of the object."""
        return self.document.get_place((*self.prefix, *path), key=key)

    def get_value_place(self, path: DocumentPath) -> Location:
        """Return the place of an existing value of the object: of its key for an object or a list."""
        value: Any = self.object
        for step in path:
            value = value[step]
        return self.get_place(path, key=isinstance(value, dict | list))

    @property
    def at(self) -> Location:
        """The start of the object."""
        return self.get_place(())

    @property
    def kind(self) -> str:
        """The kind of the object, empty if it has none."""
        return get_string(self.object, "kind")

    @property
    def group(self) -> str:
        """The API group of the object."""
        return get_api_group(get_string(self.object, "apiVersion"))

    @property
    def version(self) -> str:
        """The version of the group."""
        return get_string(self.object, "apiVersion").rpartition("/")[2]

    @property
    def name(self) -> str:
        """The kind, namespace (if any), and name of the object, separated by slashes; its version if it has several."""
        metadata = self.object.get("metadata")
        known: Json = metadata if isinstance(metadata, dict) else {}
        names = [get_string(known, "namespace"), get_string(known, "name") or get_string(known, "generateName")]
        version = f" ({self.version})" if self.expectation.versions else ""
        return "/".join([self.kind or "document", *filter(None, names)]) + version

    @property
    def is_crd(self) -> bool:
        """True if the object is a CRD."""
        return self.kind == CRD_KIND and self.group == CRD_GROUP

    @property
    def is_crd_definition(self) -> bool:
        """True if the object is a CRD that others are validated against, and not a test document itself."""
        return self.is_crd and not self.has_expectation

    @property
    def has_expectation(self) -> bool:
        """True if the object has expectation keys or an API server is expected to reject it."""
        return bool(self.expectation.keys) or self.expectation.is_rejected


def get_string(obj: Json, name: str) -> str:
    """Return the string in a field; empty if the field has another type or is missing."""
    value = obj.get(name)
    return value if isinstance(value, str) else ""


def read_cases(
    data: bytes, file: str, problems: Problems, minor: int = NEWEST, similar: SimilarDocuments | None = None
) -> list[DocumentCase]:
    """Read the cases of a file as Kubernetes 1.`minor` does. Documents with syntax errors are reported.

    `similar` is as in `yaml.reader.read`.
    """
    test_name = _TEST_FILE_NAME.fullmatch(file)
    _report_ignored_text(data, file, problems)
    return [
        case
        for document in reader.read(data, file, past_errors=True, repeated=_SHARED_KEY, minor=minor, similar=similar)
        for case in _build_cases(document, data, test_name[1] if test_name else "", problems)
    ]


def is_test_file(file: str) -> bool:
    """Return whether the name of a file makes all of its documents tests."""
    return _TEST_FILE_NAME.fullmatch(file) is not None


def find_object_keys(data: bytes) -> list[str]:
    """Return which of apiVersion and kind occur in a file, in any case, without parsing it."""
    plain = data.replace(b"\0", b"")  # UTF-16
    return [key for key, pattern in _OBJECT_KEYS.items() if b"\\u" in data or pattern.search(plain)]


def has_syntax_error(data: bytes) -> bool:
    """Return whether a document of a file cannot be parsed."""
    return any(document.error is not None for document in reader.read(data, past_errors=True))


def _report_ignored_text(data: bytes, file: str, problems: Problems) -> None:
    """Report text that kubectl ignores: it reads only one YAML document between two separators."""
    for match in re.finditer(_TEXT_AFTER_DOCUMENT_END, data) if b"..." in data else ():
        at = Location(file, data.count(b"\n", 0, match.start(1)) + 1, 1)
        problems.report("document-ignored", 'text after "..." is ignored', at)


def _build_cases(document: Document, data: bytes, file_expectation: str, problems: Problems) -> Iterator[DocumentCase]:
    if document.error is not None:
        hint = next((hint for pattern, hint in _SYNTAX_HINTS if re.search(pattern, data)), document.hint)
        problems.report("document-syntax", f"invalid YAML or JSON: {document.problem}", document.error_at, hint=hint)
        return
    _report_duplicates(document, problems)
    if document.value is None:
        return
    for prefix, value in _flatten_lists(document.value, document, problems):
        for index, obj in enumerate(_list_objects(value)):
            key_problems = Problems()
            keys = read_expectation(
                obj, _KeyLocator(document, prefix), key_problems, is_rejected=file_expectation == "invalid"
            )
            problems.findings += () if index else key_problems.findings
            yield DocumentCase(
                document,
                prefix,
                value,
                {key: member for key, member in obj.items() if not key.startswith("_")},
                keys,
                bool(file_expectation or keys.keys),
                tuple(key_problems.findings),
            )


def _list_objects(obj: Json) -> list[Json]:
    """Return an object in each of the versions that its expectation keys name."""
    group = get_api_group(get_string(obj, "apiVersion"))
    versions = list_versions(obj)
    return [{**obj, "apiVersion": f"{group}/{version}" if group else version} for version in versions] or [obj]


class _KeyLocator:
    """Locates the keys of an object."""

    def __init__(self, document: Document, prefix: DocumentPath) -> None:
        self._document, self._prefix = document, prefix

    def __call__(self, path: DocumentPath) -> Location:
        return self._document.get_place((*self._prefix, *path), key=True)


def _report_duplicates(document: Document, problems: Problems) -> None:
    """Report the last repetition of each key in a line."""
    by_line = {(duplicate.at.line, duplicate.message): duplicate for duplicate in document.find_duplicates()}
    for duplicate in by_line.values():
        hint = _SEPARATOR_HINT if duplicate.message.startswith('key "apiVersion"') else ""
        problems.report("document-duplicate", f"duplicate key: {duplicate.message}", duplicate.at, hint=hint)


def _flatten_lists(value: Any, document: Document, problems: Problems) -> Iterator[tuple[DocumentPath, Json]]:
    """Yield the object of a document, or the items of its list and of nested lists, as kubectl does."""
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else "a single value"
        problems.report("document-syntax", f"document is {kind}, expected an object", document.get_place(()))
        return
    stack: list[tuple[DocumentPath, Json]] = [((), value)]
    while stack:
        prefix, obj = stack.pop()
        if _is_list(obj):
            _check_list_kind(obj, document.get_place((*prefix, "kind")), problems)
            if not obj["items"]:
                message = "list has no items"
                problems.report("document-empty", message, document.get_place(prefix), hint=_make_list_hint(obj))
            stack += reversed(list(_iterate_items(prefix, obj, document, problems)))
        else:
            yield prefix, obj


def _is_list(obj: Json) -> bool:
    """Return whether kubectl sends the items instead of the object."""
    items = obj.get("items", False)
    if not isinstance(items, list | None):
        return False
    whole = [item for item in items or () if isinstance(item, dict) and all(get_string(item, key) for key in TYPE_KEYS)]
    return get_string(obj, "kind").endswith(LIST_SUFFIX) or 0 < len(whole) == len(items or ())


def _check_list_kind(list_object: Json, at: Location, problems: Problems) -> None:
    """Report a list without a kind and a misspelled `List`, which kubectl does not find."""
    kind = get_string(list_object, "kind")
    if error := find_type_error(list_object, "kind"):
        problems.report("document-kind", error.message, at, hint=error.hint)
    elif not kind:
        hint = suggest_type_key(list_object) or f'add "kind: {LIST_SUFFIX}"'
        problems.report("document-kind", "list has no kind", at, hint=hint)
    elif kind != LIST_SUFFIX and find_misspelled(kind.lower(), [LIST_SUFFIX.lower()], 1):
        problems.report("document-kind", f'unknown kind "{kind}"', at, hint=did_you_mean(LIST_SUFFIX))


def _iterate_items(
    prefix: DocumentPath, list_object: Json, document: Document, problems: Problems
) -> Iterator[tuple[DocumentPath, Json]]:
    """Yield the objects of a list. Only items of the outermost list may omit their kind."""
    for key in list_object:
        if key.startswith("_"):
            message = f'key "{key}" of a test document is ignored on a list'
            problems.report("case-key", message, document.get_place((*prefix, key), key=True))
    for index, item in enumerate(list_object["items"] or ()):
        path = (*prefix, "items", index)
        if isinstance(item, dict):
            yield path, item if prefix else _inherit_list_type(item, list_object)
        else:
            message = "list item is not an object"
            problems.report("document-syntax", message, document.get_place(path), hint=_make_list_hint(list_object))


def _make_list_hint(list_object: Json) -> str:
    """Explain why kubectl treats an object as a list."""
    hint = 'kubectl treats an object with "items" whose kind ends in "List" as a list, even if a CRD defines the kind'
    return "" if get_string(list_object, "kind") == LIST_SUFFIX else hint


def _inherit_list_type(item: Json, list_object: Json) -> Json:
    """Set the kind of an item without one to the kind of the list's items."""
    if "kind" in item or "apiVersion" in item or list_object.get("kind") == LIST_SUFFIX:
        return item
    kind = get_string(list_object, "kind").removesuffix(LIST_SUFFIX)
    return {"apiVersion": list_object.get("apiVersion", ""), "kind": kind, **item}
