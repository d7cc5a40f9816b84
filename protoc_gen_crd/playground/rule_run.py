"""A CEL rule on values: its type, results, estimated and actual cost, for each Kubernetes version.

The rule is compiled as that of a new CRD, and evaluated on pruned and defaulted values, as API servers do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite, SchemaRules, is_container
from protoc_gen_crd.admission.crd.rules.cost_limit_errors import RuleExpression
from protoc_gen_crd.admission.crd.rules.rule_compiler import CompiledRule, RuleCompiler
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import Type, format_for_author
from protoc_gen_crd.cel.environment import get_new_environment
from protoc_gen_crd.cel.interpreter.program import Program, make_program
from protoc_gen_crd.cel.parser.ast import NO_PLACE
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import unparse
from protoc_gen_crd.cel.project_macros import preprocess
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches, Switches
from protoc_gen_crd.playground.rule_subjects import MAX_VALUES, RuleSubject, read_values
from protoc_gen_crd.playground.value_literals import format_literal
from protoc_gen_crd.schema.schema import VALIDATIONS, ValidationRule

_EMPTY_CONTAINER = " (in container '')"
_NO_TYPE = "CEL has no type for this value"


class Evaluation(Record):
    """The result of a rule on the value at a path: a literal or an error, and the actual cost."""

    path: str
    value: str
    error: str
    cost: int


class RuleError(Record):
    """The reason why a rule is rejected, and its position in the expression in characters; -1 for all of it."""

    message: str
    at: int = -1


class RuleResult(Record):
    """The result that some minor versions share.

    `evaluation_cost` is the estimated maximum cost of one evaluation, `times` the maximum number of values, and `cost`
    their product, which the limit applies to. `count` is the number of values, of which the first are evaluated.
    """

    minors: tuple[int, ...]
    type: str
    errors: tuple[RuleError, ...]
    evaluation_cost: int
    times: int
    cost: int
    evaluations: tuple[Evaluation, ...]
    count: int


def try_rule(text: str, subject: RuleSubject, minors: Sequence[int]) -> tuple[str, tuple[RuleResult, ...]]:
    """Return an expression without the macros of this tool, and its results, those of the newest versions first.

    An expression of any type is evaluated, although a rule must be a bool.
    """
    raise_recursion_limit()
    expression = _expand_macros(text)
    if isinstance(expression, Rejection):
        return text, (RuleResult(tuple(minors), "", tuple(_list_errors(expression)), 0, 0, 0, (), 0),)
    trial = _RuleTrial(expression, subject)
    results: dict[RuleResult, list[int]] = {}
    pending = sorted(minors, reverse=True)
    while pending:
        versions, result, checked = trial.compile(pending[0])
        covered = [minor for minor in pending if versions.contains(minor)]
        pending = [minor for minor in pending if minor not in covered]
        for minor in covered:
            evaluations = tuple(trial.evaluate(checked, minor)) if checked else ()
            results.setdefault(result.replace(evaluations=evaluations), []).append(minor)
    return expression, tuple(result.replace(minors=tuple(sorted(accepting))) for result, accepting in results.items())


def _expand_macros(text: str) -> str | Rejection:
    """Return an expression without macros of this tool: as it is written, if it has none or does not parse."""
    tree = parse(text)
    if isinstance(tree, Rejection):
        return text  # reported by the compiler of each version
    expanded = preprocess(text)
    return text if expanded == unparse(tree) else expanded


def _list_errors(rejection: Rejection) -> Iterator[RuleError]:
    for issue in sorted(rejection.issues, key=lambda issue: issue.at):
        yield RuleError(issue.message.removesuffix(_EMPTY_CONTAINER), -1 if issue.at == NO_PLACE else max(issue.at, 0))


class _RuleTrial:
    """An expression and its values."""

    def __init__(self, text: str, subject: RuleSubject) -> None:
        schema = subject.schema
        node = schema.node.with_keywords({VALIDATIONS: (ValidationRule(text),)})
        ancestors = (*schema.ancestors[:-1], (node, ""))
        above = enumerate([ancestor for ancestor, _ in schema.ancestors[:-1]])
        containers = tuple([(depth, ancestor) for depth, ancestor in above if is_container(ancestor)])
        self._site = RuleSite(node, "", ancestors, containers, None)
        self._rules = SchemaRules(ancestors[0][0], "", (self._site,))
        self._compiler = RuleCompiler()
        self._schema, self._is_root = schema.node, schema.is_root
        self._values = list(read_values(subject))

    def compile(self, minor: int) -> tuple[RecordingSwitches, RuleResult, CheckedAst | None]:
        """Compile for a version. Return the versions that share the result, the result, and the checked expression."""
        versions = RecordingSwitches(minor)
        ((_, declared),) = self._compiler.declare_sites(self._rules, versions)
        if isinstance(declared, str):
            return versions, self._make_result("", (RuleError(declared or _NO_TYPE),)), None
        (rule,) = self._compiler.compile_site_rules(self._site, declared, self._rules, versions)
        expression = rule.expressions[0]
        compiled = expression.result
        if not isinstance(compiled, CheckedAst):
            return versions, self._make_result("", tuple(_list_errors(compiled))), None
        result = self._make_result(_format_type(compiled.type), tuple(_find_errors(rule)), expression)
        return versions, result, compiled

    def _make_result(
        self, kind: str, errors: tuple[RuleError, ...], expression: RuleExpression | None = None
    ) -> RuleResult:
        once = expression.compiled.max_cost if expression else 0
        times = expression.cardinality.maximum if expression else 0
        return RuleResult((), kind, errors, once, times, once * times, (), len(self._values))

    def evaluate(self, checked: CheckedAst, minor: int) -> Iterator[Evaluation]:
        """Evaluate on each value as Kubernetes 1.`minor` does."""
        program = make_program(checked, get_new_environment(minor))
        readers = ValueReaderFactory(self._compiler.expressions.get_declarations(minor), Switches(minor))
        read = readers.make_reader(self._schema, root=self._is_root)
        for path, value in self._values[:MAX_VALUES]:
            if not isinstance(program, Program):
                yield Evaluation(path, "", program.message, 0)
                continue
            outcome = program.evaluate({"self": read(value)})
            error = outcome.error or ""
            if error and checked.has_variable("oldSelf") and "oldSelf" in error:
                error = "not evaluated: oldSelf has a value only on updates"
            yield Evaluation(path, "" if outcome.error else format_literal(outcome.value), error, outcome.cost)


def _format_type(kind: Type) -> str:
    """Format a type; those of schemas have no names in CEL."""
    return re.sub(r"\bselfType[\w.@]*", "object", format_for_author(kind))


def _find_errors(rule: CompiledRule) -> Iterator[RuleError]:
    """Yield why the program cannot be created, and the cost over the limit. Expressions of all types are accepted."""
    compiled = rule.expressions[0].compiled
    if compiled.error:
        yield RuleError(compiled.error)
    if rule.expressions[0].error is None:
        yield from (RuleError(cause.detail) for cause in rule.list_errors(suppress_cost=False))
