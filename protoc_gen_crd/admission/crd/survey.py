"""One walk over a schema for everything that can be said of a node by itself and its children.

A node is looked at once for each kind of position it stands in, whatever number of versions, CRDs and Kubernetes
versions share it: what is found has paths relative to the node and carries the switches it depends on. The checks
themselves stand in `structural`, `schemas`, `lists` and `rules`, each bound to the keyword that sets it off; a node
whose keywords set off none costs a dict lookup a keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from protoc_gen_crd.admission.errors import ABSENT, FieldError
from protoc_gen_crd.admission.switches import Switch, Switches
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import EMBEDDED, Schema

# stages of what is found, in the order in which one can make the next pointless
STRUCTURAL, SCHEMA, WARNING, UNKNOWN = range(4)

# what a subtree holds, for whoever need not look where there is nothing
HAS_DEFAULT, HAS_EXTENSION, HAS_RULE, UNCONVERTIBLE, HAS_OPTIONAL = 1, 2, 4, 8, 128
# what a CRD may keep on an update if it was there before
LOOSE_SET, LOOSE_KEYS, ODD_TYPE = 16, 32, 64

META = frozenset(("metadata", "kind", "apiVersion"))


class Found(Record):
    """What was found below a node: where, as a path from the node, and by which versions it is said.

    These have the switch `when`, lack the switch `unless`, and answer yes where they are `asked` by minor version.
    `eased` is the bit of an old CRD that already had the same fault, which then may stay.
    """

    stage: int
    type: str
    path: str
    detail: str = ""
    value: object = ABSENT
    origin: Place | None = None
    when: Switch | None = None
    unless: Switch | None = None
    asked: Callable[[int], bool] | None = None
    eased: int = 0
    because: str = ""  # a path from the node that ends the detail

    def said(self, switches: Switches, eased: int = 0) -> bool:
        """Whether a server of this class says it, given what the old CRD already had."""
        if self.when is not None and self.when not in switches:
            return False
        if self.asked is not None and not switches.ask(self.asked):
            return False
        return (self.unless is None or self.unless not in switches) and not self.eased & eased

    def error(self, prefix: str) -> FieldError:
        """The same as an error of the whole object."""
        detail = self.detail + prefix + self.because if self.because else self.detail
        return FieldError(self.type, prefix + self.path, detail, self.value, self.origin)


def place(node: Schema, path: str) -> Place | None:
    """Where a path's last keyword was set, or the node that should have it."""
    for keyword, key in re.findall(_STEP, path):
        value = node.keywords.get(keyword)
        child = value.get(key) if key and isinstance(value, dict) else value
        if key and isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
            child = value[int(key)]
        if not isinstance(child, Schema):
            return node.place(keyword)
        node = child
    return node.origin


class Report(Record):
    """What is known of a node and all below it."""

    bits: int
    found: tuple[Found, ...] = ()


class Visit:
    """A node being looked at, for the checks to add to."""

    __slots__ = ("at", "bits", "found", "node", "survey")

    def __init__(self, survey: Survey, node: Schema, at: Position) -> None:
        self.survey, self.node, self.at = survey, node, at
        self.bits = 0
        self.found: list[Found] = []

    def add(self, stage: int, kind: str, path: str, detail: str = "", value: object = ABSENT, **more: Any) -> None:
        """Note something at a path below the node; its place is that of the last keyword on the path that is there."""
        more.setdefault("origin", place(self.node, path))
        self.found.append(Found(stage, kind, path, detail, value, **more))

    def child(self, step: str, child: Schema, at: Position) -> None:
        """Look at a child and take over what is found there."""
        report = at.memo.get(id(child)) or self.survey.look(child, at)
        self.bits |= report.bits
        if report.found:
            self.found.extend(found.replace(path=step + found.path) for found in report.found)


Check = Callable[[Visit, Any], None]


