"""Values that break rules of their node, put right: what the rules ask for is tried until nothing is wrong.

Plans that lessen what is wrong are followed; where none does, pairs of plans are tried. The number of tries is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.ast import Ast
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.samples.asked import Plan
from protoc_gen_crd.samples.changes import NOTHING, Steps, changed
from protoc_gen_crd.samples.leaves import leaves
from protoc_gen_crd.samples.plans import Planner, literals_of
from protoc_gen_crd.samples.shapes import Shape
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import Json, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.samples.maker import Maker

_TRIES = 600
_ROUNDS = 100
_LEAVES = 40  # values of a leaf that are tried
_PLANS = 400  # plans of a rule that are looked at before one is tried
_PAIRED = 12  # plans that are followed although they lessen nothing


def repaired(
    schema: Schema, value: Json, maker: Maker, *, root: bool, tries: int = _TRIES, kept: str = ""
) -> Json | None:
    """The value with nothing wrong, or with less wrong; None where nothing could be bettered. One property is kept."""
    if not schema.rules:
        return None
    return _Repair(schema, maker, root=root, tries=tries, kept=kept).of(value)


class _Repair:
    def __init__(self, schema: Schema, maker: Maker, *, root: bool, tries: int, kept: str) -> None:
        self.schema, self.maker, self.root, self.kept = schema, maker, root, kept
        self.left = tries

    def of(self, value: Json) -> Json | None:
        """Follow plans as long as they help."""
        best, errors = value, self._errors(value)
        for _ in range(_ROUNDS):
            found = self._better(best, errors)
            if found is None:
                break
            best, errors = found
            if not errors:
                break
        return None if best is value else best

    def _errors(self, value: Json) -> int:
        """How much is wrong; every rule of the node that is broken counts."""
        self.left -= 1
        judge = self.maker.judge
        found = judge.errors(self.schema, value, root=self.root)
        return len(found) + (0 if judge.fits(self.schema, judge.defaulted(self.schema, value, root=self.root)) else 100)

    def _better(self, value: Json, errors: int) -> tuple[Json, int] | None:
        """A value with less wrong, after one plan or two."""
        aside: list[Json] = []
        for made, count in self._tried(value):
            if count < errors:
                return made, count
            if count == errors and len(aside) < _PAIRED:
                aside.append(made)
        for other in aside:
            for made, count in self._tried(other):
                if count < errors:
                    return made, count
        return None

    def _tried(self, value: Json) -> Iterator[tuple[Json, int]]:
        seen = [value]
        for rule in self.maker.judge.broken(self.schema, value, root=self.root):
            ast = self._asts.get(rule.rule)
            if ast is None:
                continue
            plans = Planner(ast, value, self._fill, partial(named, self.schema), self._literals).plans()
            for plan in sorted(islice(plans, _PLANS), key=_removes) if self.maker.full else plans:
                if self.left <= 0 or self.maker.judge.patience <= 0:
                    return
                made = changed(value, plan)
                if made not in seen and not (self.kept and isinstance(made, dict) and self.kept not in made):
                    seen.append(made)
                    yield made, self._errors(made)

    @cached_property
    def _asts(self) -> Mapping[str, Ast]:
        """The rules of the node, read."""
        dialect = environment.stored(self.maker.judge.switches.minor).dialect
        read = {rule.rule: parse(rule.rule, dialect) for rule in self.schema.rules}
        return {text: ast for text, ast in read.items() if isinstance(ast, Ast)}

    @cached_property
    def _literals(self) -> Mapping[str, Sequence[Json]]:
        return literals_of(self._asts.values())

    def _fill(self, path: Steps) -> Iterable[Json]:
        """Likely values for a path."""
        shape = below(self.schema, path)
        if shape is not None:
            name = str(path[-1]) if path else ""
            if path:  # the value itself is being made
                yield self.maker.of(shape, name).value
            yield from islice(leaves(shape, name, self.maker.judge), _LEAVES)


def _removes(plan: Plan) -> bool:
    """Whether a plan takes away what a full value should have."""
    return any(change.value is NOTHING or change.value == [] for change in plan)


def below(schema: Schema, path: Steps) -> Shape | None:
    """What a schema says of what stands at a path."""
    shape: Shape | None = Shape((schema,))
    for step in path:
        shape = _below(shape, step) if shape else None
    return shape


def named(schema: Schema, path: Steps, field: str) -> str:
    """The property that a field of a rule means, of what stands at a path."""
    found = below(schema, path)
    names: Any = found.schema.properties if found else ()
    return next((name for name in names if cel_name(name) == field), field)


def _below(shape: Shape, step: str | int) -> Shape | None:
    return shape.items if isinstance(step, int) else shape.member(step) or shape.additional
