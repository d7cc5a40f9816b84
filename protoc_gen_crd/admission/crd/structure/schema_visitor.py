"""One walk over a schema for everything that can be said of a node by itself and its children.

A node is looked at once for each kind of position it stands in, whatever number of versions, CRDs and Kubernetes
versions share it: what is found has paths relative to the node and carries the switches it depends on. The report of a
node refers to those of its children, so a path is only built for what a server says. The checks
themselves stand in `structural_rules`, `node_validation`, `admission.crd.lists.list_types` and
`admission.crd.rules.rule_validation`, each bound to the keyword that sets it off; a node whose keywords set off none
costs a dict lookup a keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.admission.field_errors import ABSENT, FieldError
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.versions import Switch
from protoc_gen_crd.schema.schema import EMBEDDED, Schema

# stages of what is found, in the order in which one can make the next pointless
STRUCTURAL, SCHEMA, WARNING, UNKNOWN = range(4)

# what a subtree holds, for whoever need not look where there is nothing
HAS_DEFAULT, HAS_EXTENSION, HAS_RULE, UNCONVERTIBLE, HAS_OPTIONAL = 1, 2, 4, 8, 128
# what a CRD may keep on an update if it was there before
LOOSE_SET, LOOSE_KEYS, ODD_TYPE = 16, 32, 64

META = frozenset(("metadata", "kind", "apiVersion"))


class NodeFinding(Record):
    """What was found below a node: where, as a path from the node, and by which versions it is said.

    These have the switch `when`, lack the switch `unless`, and answer yes where they are `predicate` by minor version.
    `ratcheted_by` is the bit of an old CRD that already had the same fault, which then may stay.
    """

    stage: int
    type: str
    path: str
    detail: str = ""
    value: object = ABSENT
    origin: Place | None = None
    when: Switch | None = None
    unless: Switch | None = None
    predicate: Callable[[int], bool] | None = None
    ratcheted_by: int = 0
    detail_path: str = ""  # a path from the node that ends the detail

    def is_reported(self, switches: Switches, ratcheted: int = 0) -> bool:
        """Whether a server of this class says it, given what the old CRD already had."""
        if self.when is not None and self.when not in switches:
            return False
        if self.predicate is not None and not switches.evaluate(self.predicate):
            return False
        return (self.unless is None or self.unless not in switches) and not self.ratcheted_by & ratcheted

    def to_field_error(self, prefix: str) -> FieldError:
        """The same as an error of the whole object."""
        detail = self.detail + prefix + self.detail_path if self.detail_path else self.detail
        return FieldError(self.type, prefix + self.path, detail, self.value, self.origin)


def find_place(node: Schema, path: str) -> Place | None:
    """Where a path's last keyword was set, or the node that should have it."""
    for keyword, key in re.findall(_STEP, path):
        value = node.keywords.get(keyword)
        child = value.get(key) if key and isinstance(value, dict) else value
        if key and isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
            child = value[int(key)]
        if not isinstance(child, Schema):
            return node.get_place(keyword)
        node = child
    return node.origin


class ChildFindings(Record):
    """What was found below a child, the step to it, and the one stage that counts there, if not all do."""

    step: str
    findings: tuple[NodeFinding | ChildFindings, ...]
    stage: int | None = None


class NodeReport(Record):
    """What is known of a node and all below it, in the order in which it was found."""

    flags: int
    findings: tuple[NodeFinding | ChildFindings, ...] = ()


class NodeVisit:
    """A node being looked at, for the checks to add to."""

    __slots__ = ("findings", "flags", "node", "position", "visitor")

    def __init__(self, visitor: SchemaVisitor, node: Schema, at: Position) -> None:
        self.visitor, self.node, self.position = visitor, node, at
        self.flags = 0
        self.findings: list[NodeFinding | ChildFindings] = []

    def add_finding(
        self, stage: int, kind: str, path: str, detail: str = "", value: object = ABSENT, **more: Any
    ) -> None:
        """Note something at a path below the node; its place is that of the last keyword on the path that is there."""
        more.setdefault("origin", find_place(self.node, path))
        self.findings.append(NodeFinding(stage, kind, path, detail, value, **more))

    def visit_child(self, step: str, child: Schema, position: Position) -> None:
        """Look at a child and take over what is found there."""
        report = position.memo.get(id(child)) or self.visitor.visit_node(child, position)
        self.flags |= report.flags
        if report.findings:
            self.findings.append(ChildFindings(step, report.findings))


Check = Callable[[NodeVisit, Any], None]


class Position:
    """Where a node can stand: decides which checks it gets. One object for each kind of position, with its memo.

    Shortcut node-reports: a report is a function of the node and its position, has paths relative to the node, and
    carries the switches that it depends on.
    """

    __slots__ = ("checks", "forbidden_default", "in_meta", "kind", "memo", "missing", "type_check")

    def __init__(self, kind: PositionKind, forbidden_default: str, in_meta: bool) -> None:  # noqa: FBT001 - a member
        self.kind, self.forbidden_default, self.in_meta = kind, forbidden_default, in_meta
        self.checks, self.type_check, self.missing = kind.checks, kind.type_check, kind.missing
        self.memo: dict[int, NodeReport] = {}


