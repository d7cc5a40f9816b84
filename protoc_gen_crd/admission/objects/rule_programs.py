"""The rules of schema nodes, compiled for one server on first use.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go, validation.go (NewValidator).
"""

from __future__ import annotations

from protoc_gen_crd.admission.crd.rules.field_paths import FieldPathError, resolve_field_path
from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.admission.version_differences import (
    MESSAGE_EXPRESSION,
    OPTIONAL_OLD_SELF,
    RATCHETING,
    REASON_AND_FIELD_PATH,
    TRIMMED_MESSAGES,
)
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import BOOL, STRING, Declaration, Type
from protoc_gen_crd.cel.interpreter import program as evaluate
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import VALIDATIONS, ValidationRule

_NO_DECLARATION = "rule compiler initialization error: failed to convert to declType for CEL validation rules"


class RunnableRule(Record):
    """One compiled rule: its program or the error, the program of its messageExpression, and its error message.

    `display_name` identifies the rule in messages. `detail` is the error message unless the messageExpression returns
    one.
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
    """A node with rules, of its own or below: the reader of its values, and its child nodes with rules.

    A node without a CEL declaration, which a server rejects, can be a list item or a map value of a default.
    """

    __slots__ = (
        "_programs", "_rules", "additional", "declared", "error", "items", "node", "properties", "read", "uses_old",
    )  # fmt: skip

    def __init__(
        self, node: StructuralNode, declared: Declaration | None, programs: RulePrograms, *, root: bool
    ) -> None:
        self.node, self.declared, self._programs = node, declared, programs
        self.read = programs.reader.make_reader(node.schema, root=root)
        self.uses_old = False
        self._rules: tuple[RunnableRule, ...] | None = None if node.schema.get(VALIDATIONS) and declared else ()
        self.error = _NO_DECLARATION if node.schema.get(VALIDATIONS) and not declared else ""
        item = declared.item if declared else None
        self.items = programs.get_child_rules(node.items, item)
        self.additional = programs.get_child_rules(node.additional, item)
        children = [(key, programs.get_field_rules(key, child, declared))
                 for key, child in node.properties.items() if child.rules]  # fmt: skip
        self.properties = {key: child for key, child in children if child is not None}

    @property
    def rules(self) -> tuple[RunnableRule, ...]:
        """The rules of the node itself."""
        declared = self.declared
        if self._rules is None and declared:
            prepared = [self._programs.prepare_rule(rule, self.node, declared) for rule in self.node.schema.rules]
            self._rules = tuple([rule for rule in prepared if rule is not None])
            self.uses_old = any(rule.uses_old for rule in self._rules)
        return self._rules or ()


class RulePrograms:
    """The compiled rules of schemas, for servers in which they compile alike.

    Sizes of declarations affect estimates alone, so those of one version serve all.

    Shortcut rule-programs: a program is a function of the expression, the declaration, the expected type, and the
    version, which is the same for all programs here.
    """

    def __init__(self, expressions: ExpressionCompiler, switches: Switches) -> None:
        self.expressions, self.switches = expressions, switches
        self.environment = environment.get_stored_environment(switches.minor)
        self.declarations = expressions.get_declarations(switches.minor)
        self.reader = ValueReaderFactory(self.declarations, switches)
        self._known: dict[tuple[int, int], NodeRules] = {}
        self._programs: dict[tuple[str, int, str, bool], tuple[CheckedAst | None, evaluate.Program | None, str]] = {}

    def get_node_rules(self, node: StructuralNode, *, root: bool) -> NodeRules | None:
        """Return the rules of a node, None if there are none; `root` is true for the schema of a whole resource."""
        declared = self.declarations.declare(node.schema, root=root)
        return self._make_node_rules(node, declared, root=root) if node.rules else None

    def get_child_rules(self, node: StructuralNode | None, declared: Declaration | None) -> NodeRules | None:
        """Return the rules of an item or a value, None if it has none."""
        return self._make_node_rules(node, declared, root=node.resource) if node is not None and node.rules else None

    def get_field_rules(self, key: str, node: StructuralNode, around: Declaration | None) -> NodeRules | None:
        """Return the rules of a property, None if it has no CEL declaration.

        A property that CEL cannot select by name is declared separately.
        """
        if is_selectable(key):
            declared = around.fields.get(escape_cel_name(key)) if around else None
        else:
            declared = self.declarations.declare(node.schema, root=node.resource)
        return self._make_node_rules(node, declared, root=node.resource) if declared else None

    def _make_node_rules(self, node: StructuralNode, declared: Declaration | None, *, root: bool) -> NodeRules:
        key = id(node), id(declared)
        node_rules = self._known.get(key)
        if node_rules is None:
            node_rules = self._known[key] = NodeRules(node, declared, self, root=root)
        return node_rules

    def prepare_rule(self, rule: ValidationRule, node: StructuralNode, declared: Declaration) -> RunnableRule | None:
        """Compile a rule of a node; return None for an empty rule."""
        if not rule.rule.strip():
            return None
        switches, display_name = self.switches.lasting, (rule.message or rule.rule).strip()
        optional_old_self = bool(rule.optional_old_self) and OPTIONAL_OLD_SELF in switches and RATCHETING in switches
        checked, program, error = self._get_program(rule.rule, declared, BOOL, is_optional=optional_old_self)
        message = None
        if self._has_message_expression(rule):
            message = self._get_program(rule.message_expression, declared, STRING, is_optional=optional_old_self)[1]
        has_field_path = bool(rule.reason or rule.field_path) and REASON_AND_FIELD_PATH in switches
        field_path = ""
        # The server reads the fieldPath after the messageExpression, unless that does not compile.
        if has_field_path and (message is not None or not self._has_message_expression(rule)):
            field_path = _normalize_field_path(rule.field_path, node)
        trimmed = rule.message.strip()
        detail = trimmed if trimmed == rule.message or TRIMMED_MESSAGES in switches else rule.message
        return RunnableRule(
            error=error,
            program=program,
            message_program=message,
            message_expression=rule.message_expression,
            display_name=display_name,
            detail=detail if rule.message else f"failed rule: {display_name}",
            reason=(rule.reason or "") if has_field_path else "",
            field_path=field_path,
            uses_old=checked is not None and checked.has_variable("oldSelf"),
            optional_old_self=optional_old_self,
            origin=rule.origin or node.schema.get_place(VALIDATIONS),
        )

    def _has_message_expression(self, rule: ValidationRule) -> bool:
        return bool(rule.message_expression) and MESSAGE_EXPRESSION in self.switches.lasting

    def _get_program(
        self, expression: str, declared: Declaration, expected: Type, *, is_optional: bool
    ) -> tuple[CheckedAst | None, evaluate.Program | None, str]:
        """Return the checked expression and the program, or the server's error."""
        key = expression, id(declared), expected.kind, is_optional
        cached = self._programs.get(key)
        if cached is None:
            cached = self._programs[key] = self._compile_program(
                expression, declared, expected, is_optional=is_optional
            )
        return cached

    def _compile_program(
        self, expression: str, declared: Declaration, expected: Type, *, is_optional: bool
    ) -> tuple[CheckedAst | None, evaluate.Program | None, str]:
        def compile_for(minor: int) -> CheckedAst | Rejection:
            return self.expressions.compile_expression(
                expression, environment.get_stored_environment, declared, Switches(minor), is_optional=is_optional
            )

        result = compile_for(self.switches.minor)
        self.switches.lasting.evaluate(lambda minor: self.expressions.is_same(compile_for(minor), result))
        if not isinstance(result, CheckedAst):
            return None, None, f"compilation failed: {result}"
        if result.type != expected:
            return None, None, "cel expression must evaluate to a bool"
        program = evaluate.make_program(result, self.environment, switches=self.switches)
        if isinstance(program, evaluate.ProgramError):
            return result, None, f"program instantiation failed: {program.message}"
        return result, program, ""


def _normalize_field_path(path: str, node: StructuralNode) -> str:
    """Return a fieldPath in the form that the paths of errors end with, empty if it is invalid."""
    try:
        return resolve_field_path(node.schema, path)[0] if path else ""
    except FieldPathError:
        return ""
