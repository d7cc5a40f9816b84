"""Traversal of a schema that runs the checks of each node and collects findings.

A node is visited once for each kind of position, however many versions, CRDs, and Kubernetes versions share it: the
findings have paths relative to the node and the switches that they depend on. The report of a node refers to those of
its children, so full paths are built only for reported findings. The checks are located in `structural_checks`,
`openapi_v3_checks`, `admission.crd.lists.list_types`, and `admission.crd.rules.rule_validation`. Each check belongs to
a keyword; a node without such keywords costs one dict lookup per keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.admission.field_errors import ABSENT, Cause
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import Switch
from protoc_gen_crd.schema.schema import EMBEDDED, Schema

# the stages of findings, in the order in which errors of one stage can prevent the next
STRUCTURAL, SCHEMA, WARNING, UNKNOWN = range(4)

# flags of a subtree, which allow callers to skip subtrees
HAS_DEFAULT, HAS_EXTENSION, HAS_RULE, UNCONVERTIBLE, HAS_OPTIONAL = 1, 2, 4, 8, 128
# flags of errors that a CRD may keep on an update
LOOSE_SET, LOOSE_KEYS, ODD_TYPE = 16, 32, 64

META = frozenset(("metadata", "kind", "apiVersion"))


class NodeFinding(Record):
    """A finding at or below a node: its path from the node, and the versions that report it.

    A version reports it if the switch `when` is on, the switch `unless` is off, and `predicate` is true for the minor
    version. `ratcheted_by` is the flag of an old CRD that already had the same error, which is then allowed.
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
        """Return true if a server reports the finding; `ratcheted` are the flags of the old CRD."""
        if self.when is not None and self.when not in switches:
            return False
        if self.predicate is not None and not switches.evaluate(self.predicate):
            return False
        return (self.unless is None or self.unless not in switches) and not self.ratcheted_by & ratcheted

    def to_cause(self, prefix: str) -> Cause:
        """Convert the finding to a field error; `prefix` is the path of the node."""
        detail = self.detail + prefix + self.detail_path if self.detail_path else self.detail
        return Cause(self.type, prefix + self.path, detail, self.value, self.origin)


def find_place(node: Schema, path: str) -> Place | None:
    """Return the source location of the last keyword on a path, or of the node that should have it."""
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
    """The findings below a child, the step to it, and the only stage that applies there, None for all stages."""

    step: str
    findings: tuple[NodeFinding | ChildFindings, ...]
    stage: int | None = None


class NodeReport(Record):
    """The flags and findings of a node and all nodes below, in the order of the traversal."""

    flags: int
    findings: tuple[NodeFinding | ChildFindings, ...] = ()


class NodeVisit:
    """The visit of one node, to which the checks add findings."""

    __slots__ = ("findings", "flags", "node", "position", "visitor")

    def __init__(self, visitor: SchemaVisitor, node: Schema, at: Position) -> None:
        self.visitor, self.node, self.position = visitor, node, at
        self.flags = 0
        self.findings: list[NodeFinding | ChildFindings] = []

    def add_finding(
        self, stage: int, kind: str, path: str, detail: str = "", value: object = ABSENT, **more: Any
    ) -> None:
        """Add a finding at a path below the node; the default location is the last existing keyword on the path."""
        more.setdefault("origin", find_place(self.node, path))
        self.findings.append(NodeFinding(stage, kind, path, detail, value, **more))

    def visit_child(self, step: str, child: Schema, position: Position) -> None:
        """Visit a child and add its findings."""
        report = position.memo.get(id(child)) or self.visitor.visit_node(child, position)
        self.flags |= report.flags
        if report.findings:
            self.findings.append(ChildFindings(step, report.findings))


Check = Callable[[NodeVisit, Any], None]