class PositionKind(Record):
    """A kind of position: its checks by keyword, the check of the type, what is said where the type is missing."""

    name: str
    checks: Mapping[str, Check]
    type_check: Callable[[NodeVisit, str], None]
    finish: Callable[[NodeVisit], None] | None = None
    missing: str = ""


_STEP = r"\.([^.\[\]]+)(?:\[([^\]]*)\])?"
# Shortcut quiet-types: the check of a type has nothing to report of these in any position.
_QUIET_TYPES = frozenset(("string", "integer", "number", "boolean", "object"))
_CLEAN = {0: NodeReport(0)}
_NO_META_DEFAULTS = "inside additionalProperties applying to object metadata"


class SchemaVisitor:
    """The memo of one run, over position kinds by name.

    Keep the visited schemas alive as long as it, since nodes are known by identity.
    """

    def __init__(self, kinds: Mapping[str, PositionKind]) -> None:
        self._kinds = kinds
        self._positions: dict[tuple[str, str, bool], Position] = {}

    def get_position(self, kind: str, forbidden_default: str = "", in_meta: bool = False) -> Position:  # noqa: FBT001, FBT002
        """The one position of this sort."""
        key = kind, forbidden_default, in_meta
        found = self._positions.get(key)
        if found is None:
            found = self._positions[key] = Position(self._kinds[kind], forbidden_default, in_meta)
        return found

    def visit_root(self, root: Schema) -> NodeReport:
        """What there is to say of the schema of a whole object."""
        at = self.get_position("root")
        return at.memo.get(id(root)) or self.visit_node(root, at)

    def visit_node(self, node: Schema, position: Position) -> NodeReport:
        """Look at a node for the first time in this sort of position."""
        keywords, checks = node.keywords, position.checks
        visit: NodeVisit | None = None
        for keyword in keywords:
            check = checks.get(keyword)
            if check is not None:
                visit = visit or NodeVisit(self, node, position)
                check(visit, keywords[keyword])
        kind = keywords.get("type", "")
        if kind not in _QUIET_TYPES or position.kind.finish is not None:
            visit = visit or NodeVisit(self, node, position)
            if kind not in _QUIET_TYPES:
                position.type_check(visit, kind)
            if position.kind.finish is not None:
                position.kind.finish(visit)
        report = position.memo[id(node)] = _make_report(visit)
        return report


# Shortcut subtree-flags: the flags of a node include those of all nodes below it, so a subtree without a flag has
# nothing that the flag stands for.
def _make_report(visit: NodeVisit | None) -> NodeReport:
    if visit is None:
        return _CLEAN[0]
    if visit.findings:
        return NodeReport(visit.flags, tuple(visit.findings))
    known = _CLEAN.get(visit.flags)
    if known is None:
        known = _CLEAN[visit.flags] = NodeReport(visit.flags)
    return known


def get_sibling_position(visit: NodeVisit, kind: str) -> Position:
    """The position of another kind that inherits what holds inside metadata."""
    at = visit.position
    if not at.forbidden_default and not at.in_meta:
        return visit.visitor.get_position(kind)
    return visit.visitor.get_position(kind, at.forbidden_default, at.in_meta)


def get_property_position(visit: NodeVisit, name: str, kind: str) -> Position:
    """The position of a property: kind, apiVersion and metadata of a resource are special."""
    at = visit.position
    if name in META and (at.kind.name == "root" or visit.node.keywords.get(EMBEDDED) is True):
        reason = f"in top-level {name}" if at.kind.name == "root" else at.forbidden_default
        return visit.visitor.get_position(kind, reason, in_meta=True)
    return get_sibling_position(visit, kind)


def get_values_position(visit: NodeVisit, kind: str) -> Position:
    """The position of a map's values: no defaults there inside metadata."""
    return (
        visit.visitor.get_position(kind, _NO_META_DEFAULTS, in_meta=True)
        if visit.position.in_meta
        else get_sibling_position(visit, kind)
    )


def select_findings(report: NodeReport, stage: int, switches: Switches, ratcheted: int = 0) -> Iterator[NodeFinding]:
    """What of a stage a server of this class says, with paths from the node of the report."""
    steps: list[str] = []
    levels = [iter(report.findings)]
    while levels:
        found = next(levels[-1], None)
        if found is None:
            levels.pop()
            del steps[-1:]
        elif isinstance(found, ChildFindings):
            if found.stage in (None, stage):
                steps.append(found.step)
                levels.append(iter(found.findings))
        elif found.stage == stage and found.is_reported(switches, ratcheted):
            yield found.replace(path="".join((*steps, found.path))) if steps else found
