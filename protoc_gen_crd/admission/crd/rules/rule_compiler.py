"""The rules of a schema compiled and costed: what does not compile, is no condition, looks at an old value that has no
place, or costs too much.

Values are not judged here, but defaults by their rules. Source: k8s.io/apiextensions-apiserver
pkg/apis/apiextensions/validation validation.go, cel_validation.go; pkg/apiserver/schema/cel/compilation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler
from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite, SchemaRules
from protoc_gen_crd.admission.crd.rules.program_creation import find_instantiation_error
from protoc_gen_crd.admission.crd.rules.rule_costs import (
    ONCE,
    Cardinality,
    CompiledExpression,
    RuleExpression,
    compute_cardinality,
    validate_expression_cost,
    validate_total_cost,
)
from protoc_gen_crd.admission.field_errors import ABSENT, INTERNAL, INVALID, FieldError
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.admission.switches import MESSAGE_EXPRESSION, OPTIONAL_OLD_SELF, Switches
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import BOOL, STRING, Declaration
from protoc_gen_crd.cel.cost import cost_estimate, cost_table
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.version_key import Environments
from protoc_gen_crd.cel.version_range import MinorRange
from protoc_gen_crd.cel.versions import UNTYPED_ITEM_ERRORS
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import EMBEDDED, VALIDATIONS, Schema, ValidationRule

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.rule_programs import RulePrograms

_UNTYPED = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert"
    " structural schema to CEL declarations"
)
_NO_ITEMS = "failed to convert to declType for CEL validation rules"


class RuleCompiler:
    """CEL as the admission of CRDs needs it. Schemas are declared, and texts compiled, once for all places alike."""

    def __init__(self) -> None:
        self.expressions = ExpressionCompiler()
        # Shortcut costed-expressions: an estimate is a function of the compiled expression, the declaration, and the
        # version, which the range covers.
        self._costed: dict[tuple[int, int], list[tuple[MinorRange, CompiledExpression]]] = {}
        # Shortcut default-programs: programs are a function of the version, and schemas are kept alive by the
        # declarations.
        self._programs: dict[int, RulePrograms] = {}
        self._structurals = StructuralNodes()

    def compile_rules(self, rules: SchemaRules, versions: MinorRange) -> Sequence[FieldError]:
        """What compiling the rules of a schema and summing up their cost finds in the versions of an era."""
        errors: list[FieldError] = []
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

    def declare_sites(self, rules: SchemaRules, versions: MinorRange) -> Iterator[tuple[RuleSite, Declaration | str]]:
        """The nodes with rules, each with what it is to its rules, or the error, if any, where CEL cannot see it."""
        for site in rules.sites:
            yield site, self._declare_site(site, versions)

    def _declare_site(self, site: RuleSite, versions: MinorRange) -> Declaration | str:
        """Declare a node as part of the highest node above that has rules too, or by itself where CEL cannot reach it.

        Source: pkg/apis/apiextensions/validation cel_validation.go (TypeInfo).
        """
        above = site.ancestors
        top = next(depth for depth, (node, _) in enumerate(above) if node.get(VALIDATIONS))
        declared = self._declare_node(above[top][0], versions, root=not top)
        for (_, step), (child, _) in pairwise(above[top:]):
            if declared is None:
                break
            if step.startswith(".properties["):
                name = escape_cel_name(step[len(".properties[") : -1])
                declared = declared.fields.get(name) or self._declare_node(child, versions)
            elif declared.item is None:
                return _NO_ITEMS if versions.has(UNTYPED_ITEM_ERRORS) else ""
            else:
                declared = declared.item
        return _UNTYPED if declared is None else declared

    def _declare_node(self, node: Schema, versions: MinorRange, *, root: bool = False) -> Declaration | None:
        return self._declare_for_versions(node, versions, root=root or bool(node.get(EMBEDDED)))

    def _declare_for_versions(self, node: Schema, versions: MinorRange, *, root: bool) -> Declaration | None:
        """A node as a server sees it, and which others see it so: estimates take different things into account."""
        found = self.expressions.get_declarations(versions.minor).declare(node, root=root)
        versions.evaluate(lambda minor: self.expressions.get_declarations(minor).declare(node, root=root) is found)
        return found

    def compile_site_rules(
        self, site: RuleSite, declared: Declaration, rules: SchemaRules, versions: MinorRange
    ) -> Iterator[CompiledRule]:
        """The rules of a node, compiled."""
        count = compute_cardinality(site, declared)
        for index, rule in enumerate(site.node.rules):
            of_rule = CompiledRule(rule, f"{site.path}.{VALIDATIONS}[{index}]", site, versions)
            of_rule.compile(self, declared, rules, count)
            yield of_rule

    def compile_text(
        self, text: str, environments: Environments, declared: Declaration, versions: MinorRange, *, is_optional: bool
    ) -> CompiledExpression:
        """A text compiled where self is what is declared, and oldSelf is that or an optional of it."""
        found = self.expressions.compile_expression(text, environments, declared, versions, is_optional=is_optional)
        answers = self._costed.setdefault((id(found), id(declared)), [])
        for known, made in answers:
            if known.contains(versions.minor):
                versions.intersect(known)
                return made
        own = MinorRange(versions.minor)
        made = _estimate_cost(found, environments(versions.minor), declared, own)
        answers.append((own, made))
        versions.intersect(own)
        return made

    def evaluate_rules(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[FieldError], int]:
        """What the rules of a node and below say of a default."""
        if node.get(VALIDATIONS) and self.expressions.get_declarations(minor).declare(node, root=root) is None:
            detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
            return [FieldError(INVALID, path, detail, node.type, node.get_place("default"))], budget
        from protoc_gen_crd.admission.objects.rule_evaluation import RuleEvaluator  # noqa: PLC0415
        from protoc_gen_crd.admission.objects.rule_programs import RulePrograms  # noqa: PLC0415 - few schemas have both

        programs = self._programs.get(minor)
        if programs is None:
            programs = self._programs[minor] = RulePrograms(self.expressions, Switches.from_minor(minor))
        walk = RuleEvaluator(programs, budget)
        before = None if old is ABSENT else old
        walk.run(self._structurals.get_node(node, resource=root), value, before, path, None, root=root)
        return walk.errors, walk.remaining_budget

    def get_equivalence_key(self, minor: int) -> object:
        """The environments of a version, and what its estimates go by: what defaults are judged by.

        Shortcut equal-defaults: rules of a default depend on the version by its environments, sizes, costs, and
        switches, and only switches are recorded elsewhere.
        """
        new, stored = environment.get_new_environment(minor), environment.get_stored_environment(minor)
        return environment.get_sizes(minor), new.features, stored.features, cost_table.get_cost_key(minor)


def _report_undeclared(site: RuleSite, error: str) -> Iterator[FieldError]:
    if error:
        origin = site.node.get_place(VALIDATIONS)
        yield FieldError(INTERNAL, f"{site.path}.{VALIDATIONS}", error, origin=origin)


class CompiledRule:
    """One rule in its place: itself and its messageExpression, as far as that is looked at."""

    def __init__(self, rule: ValidationRule, path: str, site: RuleSite, versions: MinorRange) -> None:
        self.rule, self.path, self.site, self.versions = rule, path, site, versions
        self.origin = rule.origin or site.node.get_place(VALIDATIONS)
        self.expressions: list[RuleExpression] = []
        self.optional_old_self: bool | None = None

    def compile(self, compiler: RuleCompiler, declared: Declaration, rules: SchemaRules, count: Cardinality) -> None:
        """Compile the rule, and its message where the rule is sound."""
        given = self.rule.optional_old_self if rules.keeps_optional_old_self else None
        self.optional_old_self = (
            given if given is not None and self.versions.evaluate(OPTIONAL_OLD_SELF.is_on) else None
        )

        def compile_member(member: str, text: str, stored: frozenset[str], count: Cardinality) -> RuleExpression:
            environments = environment.get_stored_environment if text in stored else environment.get_new_environment
            within = environments(self.versions.minor)
            made = compiler.compile_text(
                text, environments, declared, self.versions, is_optional=bool(self.optional_old_self)
            )
            fault = _ERROR_FINDERS[member](made)
            most = made.max_cost if fault is None else 0
            path = f"{self.path}.{member}"
            site, origin = self.site, self.origin
            return RuleExpression(path, text, made, fault, most, count, origin, site, declared, within, self.rule)

        self.expressions.append(compile_member("rule", self.rule.rule, rules.stored_expressions[0], count))
        message = self.rule.message_expression
        if message and self.expressions[0].error is None and self.versions.evaluate(MESSAGE_EXPRESSION.is_on):
            self.expressions.append(compile_member("messageExpression", message, rules.stored_expressions[1], ONCE))

    def list_errors(self, *, suppress_cost: bool) -> Iterator[FieldError]:
        """All that is wrong with the rule; with `suppresses_cost`, not that it is dear."""
        shown = GoTypedValue("apiextensions.ValidationRule", self.rule)
        for expression in self.expressions:
            if expression.error is not None:
                yield FieldError(INVALID, expression.path, expression.error, shown, self.origin)
            elif not suppress_cost:
                yield from validate_expression_cost(expression)
        for error in self._check_old_self(self.expressions[0].result):
            yield error.replace(origin=self.origin)

    def _check_old_self(self, found: CheckedAst | Rejection) -> Iterator[FieldError]:
        uncorrelatable = self.site.uncorrelatable_path
        if isinstance(found, CheckedAst) and found.type == BOOL and found.has_variable("oldSelf"):
            if uncorrelatable is not None:
                reason = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {uncorrelatable}"
                yield FieldError(INVALID, f"{self.path}.rule", reason, self.rule.rule)
        elif self.optional_old_self is not None:
            reason = "may not be set if oldSelf is not used in rule"
            yield FieldError(INVALID, f"{self.path}.optionalOldSelf", reason, self.optional_old_self)


def _estimate_cost(
    found: CheckedAst | Rejection, within: Environment, declared: Declaration, versions: MinorRange
) -> CompiledExpression:
    if isinstance(found, Rejection):
        return CompiledExpression(found)
    most = cost_estimate.estimate(found, within.minor, declared, versions)[1]
    return CompiledExpression(found, most, find_instantiation_error(found, within, versions))


def _find_rule_error(made: CompiledExpression) -> str | None:
    if isinstance(made.result, Rejection):
        return f"compilation failed: {made.result}"
    if made.result.type != BOOL:
        return "cel expression must evaluate to a bool"
    return made.error and f"program {made.error}"


def _find_message_error(made: CompiledExpression) -> str | None:
    if isinstance(made.result, Rejection):
        return f"messageExpression compilation failed: {made.result}"
    if made.result.type != STRING:
        return "messageExpression must evaluate to a string"
    return made.error and f"messageExpression {made.error}"


_ERROR_FINDERS = {"rule": _find_rule_error, "messageExpression": _find_message_error}
