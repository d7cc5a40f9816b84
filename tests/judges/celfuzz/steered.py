"""Expressions that use what has been used least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from protoc_gen_crd.cel.checker.assignability import Unifier
from protoc_gen_crd.cel.checker.checker import compile_text
from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.checker.types import (
    DYN,
    INT,
    LIST,
    MAP,
    NULL,
    OBJECT,
    PARAMETER,
    STRING,
    TYPE,
    Type,
    make_map_type,
)
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.issues import Rejection
from tests.judges.celfunctions.maker import Maker

from .expressions import LITERALS
from .forms import ARGUMENTS, ORDERED, Formed
from .hints import FORMATS, hinted, library_call

_MADE_BY = {
    "kubernetes.Quantity": "quantity", "kubernetes.Semver": "semver", "kubernetes.URL": "url", "net.IP": "ip",
    "net.CIDR": "cidr",
}  # fmt: skip
_SELECTED = "select_optional_field"
_UNBOUNDED = "lists_range"


_KEYS: dict[int, tuple[Overload, str]] = {}  # by identity, since hashing an overload takes long
_BY_KIND: dict[int, tuple[Environment, dict[str, list[Overload]]]] = {}


def key(overload: Overload) -> str:
    """An overload with its signature, since ids occur twice."""
    cached = _KEYS.get(id(overload))
    if cached is None:
        cached = _KEYS[id(overload)] = overload, f"{overload.id}: {overload}"
    return cached[1]


def _by_kind(environment: Environment, overloads: list[Overload]) -> dict[str, list[Overload]]:
    """Overloads by what kind of type they result in."""
    if id(environment) not in _BY_KIND:
        overloads_by_kind: dict[str, list[Overload]] = {PARAMETER: []}
        for overload in overloads:
            overloads_by_kind.setdefault(overload.result.kind, []).append(overload)
        _BY_KIND[id(environment)] = environment, overloads_by_kind
    return _BY_KIND[id(environment)][1]


class Steered(Formed):
    """Makes expressions by how often overloads are in `counts`."""

    def __init__(
        self, seed: int, environment: Environment, variables: dict[str, Type], counts: Counter[str], faults: float
    ) -> None:
        super().__init__(seed, environment, variables, faults)
        self.counts, self.maker = counts, Maker(str(seed))
        self._by_kind = _by_kind(environment, self.overloads)
        self._generic = self._by_kind[PARAMETER]

    def any(self, depth: int) -> str:
        """An expression of whatever type, half of them around an overload that is rare."""
        chosen = self.random.random()
        if chosen < 0.1:
            text = library_call(self.maker)
            compiled = compile_text(text, self.environment, self.variables)
            return text if isinstance(compiled, Rejection) else self.around(text, compiled.type, depth)
        return self.rare(depth) if chosen < 0.6 else super().any(depth)

    def rare(self, depth: int) -> str:
        """A call of a rare overload or macro within something else."""
        chosen = self.random.random()
        if chosen < 0.06 and "sortBy" in self.macros:
            text, kind = self.macro("sortBy/2", max(depth - 2, 0))
            return self.around(text, kind, depth - 1)
        if chosen < 0.15:
            known_macros = [name for name in ARGUMENTS if self.knows(name)]
            text, kind = self.macro(min(known_macros, key=lambda name: self.counts[name]), max(depth - 2, 0))
            return self.around(text, kind, depth - 1)
        overload = min(self.random.sample(self.overloads, 30), key=lambda candidate: self.counts[key(candidate)])
        known: dict[str, Type] = {}
        types = [self._same(kind, known) for kind in overload.args]
        text = self.written(overload, self.arguments(overload, types, max(depth - 2, 0)))
        return self.around(text, self._same(overload.result, known), depth - 1)

    def around(self, text: str, kind: Type, depth: int) -> str:
        """A call with the text as one of its arguments, and so on."""
        while depth > 0:
            depth -= 1
            for overload in self.random.sample(self.overloads, 25):
                fitting = [at for at, arg in enumerate(overload.args) if self._takes(arg, kind)]
                if overload.id == _SELECTED and kind != DYN and kind.kind not in (MAP, OBJECT):
                    continue
                if fitting:
                    text, kind = self._with(overload, self.random.choice(fitting), text, kind, depth)
                    break
        return text

    def _takes(self, parameter: Type, kind: Type) -> bool:
        return Unifier(lambda: True).is_assignable(parameter, kind) and (
            parameter.kind != PARAMETER or self.random.random() < 0.2
        )

    def _with(self, overload: Overload, place: int, text: str, kind: Type, depth: int) -> tuple[str, Type]:
        unifier, known = Unifier(lambda: True), dict[str, Type]()
        unifier.is_assignable(overload.args[place], kind)
        types = [self._same(unifier.substitute(argument), known) for argument in overload.args]
        args = self.arguments(overload, types, depth - 1)
        args[place] = text
        return self.written(overload, args), self._same(unifier.substitute(overload.result), known)

    def ways(self) -> list[Callable[[Type, int], str | None]]:
        """Return the forms of other types, and other forms."""
        return [*super().ways(), self.forms]

    def call(self, kind: Type, depth: int) -> str | None:
        """A call of an overload with this result, now and then of that which was compiled least."""
        candidates = self.random.choices(self._by_kind.get(kind.kind, ()) or self._generic, k=10)
        if self._generic and self.random.random() < 0.1:
            candidates = self.random.choices(self._generic, k=10)
        fitting = [candidate for candidate in candidates if Unifier(lambda: True).is_assignable(candidate.result, kind)]
        if not fitting:
            return None
        rare = self.random.random() < 0.3
        overload = min(fitting, key=lambda candidate: self.counts[key(candidate)]) if rare else fitting[0]
        unifier = Unifier(lambda: True)
        unifier.is_assignable(overload.result, kind)
        return self.called(overload, [unifier.substitute(arg) for arg in overload.args], depth)

    def arguments(self, overload: Overload, types: list[Type], depth: int) -> list[str]:
        """Arguments that the function can do something with, mostly."""
        return [self._argument(overload, place, kind, depth) for place, kind in enumerate(types)]

    def _argument(self, overload: Overload, place: int, kind: Type, depth: int) -> str:
        if overload.id == _UNBOUNDED:
            return f"{self.of(INT, depth)} % 20" if self.random.random() < 0.5 else str(self.random.randint(-1, 12))
        if overload.id == _SELECTED and place == 0:
            kind = self.random.choice((DYN, make_map_type(STRING, self.type(1))))
        hint = hinted(overload.id, place, self.maker) if kind == STRING and self.random.random() < 0.7 else None
        return self.of(kind, depth) if hint is None else hint

    def sorting(self) -> Type:
        """The type that has been sorted by least."""
        named = {kind: f"list_{kind.name}_sortByAssociatedKeys: " for kind in ORDERED}
        counts = {
            kind: sum(n for key, n in self.counts.items() if key.startswith(name)) for kind, name in named.items()
        }
        return min(counts, key=lambda kind: counts[kind])

    def leaf(self, kind: Type) -> str:
        """Return a short expression; for types without one, a dynamic value."""
        if kind.name in _MADE_BY:
            return f"{(name := _MADE_BY[kind.name])}({hinted(f'string_to_{name}', 0, self.maker)})"
        return super().leaf(kind) if self.faults else self._sound(kind)

    def _sound(self, kind: Type) -> str:
        variable = self.variable(kind, 0) if self.random.random() < 0.5 else None
        return variable or (self.random.choice(LITERALS[kind]) if kind in LITERALS else self._compound(kind))

    def _compound(self, kind: Type) -> str:
        if kind.kind == LIST:  # mostly with items, without which functions take it for any list
            count = 0 if self.random.random() < 0.1 else self.random.randint(1, 3)
            return f"[{', '.join([self.leaf(kind.params[0]) for _ in range(count)])}]"
        if kind.kind in (MAP, TYPE, NULL.kind) or kind.name == "optional_type":
            return super()._compound(kind) if kind != NULL else "null"
        if kind.name == "kubernetes.NamedFormat":
            return f"format.{self.random.choice(FORMATS)}()"
        return self.random.choice(("dyn(self)", "dyn(null)", "dyn(1)", "dyn(['a'])"))
