"""Documents of a text to cases: each object of a list by itself, less what it says of itself.

Source: k8s.io/cli-runtime pkg/resource (FlattenListVisitor).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.base import yamlread
from protoc_gen_crd.base.diagnostics import Finding, Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.base.yamlread import Document
from protoc_gen_crd.testing.keys import Expected, Json, Steps, expected, group_of

CRD_KIND = "CustomResourceDefinition"
CRD_GROUP = "apiextensions.k8s.io"
_REPEATED = "openAPIV3Schema"  # the versions of a CRD mostly have the same

_LONGEST = 500  # bytes of a line in which a key is looked for
_KEY = re.compile(r'key "(.*?)" ')
_DROPPED = re.compile(rb"^\.\.\.[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?!---|\.\.\.|%)([ \t]*[^\s#])", re.MULTILINE)
_TESTED = re.compile(r".*-(valid|invalid)\.(?:yaml|yml|json)", re.DOTALL)


class Case(Record):
    """One object: what a server would see of it, what must come of it, and where it stands.

    `given` is the object with its keys, `prefix` its path in the document. `tested` documents are there to be judged.
    `slips` are findings on its keys, which are among those of its text.
    """

    document: Document
    prefix: Steps
    given: Json
    object: Json
    expected: Expected
    tested: bool
    slips: tuple[Finding, ...] = ()

    def place(self, path: Steps, *, key: bool = False) -> Location:
        """Where a path of the object stands."""
        return self.document.place((*self.prefix, *path), key=key)

    @property
    def at(self) -> Location:
        """Where the object starts."""
        return self.place(())

    @property
    def kind(self) -> str:
        """The object's kind, empty where it says none."""
        return _member(self.object, "kind")

    @property
    def group(self) -> str:
        """The API group of the object."""
        return group_of(_member(self.object, "apiVersion"))

    @property
    def version(self) -> str:
        """The version of the group."""
        return _member(self.object, "apiVersion").rpartition("/")[2]

    @property
    def name(self) -> str:
        """What the object is called: its kind, its namespace if it has one, and its name."""
        metadata = self.object.get("metadata")
        known: Json = metadata if isinstance(metadata, dict) else {}
        names = [_member(known, "namespace"), _member(known, "name") or _member(known, "generateName")]
        return "/".join([self.kind or "document", *filter(None, names)])

    @property
    def is_crd(self) -> bool:
        """Whether the object is a CRD."""
        return self.kind == CRD_KIND and self.group == CRD_GROUP


def _member(obj: Json, name: str) -> str:
    value = obj.get(name)
    return value if isinstance(value, str) else ""


def read_cases(data: bytes, file: str, problems: Problems, minor: int = NEWEST) -> list[Case]:
    """The cases of a text, as Kubernetes 1.`minor` reads it. What cannot be read is reported and hides nothing else."""
    found = _TESTED.fullmatch(file)
    _report_dropped(data, file, problems)
    return [
        case
        for document in yamlread.read(data, file, past_errors=True, repeated=_REPEATED, minor=minor)
        for case in _cases(document, data, found[1] if found else "", problems)
    ]


def _report_dropped(data: bytes, file: str, problems: Problems) -> None:
    """Tell of what kubectl never looks at: it takes one YAML document of what stands between separators."""
    for ended in _DROPPED.finditer(data):
        at = Location(file, data.count(b"\n", 0, ended.start(1)) + 1, 1)
        problems.report("document-dropped", 'what follows "..." must start with "---", found text', at)


def _cases(document: Document, data: bytes, says: str, problems: Problems) -> Iterator[Case]:
    if document.error is not None:
        problems.report(
            "document-unread", f"a document must be YAML or JSON, found {document.error}", document.error_at
        )
        return
    _report_duplicates(document, data, problems)
    if document.value is None:
        return
    for prefix, value in _objects(document.value, document, problems):
        said = Problems()
        keys = expected(value, _Places(document, prefix), said, refused=says == "invalid")
        problems.findings += said.findings
        bare = {key: each for key, each in value.items() if not key.startswith("_")}
        yield Case(document, prefix, value, bare, keys, bool(says or keys.keys), tuple(said.findings))


class _Places:
    """Where the keys of an object stand."""

    def __init__(self, document: Document, prefix: Steps) -> None:
        self._document, self._prefix = document, prefix

    def __call__(self, path: Steps) -> Location:
        return self._document.place((*self._prefix, *path), key=True)


def _report_duplicates(document: Document, data: bytes, problems: Problems) -> None:
    lines = data.splitlines() if document.duplicates else []
    for at, what in document.repeated():
        column = _column(lines[at.line - 1] if at.line <= len(lines) else b"", what)
        problems.report("document-duplicate", f"a key must stand once, found {what}", at.replace(column=column))


def _column(line: bytes, what: str) -> int:
    """Where the last key of a name stands in a line, 1 where that cannot be seen."""
    text, name = line.decode(errors="replace") if len(line) < _LONGEST else "", _KEY.match(what)
    keys = re.finditer(rf"""(?<![\w-])["']?{re.escape(name[1])}["']?\s*:""", text) if name else ()
    return max([match.start() + 1 for match in keys], default=1)


def _objects(value: Any, document: Document, problems: Problems) -> Iterator[tuple[Steps, Json]]:
    """The object of a document, or those of its list and of lists in it, as kubectl takes lists apart."""
    if not isinstance(value, dict):
        found = "a list" if isinstance(value, list) else "a single value"
        problems.report("document-unread", f"a document must be an object, found {found}", document.place(()))
        return
    waiting: list[tuple[Steps, Json]] = [((), value)]
    while waiting:
        prefix, obj = waiting.pop()
        if _is_list(obj):
            if not obj["items"]:
                message = "a list must hold objects, found none"
                problems.report("document-empty", message, document.place(prefix), hint=_hint(obj))
            waiting += reversed(list(_items(prefix, obj, document, problems)))
        else:
            yield prefix, obj


def _is_list(obj: Json) -> bool:
    """Whether kubectl would send the items instead: to it, whatever has items is a list, of which they need a kind."""
    items = obj.get("items")
    if not isinstance(items, list):
        return False
    whole = [item for item in items if isinstance(item, dict) and _member(item, "apiVersion") and _member(item, "kind")]
    return _member(obj, "kind").endswith("List") or 0 < len(whole) == len(items)


def _items(prefix: Steps, around: Json, document: Document, problems: Problems) -> Iterator[tuple[Steps, Json]]:
    """The objects of a list. Only in an outermost list may they leave out their kind."""
    for key in around:
        if key.startswith("_"):
            message = f"the keys of a test document must stand in the items of a list, found {key} beside them"
            problems.report("case-key", message, document.place((*prefix, key), key=True))
    for index, item in enumerate(around["items"]):
        path = (*prefix, "items", index)
        if isinstance(item, dict):
            yield path, item if prefix else _named(item, around)
        else:
            message = "an item of a list must be an object, found another value"
            problems.report("document-unread", message, document.place(path), hint=_hint(around))


def _hint(around: Json) -> str:
    """What is to be known of an object that only its kind makes a list."""
    told = "kubectl takes what has items for a list where its kind ends in List, whatever a CRD says of that kind"
    return "" if _member(around, "kind") == "List" else told


def _named(item: Json, around: Json) -> Json:
    """An item that says nothing of its kind has that of the list."""
    if "kind" in item or "apiVersion" in item or around.get("kind") == "List":
        return item
    kind = _member(around, "kind").removesuffix("List")
    return {"apiVersion": around.get("apiVersion", ""), "kind": kind, **item}
