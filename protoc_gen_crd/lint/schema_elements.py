"""The elements of CRDs that rules check. A declaration is one element, however often its message or type is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.lint.lint_rule import CRD, NODE, VERSION
from protoc_gen_crd.schema.schema import EMBEDDED, FIELD, FieldOrigin, Schema

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
    def other_name(self) -> str:
        """The same name, since it does not depend on the origin of the CRD."""
        return self.name

    @property
    def at(self) -> Place | None:
        """The place of the element."""
        return self.version.origin if self.version else self.crd.origin


class SchemaElement(Record):
    """A node of a schema. `key` is the name of its property, of the list for its items; `path` is its path.

    `parent` is the node that contains it, None for the root, and `owner` the version.
    """

    schema: Schema
    key: str
    path: str
    owner: CrdElement
    parent: SchemaElement | None = None

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
        return self.field.full_name if self.field else self.other_name

    @property
    def other_name(self) -> str:
        """The name of the element in a CRD that was not generated from protos."""
        return f"{self.kind_name}.{self.path}" if self.path else self.kind_name

    @property
    def declared_name(self) -> str:
        """The name that does not depend on the use of a message: of the nearest field around the node, and its path."""
        for node in (self, *self.iterate_ancestors()):
            if node.field:
                return f"{node.field.full_name}{self.path.removeprefix(node.path)}"
        return self.other_name

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
    """Yields the elements of CRDs. `is_foreign` returns whether a field is declared in a file that is not linted.

    With `merges_equal`, equal schemas of properties with the same name are one declaration.
    """

    def __init__(self, is_foreign: Callable[[str], bool], *, merges_equal: bool) -> None:
        self._is_foreign = is_foreign
        self._merges_equal = merges_equal
        self._seen: set[object] = set()
        self._fingerprints: dict[int, int] = {}

    def walk(self, crds: Sequence[Crd]) -> Iterator[CrdElement | SchemaElement]:
        """Yield the elements of CRDs, each declaration once."""
        for crd in crds:
            yield CrdElement(CRD, crd)
            for version in crd.versions:
                owner = CrdElement(VERSION, crd, version)
                yield owner
                if version.schema is not None:
                    yield from self._walk_schema(SchemaElement(version.schema, "", "", owner))

    def _walk_schema(self, root: SchemaElement) -> Iterator[SchemaElement]:
        stack = [root]
        while stack:
            node = stack.pop()
            if self._is_known(node):
                continue
            yield node
            if not is_kubernetes_type(node.schema):
                stack += reversed(list(_iterate_children(node)))

    def _is_known(self, node: SchemaElement) -> bool:
        """Return whether the declaration of a node was walked before, or is not to be linted."""
        if node.field:
            if self._is_foreign(node.field.full_name):
                return True
            key: object = node.field.full_name
        elif self._merges_equal and node.schema.properties and node.key:
            key = node.key, self._compute_fingerprint(node.schema)
            if key not in self._seen:
                self._seen.add(key)
                key = node.other_name
        else:
            key = node.other_name
        known = key in self._seen
        self._seen.add(key)
        return known

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
            yield SchemaElement(child, name, f"{path}.{name}" if path else name, node.owner, node)
    if schema.items is not None:
        yield SchemaElement(schema.items, node.key, f"{path}[]", node.owner, node)
    if isinstance(schema.additional, Schema):
        yield SchemaElement(schema.additional, node.key, f"{path}{{}}", node.owner, node)


def is_kubernetes_type(schema: Schema) -> bool:
    """Return whether a schema is that of an object or a type of Kubernetes."""
    if schema.get(EMBEDDED):
        return True
    names = schema.properties.keys()
    return any(known <= names for known in _KUBERNETES_TYPES)
