"""What every rule of a CRD costs, whether or not the CRD would be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.admission.crd.bounds import Costing, Effort
from protoc_gen_crd.admission.crd.compiling import Compiler
from protoc_gen_crd.admission.crd.costs import Expression
from protoc_gen_crd.admission.crd.held import Held, Part, hold
from protoc_gen_crd.admission.crd.options import of_creation
from protoc_gen_crd.admission.crd.survey import HAS_RULE, UNCONVERTIBLE, Survey
from protoc_gen_crd.admission.crd.validation import Stages, path_of
from protoc_gen_crd.admission.switches import Switches, Watched
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import Schema


class SchemaCost(Record):
    """The rules of one schema on one server: its path as the server has it, the versions that share it, expressions.

    `skipped` are the rules for which there is no estimate since the schema is at fault there, or CEL sees no type.
    """

    path: str
    versions: tuple[str, ...]
    minor: int
    expressions: tuple[Expression, ...]
    skipped: int

    @property
    def total(self) -> int:
        """What is held against the limit of a schema."""
        return min(sum([expression.cost for expression in self.expressions]), MOST)


class Estimator:
    """Estimates for any CRDs; what is worked out for one serves all."""

    def __init__(self) -> None:
        self._survey, self.compiler = Survey(), Compiler()
        self._stages = Stages(self._survey, self.compiler)
        self._seen: list[Held] = []  # keeps the nodes alive that are known by identity
        self._rules: dict[int, int] = {}
        self._costings: dict[object, Costing] = {}

    def schemas(self, crd: Crd, minors: Iterable[int]) -> Iterator[tuple[list[int], tuple[SchemaCost, ...]]]:
        """What the rules of the schemas cost, for minor versions in order, neighbours together that estimate all alike.

        A schema without rules is left out.
        """
        held = hold(crd)
        self._seen.append(held)
        waiting = sorted(minors, reverse=True)
        found: list[tuple[list[int], tuple[SchemaCost, ...]]] = []
        while waiting:
            watched = Watched(Switches.of(waiting.pop()))
            costs, same = tuple(self._schemas(held, watched)), [watched.minor]
            while waiting and watched.agrees(Switches.of(waiting[-1])):
                same.append(waiting.pop())
            found.append((same, costs))
        yield from found

    def _schemas(self, held: Held, switches: Switches) -> Iterator[SchemaCost]:
        names = tuple([part.version.name for part in held.versions])
        for part in filter(None, (held.top, *held.versions)):
            root = part.openapi
            if root is None or not (bits := self._survey.of(root).bits) & HAS_RULE:
                continue
            versions = names if part is held.top else (part.version.name,)
            found = () if bits & UNCONVERTIBLE else tuple(self._expressions(part, held, switches))
            skipped = self._count(root) - sum([expression.path.endswith(".rule") for expression in found])
            yield SchemaCost(path_of(part), versions, switches.minor, found, skipped)

    def _count(self, node: Schema) -> int:
        """How many rules there are in a schema."""
        known = self._rules.get(id(node))
        if known is None:
            below = [*node.properties.values(), node.items, node.additional]
            known = len(node.rules) + sum([self._count(each) for each in below if isinstance(each, Schema)])
            self._rules[id(node)] = known
        return known

    def _expressions(self, part: Part, held: Held, switches: Switches) -> Iterator[Expression]:
        if part.openapi is None:
            return
        options = of_creation(held, self._survey, switches)
        rules, era = self._stages.rules(part, part.openapi, switches, options), Era(switches.minor)
        for site, declared in self.compiler.sites(rules, era):
            if declared is not None:
                for rule in self.compiler.rules(site, declared, rules, era):
                    yield from rule.expressions
        switches.ask(era.holds)

    def costing(self, expression: Expression, minor: int, effort: Effort) -> Costing:
        """The cost of an expression as a function of bounds; the same object for servers that estimate it alike."""
        declarations = self.compiler.expressions.declarations(minor)
        root = expression.site.above[0][0]
        key = (
            id(root),
            expression.path,
            id(expression.made),
            declarations.sizes.int_or_strings,
        )  # what bounds are held to
        known = self._costings.get(key)
        if known is None:
            known = self._costings[key] = Costing(expression, declarations, effort)
        return known
