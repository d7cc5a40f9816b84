"""What every rule of a CRD costs, whether or not the CRD would be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
from protoc_gen_crd.admission.crd.rules.cost_factors import ExpressionCostFunction, SearchBudget
from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.crd.rules.rule_costs import RuleExpression
from protoc_gen_crd.admission.crd.structure.node_checks import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_validation import SchemaValidator, get_schema_path
from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE, UNCONVERTIBLE
from protoc_gen_crd.admission.crd.update.validation_options import get_creation_options
from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart, InternalCrd, convert_to_internal
from protoc_gen_crd.admission.switches import RecordingSwitches, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.cel.version_range import MinorRange
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.schema import Schema


class SchemaCost(Record):
    """The rules of one schema on one server: its path as the server has it, the versions that share it, expressions.

    `skipped` are the rules for which there is no estimate since the schema is at fault there, or CEL sees no type, as
    at the sites that are `untyped`.
    """

    path: str
    versions: tuple[str, ...]
    minor: int
    expressions: tuple[RuleExpression, ...]
    skipped: int
    untyped: tuple[RuleSite, ...] = ()

    @property
    def total(self) -> int:
        """What is held against the limit of a schema."""
        return min(sum([expression.cost for expression in self.expressions]), MAX_UINT64)


class RuleEstimator:
    """Estimates for any CRDs; what is worked out for one serves all.

    With `includes_rejected`, rules of schemas that servers reject for another reason are estimated too.

    Shortcut cost-functions: the cost as a function of bounds depends on the expression, its place, and the rules for
    sizes, and all CRDs are kept alive.
    """

    def __init__(self, *, includes_rejected: bool = False) -> None:
        self._visitor, self.compiler = make_schema_visitor(), RuleCompiler()
        self._validator = SchemaValidator(self._visitor, self.compiler)
        self._validator.includes_rejected = includes_rejected
        self._kept_alive: list[InternalCrd] = []  # keeps the nodes alive that are known by identity
        self._rules: dict[int, int] = {}
        self._costings: dict[object, ExpressionCostFunction] = {}

    def estimate_schemas(self, crd: Crd, minors: Iterable[int]) -> Iterator[tuple[list[int], tuple[SchemaCost, ...]]]:
        """What the rules of the schemas cost, for minor versions in order, neighbours together that estimate all alike.

        A schema without rules is left out.
        """
        held = convert_to_internal(crd)
        self._kept_alive.append(held)
        waiting = sorted(minors, reverse=True)
        found: list[tuple[list[int], tuple[SchemaCost, ...]]] = []
        while waiting:
            watched = RecordingSwitches(Switches.from_minor(waiting.pop()))
            costs, same = tuple(self._estimate_schemas(held, watched)), [watched.minor]
            while waiting and watched.has_same_answers(Switches.from_minor(waiting[-1])):
                same.append(waiting.pop())
            found.append((same, costs))
        yield from found

    def _estimate_schemas(self, internal: InternalCrd, switches: Switches) -> Iterator[SchemaCost]:
        names = tuple([part.version.name for part in internal.versions])
        for part in filter(None, (internal.top, *internal.versions)):
            root = part.openapi
            if root is None or not (bits := self._visitor.visit_root(root).flags) & HAS_RULE:
                continue
            versions = names if part is internal.top else (part.version.name,)
            untyped: list[RuleSite] = []
            found = () if bits & UNCONVERTIBLE else tuple(self._compile_expressions(part, internal, switches, untyped))
            skipped = self._count_rules(root) - sum([expression.path.endswith(".rule") for expression in found])
            yield SchemaCost(get_schema_path(part), versions, switches.minor, found, skipped, tuple(untyped))

    def _count_rules(self, node: Schema) -> int:
        """How many rules there are in a schema."""
        known = self._rules.get(id(node))
        if known is None:
            below = [*node.properties.values(), node.items, node.additional]
            known = len(node.rules) + sum([self._count_rules(each) for each in below if isinstance(each, Schema)])
            self._rules[id(node)] = known
        return known

    def _compile_expressions(
        self, part: CrdPart, internal: InternalCrd, switches: Switches, untyped: list[RuleSite]
    ) -> Iterator[RuleExpression]:
        if part.openapi is None:
            return
        options = get_creation_options(internal, self._visitor, switches)
        rules, era = self._validator.collect_rules(part, part.openapi, switches, options), MinorRange(switches.minor)
        for site, declared in self.compiler.declare_sites(rules, era):
            if isinstance(declared, str):
                untyped.append(site)
            else:
                for rule in self.compiler.compile_site_rules(site, declared, rules, era):
                    yield from rule.expressions
        switches.evaluate(era.contains)

    def get_cost_function(self, expression: RuleExpression, minor: int, budget: SearchBudget) -> ExpressionCostFunction:
        """The cost of an expression as a function of bounds; the same object for servers that estimate it alike."""
        declarations = self.compiler.expressions.get_declarations(minor)
        root = expression.site.ancestors[0][0]
        key = (
            id(root),
            expression.path,
            id(expression.compiled),
            declarations.sizes.int_or_strings,
        )  # what bounds are held to
        known = self._costings.get(key)
        if known is None:
            known = self._costings[key] = ExpressionCostFunction(expression, declarations, budget)
        return known