class Position:
    """A position of nodes, which determines their checks. There is one object for each position, with its cache.

    Shortcut node-reports: a report is a function of the node and its position, has paths relative to the node, and
    carries the switches that it depends on.
    """

    __slots__ = ("checks", "forbidden_default", "in_meta", "kind", "memo", "missing", "type_check")

    def __init__(self, kind: PositionKind, forbidden_default: str, in_meta: bool) -> None:  # noqa: FBT001 - a member
        self.kind, self.forbidden_default, self.in_meta = kind, forbidden_default, in_meta
        self.checks, self.type_check, self.missing = kind.checks, kind.type_check, kind.missing
        self.memo: dict[int, NodeReport] = {}


class PositionKind(Record):
    """A kind of position: its checks by keyword, the check of the type, and the error message of a missing type."""

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
    """The visitor of schemas, with the cached reports of one run.

    Callers keep the visited schemas alive as long as the visitor, since the identities of nodes are keys.
    """

    def __init__(self, kinds: Mapping[str, PositionKind]) -> None:
        self._kinds = kinds
        self._positions: dict[tuple[str, str, bool], Position] = {}

    def get_position(self, kind: str, forbidden_default: str = "", in_meta: bool = False) -> Position:  # noqa: FBT001, FBT002
        """Return the position with these properties."""
        key = kind, forbidden_default, in_meta
        position = self._positions.get(key)
        if position is None:
            position = self._positions[key] = Position(self._kinds[kind], forbidden_default, in_meta)
        return position

    def visit_root(self, root: Schema) -> NodeReport:
        """Return the report of the schema of a whole object."""
        position = self.get_position("root")
        return position.memo.get(id(root)) or self.visit_node(root, position)

    def visit_node(self, node: Schema, position: Position) -> NodeReport:
        """Visit a node for the first time in this position."""
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
        report = position.memo[id(node)] = _CLEAN[0] if visit is None else _make_report(visit)
        return report


# Shortcut subtree-flags: the flags of a node include those of all nodes below it, so a subtree without a flag has
# nothing that the flag indicates.
def _make_report(visit: NodeVisit) -> NodeReport:
    if visit.findings:
        return NodeReport(visit.flags, tuple(visit.findings))
    report = _CLEAN.get(visit.flags)
    if report is None:
        report = _CLEAN[visit.flags] = NodeReport(visit.flags)
    return report


def get_sibling_position(visit: NodeVisit, kind: str) -> Position:
    """Return the position of another kind with the same restrictions inside metadata."""
    position = visit.position
    if not position.forbidden_default and not position.in_meta:
        return visit.visitor.get_position(kind)
    return visit.visitor.get_position(kind, position.forbidden_default, position.in_meta)


def get_property_position(visit: NodeVisit, name: str, kind: str) -> Position:
    """Return the position of a property, with restrictions for kind, apiVersion, and metadata of a resource."""
    position = visit.position
    if name in META and (position.kind.name == "root" or visit.node.keywords.get(EMBEDDED) is True):
        reason = f"in top-level {name}" if position.kind.name == "root" else position.forbidden_default
        return visit.visitor.get_position(kind, reason, in_meta=True)
    return get_sibling_position(visit, kind)


def get_values_position(visit: NodeVisit, kind: str) -> Position:
    """Return the position of the values of a map, which must not have defaults inside metadata."""
    return (
        visit.visitor.get_position(kind, _NO_META_DEFAULTS, in_meta=True)
        if visit.position.in_meta
        else get_sibling_position(visit, kind)
    )


def select_findings(report: NodeReport, stage: int, switches: Switches, ratcheted: int = 0) -> Iterator[NodeFinding]:
    """Return the findings of a stage that a server reports, with paths from the node of the report."""
    steps: list[str] = []
    levels = [iter(report.findings)]
    while levels:
        finding = next(levels[-1], None)
        if finding is None:
            levels.pop()
            del steps[-1:]
        elif isinstance(finding, ChildFindings):
            if finding.stage in (None, stage):
                steps.append(finding.step)
                levels.append(iter(finding.findings))
        elif finding.stage == stage and finding.is_reported(switches, ratcheted):
            yield finding.replace(path="".join((*steps, finding.path))) if steps else finding
