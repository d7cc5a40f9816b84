"""The elements of CRDs that rules check, and their declarations: an element is a use of a message or type at a path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.lint.lint_rule import CRD, NODE, VERSION
from protoc_gen_crd.schema.schema import EMBEDDED, FIELD, FieldOrigin, Schema

_Key = tuple[object, str]  # of a declaration: what contains it, and the path in there
_SERVER_MEMBERS = ("apiVersion", "kind", "metadata")
# Properties by which types of Kubernetes are recognized in CRDs: nobody can change them.
_KUBERNETES_TYPES = tuple(
    frozenset(names.split())
    for names in (
        "containers volumes restartPolicy",
        "image command args env",
        "nodeAffinity podAffinity podAntiAffinity",
        "matchLabels matchExpressions",
        "runAsUser runAsNonRoot seLinuxOptions",
        "exec httpGet tcpSocket",
        "configMap emptyDir hostPath",
        "accessModes resources storageClassName",
        "configMapKeyRef fieldRef secretKeyRef",
        "limits requests claims",
        "effect key operator tolerationSeconds",
        "topologyKey whenUnsatisfiable maxSkew",
    )
)


class CrdElement(Record):
    """A CRD or a version of it."""

    kind: str
    crd: Crd
    version: CrdVersion | None = None

    @property
    def kind_name(self) -> str:
        """The kind with its group."""
        return f"{self.crd.group}/{self.crd.names.kind}"

    @property
    def name(self) -> str:
        """The name that settings use for the element."""
        return f"{self.kind_name}.{self.version.name}" if self.version else self.kind_name

    @property
    def declared_name(self) -> str:
        """The name in the source."""
        return self.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names that identify the element in an older API."""
        return (self.name,)

    @property
    def at(self) -> Place | None:
        """The place of the element."""
        return self.version.origin if self.version else self.crd.origin