class Position:
    """Where a node can stand: decides which checks it gets. One object for each kind of position, with its memo."""

    __slots__ = ("checks", "forbidden_default", "in_meta", "kind", "memo", "missing", "type_check")

    def __init__(self, kind: Kind, forbidden_default: str, in_meta: bool) -> None:  # noqa: FBT001 - a member
        self.kind, self.forbidden_default, self.in_meta = kind, forbidden_default, in_meta
        self.checks, self.type_check, self.missing = kind.checks, kind.type_check, kind.missing
        self.memo: dict[int, Report] = {}


class Kind(Record):
    """A kind of position: its checks by keyword, the check of the type, what is said where the type is missing."""

    name: str
    checks: Mapping[str, Check]
    type_check: Callable[[Visit, str], None]
    finish: Callable[[Visit], None] | None = None
    missing: str = ""


_STEP = r"\.([^.\[\]]+)(?:\[([^\]]*)\])?"
_QUIET_TYPES = frozenset(("string", "integer", "number", "boolean", "object"))
_CLEAN = {0: Report(0)}
_NO_META_DEFAULTS = "inside additionalProperties applying to object metadata"


class Survey:
    """The memo of one run. Keep the surveyed schemas alive as long as it, since nodes are known by identity."""

    def __init__(self) -> None:
        from protoc_gen_crd.admission.crd.kinds import KINDS  # noqa: PLC0415 - the checks import this module

        self._kinds = KINDS
        self._positions: dict[tuple[str, str, bool], Position] = {}

    def position(self, kind: str, forbidden_default: str = "", in_meta: bool = False) -> Position:  # noqa: FBT001, FBT002
        """The one position of this sort."""
        key = kind, forbidden_default, in_meta
        found = self._positions.get(key)
        if found is None:
            found = self._positions[key] = Position(self._kinds[kind], forbidden_default, in_meta)
        return found

    def of(self, root: Schema) -> Report:
        """What there is to say of the schema of a whole object."""
        at = self.position("root")
        return at.memo.get(id(root)) or self.look(root, at)

    def look(self, node: Schema, at: Position) -> Report:
        """Look at a node for the first time in this sort of position."""
        keywords, checks = node.keywords, at.checks
        visit: Visit | None = None
        for keyword in keywords:
            check = checks.get(keyword)
            if check is not None:
                visit = visit or Visit(self, node, at)
                check(visit, keywords[keyword])
        kind = keywords.get("type", "")
        if kind not in _QUIET_TYPES or at.kind.finish is not None:
            visit = visit or Visit(self, node, at)
            if kind not in _QUIET_TYPES:
                at.type_check(visit, kind)
            if at.kind.finish is not None:
                at.kind.finish(visit)
        report = at.memo[id(node)] = _report(visit)
        return report


def _report(visit: Visit | None) -> Report:
    if visit is None:
        return _CLEAN[0]
    if visit.found:
        return Report(visit.bits, tuple(visit.found))
    known = _CLEAN.get(visit.bits)
    if known is None:
        known = _CLEAN[visit.bits] = Report(visit.bits)
    return known


def beside(visit: Visit, kind: str) -> Position:
    """The position of another kind that inherits what holds inside metadata."""
    at = visit.at
    if not at.forbidden_default and not at.in_meta:
        return visit.survey.position(kind)
    return visit.survey.position(kind, at.forbidden_default, at.in_meta)


def of_property(visit: Visit, name: str, kind: str) -> Position:
    """The position of a property: kind, apiVersion and metadata of a resource are special."""
    at = visit.at
    if name in META and (at.kind.name == "root" or visit.node.keywords.get(EMBEDDED) is True):
        reason = f"in top-level {name}" if at.kind.name == "root" else at.forbidden_default
        return visit.survey.position(kind, reason, in_meta=True)
    return beside(visit, kind)


def of_values(visit: Visit, kind: str) -> Position:
    """The position of a map's values: no defaults there inside metadata."""
    return visit.survey.position(kind, _NO_META_DEFAULTS, in_meta=True) if visit.at.in_meta else beside(visit, kind)


def said(report: Report, stage: int, switches: Switches, eased: int = 0) -> Iterable[Found]:
    """What of a stage a server of this class says."""
    return (found for found in report.found if found.stage == stage and found.said(switches, eased))
