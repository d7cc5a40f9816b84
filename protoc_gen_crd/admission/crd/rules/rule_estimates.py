"""Cost estimates of all rules of a CRD, whether or not servers accept the CRD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
from protoc_gen_crd.admission.crd.rules.cost_factors import ExpressionCostFunction, SearchBudget
from protoc_gen_crd.admission.crd.rules.cost_limit_errors import RuleExpression
from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_validation import SchemaValidator, get_schema_path
from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE, UNCONVERTIBLE
from protoc_gen_crd.admission.crd.update.validation_options import get_creation_options
from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart, InternalCrd, convert_to_internal
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches, Switches
from protoc_gen_crd.schema.schema import Schema


class SchemaCost(Record):
    """The rules of one schema on one server, with the server's path and the versions that share the schema.

    `skipped` is how many rules have no estimate because the schema has an error at their position, or because CEL has
    no type for it, as at the `untyped` sites.
    """

    path: str
    versions: tuple[str, ...]
    minor: int
    expressions: tuple[RuleExpression, ...]
    skipped: int
    untyped: tuple[RuleSite, ...] = ()

    @property
    def total(self) -> int:
        """The cost that is compared with the limit of a schema."""
        return min(sum([expression.cost for expression in self.expressions]), MAX_UINT64)


class RuleEstimator:
    """Estimates the rules of any number of CRDs, which share the compiled expressions.

    With `includes_rejected`, rules of schemas that servers reject for another reason are estimated too.

    Shortcut cost-functions: the cost as a function of bounds depends on the expression, its place, and the rules for
    sizes, and all CRDs are kept alive.
    """

    def __init__(self, *, includes_rejected: bool = False) -> None:
        self._visitor, self.compiler = make_schema_visitor(), RuleCompiler()
        self._validator = SchemaValidator(self._visitor, self.compiler)
        self._validator.includes_rejected = includes_rejected
        self._kept_alive: list[InternalCrd] = []  # keeps the nodes alive, whose identities are keys
        self._rules: dict[int, int] = {}
        self._sites: dict[tuple[int, str], RuleSite] = {}  # those of all versions, since their paths can be very long
        self._costings: dict[object, ExpressionCostFunction] = {}

    def estimate_schemas(self, crd: Crd, minors: Iterable[int]) -> Iterator[tuple[list[int], tuple[SchemaCost, ...]]]:
        """Estimate the costs of the rules of all schemas, for groups of adjacent minor versions with equal estimates.

        Schemas without rules are omitted.
        """
        internal = convert_to_internal(crd)
        self._kept_alive.append(internal)
        pending = sorted(minors, reverse=True)
        groups: list[tuple[list[int], tuple[SchemaCost, ...]]] = []
        while pending:
            recording = RecordingSwitches(pending.pop())
            costs, group = tuple(self._estimate_schemas(internal, recording)), [recording.minor]
            while pending and recording.contains(pending[-1]):
                group.append(pending.pop())
            groups.append((group, costs))
        yield from groups

    def _estimate_schemas(self, internal: InternalCrd, switches: Switches) -> Iterator[SchemaCost]:
        names = tuple([part.version.name for part in internal.versions])
        for part in filter(None, (internal.top, *internal.versions)):
            root = part.openapi
            if root is None or not (flags := self._visitor.visit_root(root).flags) & HAS_RULE:
                continue
            versions = names if part is internal.top else (part.version.name,)
            untyped: list[RuleSite] = []
            expressions = (
                () if flags & UNCONVERTIBLE else tuple(self._compile_expressions(part, internal, switches, untyped))
            )
            skipped = self._count_rules(root) - sum([not expression.is_message for expression in expressions])
            yield SchemaCost(get_schema_path(part), versions, switches.minor, expressions, skipped, tuple(untyped))

    def _count_rules(self, node: Schema) -> int:
        """Count the rules of a schema."""
        count = self._rules.get(id(node))
        if count is None:
            children = [*node.properties.values(), node.items, node.additional]
            count = len(node.rules) + sum([self._count_rules(child) for child in children if isinstance(child, Schema)])
            self._rules[id(node)] = count
        return count

    def _compile_expressions(
        self, part: CrdPart, internal: InternalCrd, switches: Switches, untyped: list[RuleSite]
    ) -> Iterator[RuleExpression]:
        if part.openapi is None:
            return
        options = get_creation_options(internal, self._visitor, switches)
        rules = self._validator.collect_rules(part, part.openapi, switches, options)
        sites = tuple([self._sites.setdefault((id(part.openapi), site.path), site) for site in rules.sites])
        for site, declared in self.compiler.declare_sites(rules.replace(sites=sites), switches):
            if isinstance(declared, str):
                untyped.append(site)
            else:
                for rule in self.compiler.compile_site_rules(site, declared, rules, switches):
                    yield from rule.expressions

    def get_cost_function(self, expression: RuleExpression, minor: int, budget: SearchBudget) -> ExpressionCostFunction:
        """Return the cost of an expression as a function of bounds, shared by servers with equal estimates."""
        declarations = self.compiler.expressions.get_declarations(minor)
        key = (
            id(expression.site),
            expression.steps,
            id(expression.compiled),
            declarations.sizes.int_or_strings,
        )  # the inputs of the function, apart from the bounds
        cost_function = self._costings.get(key)
        if cost_function is None:
            cost_function = self._costings[key] = ExpressionCostFunction(expression, declarations, budget)
        return cost_function
