"""The rules of schema nodes made ready to run on one server, when a value first needs them.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go, validation.go (NewValidator).
"""

from __future__ import annotations

from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler
from protoc_gen_crd.admission.crd.rules.field_paths import FieldPathError, resolve_field_path
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.admission.switches import (
    MESSAGE_EXPRESSION,
    OPTIONAL_OLD_SELF,
    RATCHETING,
    REASON_AND_FIELD_PATH,
    TRIMMED_MESSAGES,
    Switches,
)
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import BOOL, STRING, Declaration, Type
from protoc_gen_crd.cel.interpreter import program as evaluate
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.cel.version_range import MinorRange
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import VALIDATIONS, ValidationRule


class RunnableRule(Record):
    """One rule: its program or why there is none, its message's program, and what is said where it fails.

    `display_name` is what texts call the rule, `detail` what is said unless the message's program says something
    better.
    """

    error: str
    program: evaluate.Program | None
    message_program: evaluate.Program | None
    message_expression: str
    display_name: str
    detail: str
    reason: str
    field_path: str
    uses_old: bool
    optional_old_self: bool
    origin: Place | None


class NodeRules:
    """A node that has rules, here or below: what reads its values, and the nodes below that have any."""

    __slots__ = ("_programs", "_rules", "additional", "declared", "items", "node", "properties", "read", "uses_old")

    def __init__(self, node: StructuralNode, declared: Declaration, programs: RulePrograms, *, root: bool) -> None:
        self.node, self.declared, self._programs = node, declared, programs
        self.read = programs.reader.make_reader(node.schema, root=root)
        self.uses_old = False
        self._rules: tuple[RunnableRule, ...] | None = None if node.schema.get(VALIDATIONS) else ()
        self.items = programs.get_child_rules(node.items, declared.item)
        self.additional = programs.get_child_rules(node.additional, declared.item)
        below = [(key, programs.get_child_rules(child, _declare_field(programs, key, child, declared)))
                 for key, child in node.properties.items() if child.rules]  # fmt: skip
        self.properties = {key: child for key, child in below if child is not None}

    @property
    def rules(self) -> tuple[RunnableRule, ...]:
        """The node's own rules."""
        if self._rules is None:
            made = [self._programs.prepare_rule(rule, self) for rule in self.node.schema.rules]
            self._rules = tuple([rule for rule in made if rule is not None])
            self.uses_old = any(rule.uses_old for rule in self._rules)
        return self._rules


def _declare_field(
    programs: RulePrograms, key: str, child: StructuralNode, declared: Declaration
) -> Declaration | None:
    """What a property is to CEL; one that has no name there is declared on its own."""
    return declared.fields.get(escape_cel_name(key)) if is_selectable(key) else programs.declare(child)


class RulePrograms:
    """The rules of any schemas, on servers of one minor version.

    Shortcut rule-programs: a program is a function of the text, the declaration, the type that is wanted, and the
    version, which is one for all programs here.
    """

    def __init__(self, expressions: ExpressionCompiler, switches: Switches) -> None:
        self.expressions, self.switches = expressions, switches
        switches.evaluate(lambda minor: minor)
        self.environment = environment.get_stored_environment(switches.minor)
        self.declarations = expressions.get_declarations(switches.minor)
        self.reader = ValueReaderFactory(self.declarations, switches.minor)
        self._known: dict[tuple[int, int], NodeRules] = {}
        self._made: dict[tuple[str, int, str, bool], tuple[CheckedAst | None, evaluate.Program | None, str]] = {}

    def get_node_rules(self, node: StructuralNode, *, root: bool) -> NodeRules | None:
        """The node of a schema; `root` tells that of a whole resource."""
        declared = self.declarations.declare(node.schema, root=root)
        return self._make_node_rules(node, declared, root=root) if declared is not None and node.rules else None

    def declare(self, node: StructuralNode) -> Declaration | None:
        """What a node is to CEL by itself."""
        return self.declarations.declare(node.schema, root=node.resource)

    def get_child_rules(self, node: StructuralNode | None, declared: Declaration | None) -> NodeRules | None:
        """The node of a child, None where it has no rules or CEL does not see it."""
        if node is None or declared is None or not node.rules:
            return None
        return self._make_node_rules(node, declared, root=node.resource)

    def _make_node_rules(self, node: StructuralNode, declared: Declaration, *, root: bool) -> NodeRules:
        key = id(node), id(declared)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = NodeRules(node, declared, self, root=root)
        return known

    def prepare_rule(self, rule: ValidationRule, node_rules: NodeRules) -> RunnableRule | None:
        """A rule of a node; none where it is empty."""
        if not rule.rule.strip():
            return None
        switches, shown = self.switches, (rule.message or rule.rule).strip()
        optional = bool(rule.optional_old_self) and OPTIONAL_OLD_SELF in switches and RATCHETING in switches
        checked, program, fault = self._get_program(rule.rule, node_rules.declared, BOOL, is_optional=optional)
        message = None
        if rule.message_expression and MESSAGE_EXPRESSION in switches:
            message = self._get_program(rule.message_expression, node_rules.declared, STRING, is_optional=optional)[1]
        placed = REASON_AND_FIELD_PATH in switches
        detail = rule.message.strip() if TRIMMED_MESSAGES in switches else rule.message
        return RunnableRule(
            error=fault,
            program=program,
            message_program=message,
            message_expression=rule.message_expression,
            display_name=shown,
            detail=detail if rule.message else f"failed rule: {shown}",
            reason=(rule.reason or "") if placed else "",
            field_path=_normalize_field_path(rule.field_path, node_rules.node) if placed else "",
            uses_old=checked is not None and checked.has_variable("oldSelf"),
            optional_old_self=optional,
            origin=rule.origin or node_rules.node.schema.get_place(VALIDATIONS),
        )

    def _get_program(
        self, text: str, declared: Declaration, wanted: Type, *, is_optional: bool
    ) -> tuple[CheckedAst | None, evaluate.Program | None, str]:
        """A text compiled and made to run, or what the server says instead."""
        key = text, id(declared), wanted.kind, is_optional
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._compile_program(text, declared, wanted, is_optional=is_optional)
        return known

    def _compile_program(
        self, text: str, declared: Declaration, wanted: Type, *, is_optional: bool
    ) -> tuple[CheckedAst | None, evaluate.Program | None, str]:
        era = MinorRange(self.switches.minor)
        found = self.expressions.compile_expression(
            text, environment.get_stored_environment, declared, era, is_optional=is_optional
        )
        if not isinstance(found, CheckedAst):
            return None, None, f"compilation failed: {found}"
        if found.type != wanted:
            return None, None, "cel expression must evaluate to a bool"
        made = evaluate.make_program(found, self.environment)
        if isinstance(made, evaluate.ProgramError):
            return found, None, f"program instantiation failed: {made.message}"
        return found, made, ""


def _normalize_field_path(path: str, node: StructuralNode) -> str:
    """A fieldPath as paths of errors end with it."""
    try:
        return resolve_field_path(node.schema, path)[0] if path else ""
    except FieldPathError:
        return ""
