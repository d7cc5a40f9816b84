"""Forms of expressions: optional steps through data, mixed keys and numbers, formats, errors that are absorbed."""

from __future__ import annotations

import re

from protoc_gen_crd.cel.checker.types import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    LIST,
    MAP,
    OPAQUE,
    STRING,
    UINT,
    Type,
    make_list_type,
    make_optional_type,
)
from tests.judges.celtypes.expressions import SCALARS

from .expressions import Evaluated

_STEP = re.compile(r"\.(?=\w)|\[")
_FAILING = (
    "1 / 0 > 0", "[][0]", "dyn('a') > 1", "{}['a']", "dyn(1)", "[1][dyn('a')] == 1", "int('x') == 1", "self.nothing",
    "[true, 1].all(e, e)", "dyn([1]).b", "'a'.matches(['('][0])", "9223372036854775807 + 1 > 0", "dyn(null) < 1",
)  # fmt: skip
_NUMBERS = ("1", "1u", "1.0", "2", "2u", "2.5", "-1", "0", "0u", "-0.0", "double('NaN')", "9007199254740993")
_KEYS = ("1", "1u", "true", "'a'", "2", "'k'", "false", "3u", "-1", "dyn(1.0)", "''", "'é'")
_VERBS: dict[str, tuple[Type, ...]] = {
    "s": (*SCALARS, DYN, make_list_type(STRING)), "d": (INT, UINT), "f": (DOUBLE,), "e": (DOUBLE,), "b": (INT, UINT,
    BOOL),
    "x": (INT, UINT, STRING), "X": (INT, UINT, STRING), "o": (INT, UINT),
}  # fmt: skip


class Chained(Evaluated):
    """Makes such expressions."""

    def chained(self, kind: Type, depth: int) -> str | None:
        """A form of this kind."""
        if kind == BOOL:
            return self.random.choice((self._absorbed, self._mixed, self._asked))(depth)
        if kind == STRING and self.random.random() < 0.4:
            return self._formatted(depth)
        if kind.kind == OPAQUE:
            return self._steps(kind.params[0]) if kind.name == "optional_type" else None
        expression = self._steps(kind)
        if expression is None or "optMap" not in self.macros:
            return self._keyed(kind, depth)
        last = self.random.random()
        if last < 0.2:
            return f"({expression}).value()"
        if last < 0.5:
            expression = f"{expression}).or({self._target(self.of(make_optional_type(kind), depth))}"
        return f"({expression}).orValue({self.of(kind, depth)})"

    def _steps(self, kind: Type) -> str | None:
        """A way through data to this kind in which some steps are optional."""
        names = [name for name, its in self._paths() if its == kind and _STEP.search(name)]
        return self._optional_steps(self.random.choice(names)) if names else None

    def _optional_steps(self, path: str) -> str:
        places = [match.start() for match in _STEP.finditer(path)]
        chosen = {self.random.choice(places), *[at for at in places if self.random.random() < 0.3]}
        return "".join([f"{char}?" if place in chosen else char for place, char in enumerate(path)])

    def _asked(self, _: int) -> str:
        """Whether what some steps lead to is there."""
        names = [name for name, _ in self._paths() if re.search(r"\.\w+$", name)]
        path = self.random.choice(names) if names else "self.a"
        if "optMap" not in self.macros or self.random.random() < 0.5:
            return f"has({path})"
        if path.count(".") < 2 or self.random.random() < 0.5:
            return f"({self._optional_steps(path)}).hasValue()"
        start, last = path.rsplit(".", 1)
        return f"has({self._optional_steps(start)}.{last})"

    def _absorbed(self, depth: int) -> str:
        """An error that another operand may outweigh."""
        failing, other = self.random.choice(_FAILING), self.of(BOOL, depth)
        sides = self.random.sample((f"({failing})", other), 2)
        if self.random.random() < 0.2:
            return f"({other} ? {sides[0]} : {sides[1]})"
        return f"({self.random.choice((' || ', ' && ')).join(sides)})"

    def _mixed(self, depth: int) -> str:
        """Values of different types compared, or looked for among others."""
        first, other = [self._operand(depth) for _ in range(2)]
        sign = self.random.choice(("==", "!=", "<", "<=", ">", ">=", "in", "in"))
        if sign == "in":
            among = ", ".join([self._operand(0) for _ in range(self.random.randint(0, 3))])
            return f"({first} in {self.random.choice((f'[{among}]', f'dyn([{among}])', self._mixed_map(depth)))})"
        return f"(dyn({first}) {sign} {other})" if sign in ("==", "!=") else f"({first} {sign} {other})"

    def _operand(self, depth: int) -> str:
        if self.random.random() < 0.5:
            return self.random.choice(_NUMBERS)
        return f"dyn({self.of(self.random.choice((*SCALARS, DYN)), max(depth - 1, 0))})"

    def _mixed_map(self, depth: int) -> str:
        keys = self.random.sample(_KEYS, self.random.randint(1, 4))
        return f"{{{', '.join([f'{key}: {self.of(self.random.choice(SCALARS), max(depth - 2, 0))}' for key in keys])}}}"

    def _keyed(self, kind: Type, depth: int) -> str | None:
        """The value of a key of another type."""
        if kind.kind in (LIST, MAP) and self.random.random() < 0.5:
            return None
        keys = self.random.sample(_KEYS, 3)
        entries = ", ".join([f"dyn({key}): {self.of(kind, max(depth - 1, 0))}" for key in keys])
        return f"{{{entries}}}[dyn({self.random.choice((*keys, *_KEYS))})]"

    def _formatted(self, depth: int) -> str:
        """A text with verbs, mostly with what they take."""
        verbs = self.random.choices(list(_VERBS), k=self.random.randint(1, 3))
        clauses = [f"%{self.random.choice(('', '', '.0', '.1', '.3', '.12'))}{verb}" for verb in verbs]
        values = [self.of(self.random.choice(_VERBS[verb]), max(depth - 1, 0)) for verb in verbs]
        text = self.random.choice(("", " ", "é%%")).join(clauses)
        return f"'{text}'.format([{', '.join(values)}])"
