"""Compilation and cost estimation of the rules of a schema, with the errors of API servers.

Of values, only defaults are validated here. Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation
validation.go, cel_validation.go; pkg/apiserver/schema/cel/compilation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite, SchemaRules
from protoc_gen_crd.admission.crd.rules.cost_limit_errors import (
    ONCE,
    Cardinality,
    CompiledExpression,
    RuleExpression,
    compute_cardinality,
    validate_expression_cost,
    validate_total_cost,
)
from protoc_gen_crd.admission.crd.rules.program_creation import find_instantiation_error
from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
from protoc_gen_crd.admission.field_errors import ABSENT, INTERNAL, INVALID, Cause
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import MESSAGE_EXPRESSION, OPTIONAL_OLD_SELF
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import BOOL, STRING, Declaration
from protoc_gen_crd.cel.cost import cost_estimate, function_costs
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.shared_answers import Environments
from protoc_gen_crd.cel.version_differences import UNTYPED_ITEM_ERRORS
from protoc_gen_crd.kubernetes.shared_results import SharedResults, Switches
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import EMBEDDED, VALIDATIONS, Schema, ValidationRule

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.rule_programs import RulePrograms
    from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes

_UNTYPED = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert"
    " structural schema to CEL declarations"
)
_NO_ITEMS = "failed to convert to declType for CEL validation rules"


class RuleCompiler:
    """The CEL compiler of CRD admission. It declares equal schemas and compiles equal expressions once."""

    def __init__(self) -> None:
        self.expressions = ExpressionCompiler()
        # Shortcut costed-expressions: an estimate is a function of the compiled expression, the declaration, and the
        # version, which the range covers.
        self._costed: SharedResults[CompiledExpression] = SharedResults()
        # Shortcut default-programs: programs are a function of the version, and schemas are kept alive by the
        # declarations.
        self._programs: dict[int, RulePrograms] = {}
        self._structurals: StructuralNodes | None = None

    def compile_rules(self, rules: SchemaRules, versions: Switches) -> Sequence[Cause]:
        """Compile the rules of a schema, and return the errors of compilation and cost in a range of versions."""
        errors: list[Cause] = []
        costed: list[RuleExpression] = []
        for site, declared in self.declare_sites(rules, versions):
            if isinstance(declared, str):
                errors += _report_undeclared(site, declared)
                continue
            for rule in self.compile_site_rules(site, declared, rules, versions):
                errors += rule.list_errors(suppress_cost=rules.suppresses_cost)
                costed += rule.expressions
        errors += validate_total_cost(costed, rules.path, rules.root.origin)
        return errors

    def declare_sites(self, rules: SchemaRules, versions: Switches) -> Iterator[tuple[RuleSite, Declaration | str]]:
        """Return the nodes with rules, each with its declaration or, if CEL cannot declare it, the error or ""."""
        declarations = SiteDeclarations(self.expressions, versions)
        for site in rules.sites:
            yield site, declarations.declare(site)

    def compile_site_rules(
        self, site: RuleSite, declared: Declaration, rules: SchemaRules, versions: Switches
    ) -> Iterator[CompiledRule]:
        """Compile the rules of a node."""
        cardinality = compute_cardinality(site, declared)
        for index, rule in enumerate(site.node.rules):
            compiled = CompiledRule(rule, f".{VALIDATIONS}[{index}]", site, versions)
            compiled.compile(self, declared, rules, cardinality)
            yield compiled

    def compile_text(
        self,
        expression: str,
        environments: Environments,
        declared: Declaration,
        versions: Switches,
        *,
        is_optional: bool,
    ) -> CompiledExpression:
        """Compile an expression and estimate its cost; see `ExpressionCompiler.compile_expression`."""
        result = self.expressions.compile_expression(
            expression, environments, declared, versions, is_optional=is_optional
        )
        within = environments(versions.minor)
        return self._costed.get(
            (id(result), id(declared)), versions, lambda own: _estimate_cost(result, within, declared, own)
        )

    def evaluate_rules(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[Cause], int]:
        """Evaluate the rules of a node and below on a default; see `CelInterface.evaluate_rules`."""
        from protoc_gen_crd.admission.objects.rule_evaluation import RuleEvaluator  # noqa: PLC0415
        from protoc_gen_crd.admission.objects.rule_programs import RulePrograms  # noqa: PLC0415 - few schemas have both
        from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes  # noqa: PLC0415

        self._structurals = self._structurals or StructuralNodes()
        programs = self._programs.get(minor)
        if programs is None:
            programs = self._programs[minor] = RulePrograms(self.expressions, Switches.from_minor(minor))
        evaluator = RuleEvaluator(programs, budget)
        old_value = None if old is ABSENT else old
        evaluator.run(self._structurals.get_node(node, resource=root), value, old_value, path, None, root=root)
        return evaluator.errors, evaluator.remaining_budget

    def get_equivalence_key(self, minor: int) -> object:
        """Return the properties of a version that the validation of defaults depends on.

        Shortcut equal-defaults: rules of a default depend on the version by its environments, sizes, costs, and
        switches, and only switches are recorded elsewhere.
        """
        return _build_equivalence_key(minor)


@cache
def _build_equivalence_key(minor: int) -> object:
    new, stored = environment.get_new_environment(minor), environment.get_stored_environment(minor)
    return environment.get_sizes(minor), new.features, stored.features, function_costs.get_cost_key(minor)


class SiteDeclarations:
    """The declarations of the sites of one schema, for a server.

    Shortcut site-declarations: sites below a node share its entry of their ancestors, and thus the declarations from
    the root to the node. They keep the entries alive, whose identities are the keys.
    """

    def __init__(self, expressions: ExpressionCompiler, versions: Switches) -> None:
        self._expressions, self._versions = expressions, versions
        self._declared_below: dict[int, Declaration | str | None] = {}  # by ancestor; None if no node so far has rules

    def declare(self, site: RuleSite) -> Declaration | str:
        """Declare a node as part of its highest ancestor with rules, or by itself if CEL cannot select it there.

        Source: pkg/apis/apiextensions/validation cel_validation.go (TypeInfo).
        """
        ancestors = site.ancestors
        first = len(ancestors) - 1
        while first and id(ancestors[first - 1]) not in self._declared_below:
            first -= 1
        declared = self._declared_below[id(ancestors[first - 1])] if first else None
        for depth in range(first, len(ancestors)):
            node, step = ancestors[depth]
            if declared is None and node.get(VALIDATIONS):
                declared = self._declare_node(node, root=not depth) or _UNTYPED
            if depth < len(ancestors) - 1:
                if isinstance(declared, Declaration):
                    declared = self._declare_child(declared, step, ancestors[depth + 1][0])
                self._declared_below[id(ancestors[depth])] = declared
        return _UNTYPED if declared is None else declared

    def _declare_child(self, declared: Declaration, step: str, child: Schema) -> Declaration | str:
        if step.startswith(".properties["):
            name = escape_cel_name(step[len(".properties[") : -1])
            return declared.fields.get(name) or self._declare_node(child) or _UNTYPED
        if declared.item is None:
            return _NO_ITEMS if UNTYPED_ITEM_ERRORS in self._versions else ""
        return declared.item

    def _declare_node(self, node: Schema, *, root: bool = False) -> Declaration | None:
        """Declare a node, and narrow the versions to those with the same declaration."""
        is_resource, get_declarations = root or bool(node.get(EMBEDDED)), self._expressions.get_declarations
        declared = get_declarations(self._versions.minor).declare(node, root=is_resource)
        self._versions.evaluate(lambda minor: get_declarations(minor).declare(node, root=is_resource) is declared)
        return declared


def _report_undeclared(site: RuleSite, error: str) -> Iterator[Cause]:
    if error:
        origin = site.node.get_place(VALIDATIONS)
        yield Cause(INTERNAL, f"{site.path}.{VALIDATIONS}", error, place=origin)


class CompiledRule:
    """One compiled rule of a site, with its messageExpression if the server compiles it."""

    def __init__(self, rule: ValidationRule, steps: str, site: RuleSite, versions: Switches) -> None:
        self.rule, self.steps, self.site, self.versions = rule, steps, site, versions
        self.origin = rule.origin or site.node.get_place(VALIDATIONS)
        self.expressions: list[RuleExpression] = []
        self.optional_old_self: bool | None = None

    def compile(
        self, compiler: RuleCompiler, declared: Declaration, rules: SchemaRules, cardinality: Cardinality
    ) -> None:
        """Compile the rule and, if it has no error, its messageExpression."""
        optional_old_self = self.rule.optional_old_self if rules.keeps_optional_old_self else None
        self.optional_old_self = (
            optional_old_self if optional_old_self is not None and OPTIONAL_OLD_SELF in self.versions else None
        )

        def compile_member(
            member: str, expression: str, stored: frozenset[str], cardinality: Cardinality
        ) -> RuleExpression:
            environments = (
                environment.get_stored_environment if expression in stored else environment.get_new_environment
            )
            within = environments(self.versions.minor)
            compiled = compiler.compile_text(
                expression, environments, declared, self.versions, is_optional=bool(self.optional_old_self)
            )
            error = _ERROR_FINDERS[member](compiled)
            max_cost = compiled.max_cost if error is None else 0
            steps = f"{self.steps}.{member}"
            site, origin = self.site, self.origin
            return RuleExpression(
                steps, expression, compiled, error, max_cost, cardinality, origin, site, declared, within, self.rule
            )

        self.expressions.append(compile_member("rule", self.rule.rule, rules.stored_expressions[0], cardinality))
        message = self.rule.message_expression
        if message and self.expressions[0].error is None and MESSAGE_EXPRESSION in self.versions:
            self.expressions.append(compile_member("messageExpression", message, rules.stored_expressions[1], ONCE))

    def list_errors(self, *, suppress_cost: bool) -> Iterator[Cause]:
        """Return the errors of the rule; with `suppress_cost`, without the cost limit."""
        shown = GoTypedValue("apiextensions.ValidationRule", self.rule)
        for expression in self.expressions:
            if expression.error is not None:
                issues = expression.result.issues if isinstance(expression.result, Rejection) else ()
                yield Cause(INVALID, expression.path, expression.error, shown, self.origin, issues=issues)
            elif not suppress_cost:
                yield from validate_expression_cost(expression)
        for error in self._check_old_self(self.expressions[0].result):
            yield error.replace(place=self.origin)

    def _check_old_self(self, result: CheckedAst | Rejection) -> Iterator[Cause]:
        uncorrelatable, path = self.site.uncorrelatable_path, self.site.path + self.steps
        if isinstance(result, CheckedAst) and result.type == BOOL and result.has_variable("oldSelf"):
            if uncorrelatable is not None:
                reason = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {uncorrelatable}"
                yield Cause(INVALID, f"{path}.rule", reason, self.rule.rule)
        elif self.optional_old_self is not None:
            reason = "may not be set if oldSelf is not used in rule"
            yield Cause(INVALID, f"{path}.optionalOldSelf", reason, self.optional_old_self)


def _estimate_cost(
    result: CheckedAst | Rejection, within: Environment, declared: Declaration, versions: Switches
) -> CompiledExpression:
    if isinstance(result, Rejection):
        return CompiledExpression(result)
    max_cost = cost_estimate.estimate(result, within.minor, declared, versions)[1]
    return CompiledExpression(result, max_cost, find_instantiation_error(result, within, versions))


def _find_rule_error(compiled: CompiledExpression) -> str | None:
    if isinstance(compiled.result, Rejection):
        return f"compilation failed: {compiled.result}"
    if compiled.result.type != BOOL:
        return "cel expression must evaluate to a bool"
    return compiled.error and f"program {compiled.error}"


def _find_message_error(compiled: CompiledExpression) -> str | None:
    if isinstance(compiled.result, Rejection):
        return f"messageExpression compilation failed: {compiled.result}"
    if compiled.result.type != STRING:
        return "messageExpression must evaluate to a string"
    return compiled.error and f"messageExpression {compiled.error}"


_ERROR_FINDERS = {"rule": _find_rule_error, "messageExpression": _find_message_error}
