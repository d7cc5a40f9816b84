"""The rules of schema nodes made ready to run on one server, when a value first needs them.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go, validation.go (NewValidator).
"""

from __future__ import annotations

from protoc_gen_crd.admission.crd.fieldpaths import PathError, follow
from protoc_gen_crd.admission.expressions import Expressions
from protoc_gen_crd.admission.objects.structural import Structural
from protoc_gen_crd.admission.switches import (
    MESSAGE_EXPRESSION,
    OPTIONAL_OLD_SELF,
    RATCHETING,
    REASON_AND_FIELD_PATH,
    TRIMMED_MESSAGES,
    Switches,
)
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment, evaluate
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.data import Reader
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.types import BOOL, STRING, Declared, Type
from protoc_gen_crd.schema.celnames import cel_name, selectable
from protoc_gen_crd.schema.types import VALIDATIONS, Rule


class Runnable(Record):
    """One rule: its program or why there is none, its message's program, and what is said where it fails.

    `shown` is what texts call the rule, `detail` what is said unless the message's program says something better.
    """

    fault: str
    program: evaluate.Program | None
    message: evaluate.Program | None
    message_text: str
    shown: str
    detail: str
    reason: str
    path: str
    uses_old: bool
    optional: bool
    origin: Place | None


class Ruled:
    """A node that has rules, here or below: what reads its values, and the nodes below that have any."""

    __slots__ = ("_programs", "_rules", "additional", "declared", "items", "node", "properties", "read", "uses_old")

    def __init__(self, node: Structural, declared: Declared, programs: Programs, *, root: bool) -> None:
        self.node, self.declared, self._programs = node, declared, programs
        self.read = programs.reader.of(node.schema, root=root)
        self.uses_old = False
        self._rules: tuple[Runnable, ...] | None = None if node.schema.get(VALIDATIONS) else ()
        self.items = programs.below(node.items, declared.item)
        self.additional = programs.below(node.additional, declared.item)
        below = [(key, programs.below(child, _field(programs, key, child, declared)))
                 for key, child in node.properties.items() if child.rules]  # fmt: skip
        self.properties = {key: child for key, child in below if child is not None}

    @property
    def rules(self) -> tuple[Runnable, ...]:
        """The node's own rules."""
        if self._rules is None:
            made = [self._programs.runnable(rule, self) for rule in self.node.schema.rules]
            self._rules = tuple([rule for rule in made if rule is not None])
            self.uses_old = any(rule.uses_old for rule in self._rules)
        return self._rules


def _field(programs: Programs, key: str, child: Structural, declared: Declared) -> Declared | None:
    """What a property is to CEL; one that has no name there is declared on its own."""
    return declared.fields.get(cel_name(key)) if selectable(key) else programs.declared(child)


class Programs:
    """The rules of any schemas, on servers of one minor version."""

    def __init__(self, expressions: Expressions, switches: Switches) -> None:
        self.expressions, self.switches = expressions, switches
        switches.ask(lambda minor: minor)
        self.environment = environment.stored(switches.minor)
        self.declarations = expressions.declarations(switches.minor)
        self.reader = Reader(self.declarations, switches.minor)
        self._known: dict[tuple[int, int], Ruled] = {}
        self._made: dict[tuple[str, int, str, bool], tuple[Checked | None, evaluate.Program | None, str]] = {}

    def of(self, node: Structural, *, root: bool) -> Ruled | None:
        """The node of a schema; `root` tells that of a whole resource."""
        declared = self.declarations.of(node.schema, root=root)
        return self._ruled(node, declared, root=root) if declared is not None and node.rules else None

    def declared(self, node: Structural) -> Declared | None:
        """What a node is to CEL by itself."""
        return self.declarations.of(node.schema, root=node.resource)

    def below(self, node: Structural | None, declared: Declared | None) -> Ruled | None:
        """The node of a child, None where it has no rules or CEL does not see it."""
        if node is None or declared is None or not node.rules:
            return None
        return self._ruled(node, declared, root=node.resource)

    def _ruled(self, node: Structural, declared: Declared, *, root: bool) -> Ruled:
        key = id(node), id(declared)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Ruled(node, declared, self, root=root)
        return known

    def runnable(self, rule: Rule, ruled: Ruled) -> Runnable | None:
        """A rule of a node; none where it is empty."""
        if not rule.rule.strip():
            return None
        switches, shown = self.switches, (rule.message or rule.rule).strip()
        optional = bool(rule.optional_old_self) and OPTIONAL_OLD_SELF in switches and RATCHETING in switches
        checked, program, fault = self._program(rule.rule, ruled.declared, BOOL, is_optional=optional)
        message = None
        if rule.message_expression and MESSAGE_EXPRESSION in switches:
            message = self._program(rule.message_expression, ruled.declared, STRING, is_optional=optional)[1]
        placed = REASON_AND_FIELD_PATH in switches
        detail = rule.message.strip() if TRIMMED_MESSAGES in switches else rule.message
        return Runnable(
            fault=fault,
            program=program,
            message=message,
            message_text=rule.message_expression,
            shown=shown,
            detail=detail if rule.message else f"failed rule: {shown}",
            reason=(rule.reason or "") if placed else "",
            path=_normal(rule.field_path, ruled.node) if placed else "",
            uses_old=checked is not None and checked.uses("oldSelf"),
            optional=optional,
            origin=rule.origin or ruled.node.schema.place(VALIDATIONS),
        )

    def _program(
        self, text: str, declared: Declared, wanted: Type, *, is_optional: bool
    ) -> tuple[Checked | None, evaluate.Program | None, str]:
        """A text compiled and made to run, or what the server says instead."""
        key = text, id(declared), wanted.kind, is_optional
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._fresh(text, declared, wanted, is_optional=is_optional)
        return known

    def _fresh(
        self, text: str, declared: Declared, wanted: Type, *, is_optional: bool
    ) -> tuple[Checked | None, evaluate.Program | None, str]:
        era = Era(self.switches.minor)
        found = self.expressions.compiled(text, environment.stored, declared, era, is_optional=is_optional)
        if not isinstance(found, Checked):
            return None, None, f"compilation failed: {found}"
        if found.type != wanted:
            return None, None, "cel expression must evaluate to a bool"
        made = evaluate.program(found, self.environment)
        if isinstance(made, evaluate.Fault):
            return found, None, f"program instantiation failed: {made.text}"
        return found, made, ""


def _normal(path: str, node: Structural) -> str:
    """A fieldPath as paths of errors end with it."""
    try:
        return follow(node.schema, path)[0] if path else ""
    except PathError:
        return ""