class SchemaElement(Record):
    """A node of a schema. `key` is the name of its property, of the list for its items; `path` is its path.

    `parent` is the node that contains it, None for the root, and `owner` the version. `proto_name` is the full name of
    the nearest field around the node, and the path from there; it is empty in a CRD that was not generated from protos.
    """

    schema: Schema
    key: str
    path: str
    owner: CrdElement
    parent: SchemaElement | None = None
    proto_name: str = ""

    kind = NODE

    @property
    def kind_name(self) -> str:
        """The kind with its group."""
        return self.owner.kind_name

    @property
    def field(self) -> FieldOrigin | None:
        """The field of a message that the node was generated from."""
        return (self.schema.facts or {}).get(FIELD)

    @property
    def is_property(self) -> bool:
        """Report whether the node is a property, and not the items of a list or the values of a map."""
        return not self.path.endswith(("[]", "{}")) and self.parent is not None

    @property
    def is_required(self) -> bool:
        """Report whether the node is a required property."""
        return self.parent is not None and self.is_property and self.key in (self.parent.schema.get("required") or ())

    @property
    def name(self) -> str:
        """The name that settings use for the element: of its field, or else the path in its kind."""
        return self.field.full_name if self.field else self.path_name

    @property
    def path_name(self) -> str:
        """The path in its kind: the name in a CRD that was not generated from protos."""
        return f"{self.kind_name}.{self.path}" if self.path else self.kind_name

    @property
    def declared_name(self) -> str:
        """The name in the source: in protos, or else in a CRD."""
        return self.proto_name or self.path_name

    @property
    def names(self) -> tuple[str, ...]:
        """The names that identify the element in an older API, which can have protos or not."""
        return self.path_name, self.declared_name

    @property
    def at(self) -> Place | None:
        """The place of the element."""
        return self.schema.origin or self.owner.at

    @property
    def description(self) -> str:
        """The description."""
        return self.schema.get("description") or ""

    def iterate_ancestors(self) -> Iterator[SchemaElement]:
        """Yield the nodes that contain this one, from the nearest."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


class SchemaWalker:
    """Groups the elements of CRDs by declaration.

    `is_foreign` returns whether a field is declared in a file that is not linted. Without protos, equal schemas of
    properties with the same name are one declaration.
    """

    def __init__(self, is_foreign: Callable[[str], bool]) -> None:
        self._is_foreign = cache(is_foreign)
        self._fingerprints: dict[int, int] = {}

    def walk(self, crds: Sequence[Crd]) -> Iterator[Sequence[CrdElement | SchemaElement]]:
        """Yield the declarations of CRDs, each with all elements that use it, in all versions."""
        declarations: dict[object, list[SchemaElement]] = {}
        for crd in crds:
            yield [CrdElement(CRD, crd)]
            for version in crd.versions:
                owner = CrdElement(VERSION, crd, version)
                yield [owner]
                if version.schema is not None:
                    for key, node in self._walk_schema(SchemaElement(version.schema, "", "", owner)):
                        declarations.setdefault(key, []).append(node)
        yield from declarations.values()

    def _walk_schema(self, root: SchemaElement) -> Iterator[tuple[object, SchemaElement]]:
        """Yield the nodes of a schema, each with the key of its declaration."""
        stack: list[tuple[SchemaElement, _Key]] = [(root, (root.kind_name, ""))]
        while stack:
            node, key = stack.pop()
            if node.field and self._is_foreign(node.field.full_name):
                continue
            yield key, node
            if not is_kubernetes_type(node.schema):
                children = list(_iterate_children(node))
                stack += [(child, self._find_key(child, node, key)) for child in reversed(children)]

    def _find_key(self, node: SchemaElement, parent: SchemaElement, parent_key: _Key) -> _Key:
        """Return the key of a declaration: its name in protos, or else the equal schemas around it and a path there."""
        if node.proto_name:
            return node.proto_name, ""
        if node.schema.properties:
            return (node.key, self._compute_fingerprint(node.schema)), ""
        anchor, path = parent_key
        return anchor, path + node.path.removeprefix(parent.path)

    def _compute_fingerprint(self, root: Schema) -> int:
        """Return a number that is the same for equal schemas of a run, without recursion."""
        stack = [root]
        while stack:
            schema = stack[-1]
            children = [child for _, child in schema.iterate_children()]
            missing = [child for child in children if id(child) not in self._fingerprints]
            if missing:
                stack += missing
                continue
            stack.pop()
            own = [(name, str(value)) for name, value in schema.keywords.items() if name in _COMPARED]
            names = tuple(schema.properties)
            self._fingerprints[id(schema)] = hash((*own, names, *(self._fingerprints[id(child)] for child in children)))
        return self._fingerprints[id(root)]


_COMPARED = ("type", "description", "format", "enum", "pattern", "default", "required", "maxLength", "maxItems")


def _iterate_children(node: SchemaElement) -> Iterator[SchemaElement]:
    schema, path = node.schema, node.path
    for name, child in schema.properties.items():
        if path or name not in _SERVER_MEMBERS:
            yield _make_child(node, child, name, f".{name}" if path else name)
    if schema.items is not None:
        yield _make_child(node, schema.items, node.key, "[]")
    if isinstance(schema.additional, Schema):
        yield _make_child(node, schema.additional, node.key, "{}")


def _make_child(parent: SchemaElement, schema: Schema, key: str, step: str) -> SchemaElement:
    field: FieldOrigin | None = (schema.facts or {}).get(FIELD)
    proto_name = field.full_name if field else parent.proto_name and parent.proto_name + step
    return SchemaElement(schema, key, parent.path + step, parent.owner, parent, proto_name)


def is_kubernetes_type(schema: Schema) -> bool:
    """Return whether a schema is that of an object or a type of Kubernetes."""
    if schema.get(EMBEDDED):
        return True
    names = schema.properties.keys()
    return any(known <= names for known in _KUBERNETES_TYPES)
