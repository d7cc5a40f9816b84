"""The oldest Kubernetes version whose API servers accept the CEL rules of a CRD, by the functions that they call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial

from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
from protoc_gen_crd.cel.environment import get_new_environment, list_function_names
from protoc_gen_crd.cel.parser.ast import Ast, Call, Comprehension, Expr, Ident, ListExpr, MapExpr, Select, StructExpr
from protoc_gen_crd.cel.version_differences import TWO_VARIABLES
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.schema.schema import iterate_rules


def report_rule_versions(crds: Sequence[Crd], expressions: ExpressionCompiler, problems: Problems) -> None:
    """Report, once for each CRD, a rule that API servers of the oldest versions reject.

    It is for runs that do not name the versions of Kubernetes, which validate for the newest one only; `expressions`
    has parsed the rules for it.
    """
    find_newest_function = cache(partial(_find_newest_function, expressions))
    all_rules = iterate_rules(version.schema for crd in crds for version in crd.versions)  # CRDs share many schemas
    if all(find_newest_function(rule.rule)[0] <= OLDEST for rule in all_rules):
        return
    for crd in crds:
        rules = list(iterate_rules(version.schema for version in crd.versions))
        newest = max(((*find_newest_function(rule.rule), -index) for index, rule in enumerate(rules)), default=None)
        if newest is None or newest[0] <= OLDEST:
            continue
        minor, name, index = newest
        message = f'rule uses "{name}", so API servers before Kubernetes 1.{minor} reject the CRD'
        hint = (
            f'set "kubernetes" to the versions of your clusters, such as 1.{minor}..1.{NEWEST}: the oldest one decides'
        )
        problems.report("kubernetes-unset", message, rules[-index].origin or crd.origin, path=crd.name, hint=hint)


def _find_newest_function(expressions: ExpressionCompiler, rule: str) -> tuple[int, str]:
    """Return the first version that accepts a rule, and the function that requires it; invalid rules are ignored."""
    parsed = expressions.parse_expression(rule, get_new_environment, Switches.from_minor(NEWEST))
    names = _iterate_functions(parsed.root) if isinstance(parsed, Ast) else ()
    return max(((_find_first_version(name), name) for name in names), default=(OLDEST, ""))


@cache
def _find_first_version(name: str) -> int:
    if name == _TWO_VARIABLES:
        return TWO_VARIABLES.since + 1
    if name not in list_function_names(NEWEST):
        return OLDEST  # no version has it, or the oldest ones
    return next(minor for minor in range(OLDEST, NEWEST + 1) if name in list_function_names(minor))


_TWO_VARIABLES = "two variables"


def _iterate_functions(root: Expr) -> Iterator[str]:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Call):
            qualifier = node.target.name if isinstance(node.target, Ident) else ""
            yield from (node.function, f"{qualifier}.{node.function}")
            stack += [*node.args, *([node.target] if node.target else [])]
        elif isinstance(node, Select):
            stack.append(node.operand)
        elif isinstance(node, ListExpr):
            stack += node.elements
        elif isinstance(node, MapExpr):
            stack += [part for entry in node.entries for part in (entry.key, entry.value)]
        elif isinstance(node, StructExpr):
            stack += [field.value for field in node.fields]
        elif isinstance(node, Comprehension):
            if node.iter_var2:
                yield _TWO_VARIABLES
            stack += [node.iter_range, node.accu_init, node.condition, node.step, node.result]
