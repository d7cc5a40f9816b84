"""Random expressions of a type that is asked for, by all overloads and macros of an environment, now and then wrong."""

from __future__ import annotations

import random
from collections.abc import Callable

from protoc_gen_crd.cel.checker.assignability import Unifier
from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.checker.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    LIST,
    MAP,
    NULL,
    OBJECT,
    OPAQUE,
    PARAMETER,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    make_list_type,
    make_map_type,
    make_optional_type,
)
from protoc_gen_crd.cel.environment import Environment

SCALARS = (BOOL, INT, UINT, DOUBLE, STRING, BYTES, DURATION, TIMESTAMP)
LITERALS: dict[Type, tuple[str, ...]] = {
    BOOL: ("true", "false"),
    INT: ("0", "1", "-1", "7", "9223372036854775807"),
    UINT: ("0u", "1u"),
    DOUBLE: ("0.0", "1.5", "-2e3"),
    STRING: ("''", "'a'", "'[a-z]'", "'1s'", "'\u00e9'", "'2020-01-01T00:00:00Z'", "'%s %d'", "'('"),
    BYTES: ("b''", "b'a'"),
    DURATION: ("duration('1s')", "duration('1d')"),
    TIMESTAMP: ("timestamp('2020-01-01T00:00:00Z')", "timestamp(0)"),
    NULL: ("null",),
    DYN: ("dyn(1)", "dyn('a')", "dyn([1])", "dyn({'a': 1})"),
}
INFIX = {
    "_+_": "+", "_-_": "-", "_*_": "*", "_/_": "/", "_%_": "%", "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">=",
    "_==_": "==", "_!=_": "!=", "_&&_": "&&", "_||_": "||", "@in": "in",
}  # fmt: skip
WRITTEN = {
    "_[_]": "({0})[{1}]", "_[?_]": "({0})[?{1}]", "_?._": "({0}).?a", "_?_:_": "({0} ? {1} : {2})", "!_": "!({0})",
    "-_": "-({0})",
}  # fmt: skip
# Names that no text can call: expansions of macros use them.
HIDDEN = ("@not_strictly_false", "cel.@mapInsert", "@sortByAssociatedKeys")


class Expressions:
    """Makes expressions from a seed. `faults` is the share of places where a type is not kept."""

    def __init__(self, seed: int, environment: Environment, variables: dict[str, Type], faults: float = 0.02) -> None:
        self.random, self.faults = random.Random(seed), faults  # noqa: S311 - not for secrets
        self.environment, self.variables = environment, dict(variables)
        self.overloads = [overload for overload in environment.list_overloads() if overload.name not in HIDDEN]
        self.macros = set(environment.dialect.macros)
        self.used: set[str] = set()

    def any(self, depth: int) -> str:
        """An expression of whatever type."""
        return self.of(self.type(2), depth)

    def type(self, depth: int) -> Type:
        """Some type."""
        if depth and self.random.random() < 0.4:
            inner = self.type(depth - 1)
            return self.random.choice((make_list_type(inner), make_map_type(STRING, inner), make_optional_type(inner)))
        return self.random.choice((*SCALARS, DYN, NULL))

    def of(self, kind: Type, depth: int) -> str:
        """An expression of a type."""
        if self.random.random() < self.faults:
            kind = self.type(1)
        kind = self._closed(kind)
        if depth <= 0:
            return self.leaf(kind)
        for _ in range(4):
            expression = self.random.choice(self.ways())(kind, depth - 1)
            if expression is not None:
                return expression
        return self.leaf(kind)

    def ways(self) -> list[Callable[[Type, int], str | None]]:
        """How expressions that are no leaves are made, the usual ones more often."""
        return [self.call] * 8 + [self.choice, self.variable, self.fold]

    def _closed(self, kind: Type) -> Type:
        if kind.kind == PARAMETER:
            return self.random.choice((*SCALARS, DYN))
        return Type(kind.kind, kind.name, tuple([self._closed(parameter) for parameter in kind.params]), kind.fields)

    def leaf(self, kind: Type) -> str:
        """Something short."""
        variable = self.variable(kind, 0) if self.random.random() < 0.5 else None
        if variable is not None:
            return variable
        if kind in LITERALS:
            return self.random.choice(LITERALS[kind])
        return self._compound(kind)

    def _compound(self, kind: Type) -> str:
        if kind.kind == LIST:
            count = self.random.randrange(3)
            return f"[{', '.join([self.leaf(kind.params[0]) for _ in range(count)])}]"
        if kind.kind == MAP:
            return (
                f"{{{self.leaf(kind.params[0])}: {self.leaf(kind.params[1])}}}" if self.random.random() < 0.8 else "{}"
            )
        if kind.kind == OPAQUE and kind.name == "optional_type":
            return f"optional.of({self.leaf(kind.params[0])})" if self.random.random() < 0.7 else "optional.none()"
        if kind.kind == TYPE:
            return self.random.choice(("int", "string", "type(1)", "google.protobuf.Duration", "list"))
        expression = self.call(kind, 0)
        return expression if expression is not None else "self"

    def variable(self, kind: Type, _: int) -> str | None:
        """A variable or a field below one."""
        names = [name for name, its in self._paths() if its == kind]
        return self.random.choice(names) if names else None

    def _paths(self) -> list[tuple[str, Type]]:
        paths = list(self.variables.items())
        for name, kind in paths:
            if kind.kind == OBJECT and kind.fields is not None and name.count(".") < 3:
                fields = [(field, kind.get_field(field, keywords=True)) for field in kind.fields.fields]
                paths += [(f"{name}.{field}", its) for field, its in fields if its is not None]
            elif kind.kind == LIST and name.count("[") < 2:
                paths.append((f"{name}[0]", kind.params[0]))
            elif kind.kind == MAP and name.count("[") < 2:
                paths.append((f"{name}['k']", kind.params[1]))
        return paths

    def choice(self, kind: Type, depth: int) -> str:
        """One or the other."""
        return f"({self.of(BOOL, depth)} ? {self.of(kind, depth)} : {self.of(kind, depth)})"

    def call(self, kind: Type, depth: int) -> str | None:
        """A call of an overload with this result."""
        for overload in self.random.sample(self.overloads, 40):
            unifier = Unifier(lambda: True)
            if overload.result.kind == PARAMETER and self.random.random() < 0.7:
                continue
            if (overload.result.kind != DYN.kind or kind is DYN) and unifier.is_assignable(overload.result, kind):
                return self.called(overload, [unifier.substitute(arg) for arg in overload.args], depth)
        return None

    def called(self, overload: Overload, types: list[Type], depth: int) -> str:
        """The text of a call."""
        self.used.add(overload.id)
        known: dict[str, Type] = {}
        return self.written(overload, self.arguments(overload, [self._same(kind, known) for kind in types], depth))

    def arguments(self, overload: Overload, types: list[Type], depth: int) -> list[str]:
        """What an overload is called with."""
        return [self.of(kind, depth) for kind in types]

    def written(self, overload: Overload, args: list[str]) -> str:
        """The text of a call with these arguments."""
        name = overload.name
        if name in INFIX:
            return f"({args[0]} {INFIX[name]} {args[1]})"
        if name in WRITTEN:
            return WRITTEN[name].format(*args)
        if overload.method:
            return f"{self._target(args[0])}.{name}({', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def _target(self, text: str) -> str:
        return f"({text})"

    def _same(self, kind: Type, known: dict[str, Type]) -> Type:
        """The type with one and the same choice for each of its parameters."""
        if kind.kind == PARAMETER:
            return known.setdefault(kind.name, self._closed(kind))
        return Type(
            kind.kind, kind.name, tuple([self._same(parameter, known) for parameter in kind.params]), kind.fields
        )

    def fold(self, kind: Type, depth: int) -> str | None:
        """A macro over a list or a map."""
        item = self.type(1)
        over_map = self.random.random() < 0.3
        ranged = make_map_type(STRING, item) if over_map else make_list_type(item)
        source = self._target(self.of(ranged, depth))
        two = self.random.random() < 0.3 and "transformList" in self.macros
        first, second = (STRING if over_map else INT, item) if two else (STRING if over_map else item, None)
        names = {"x": first} | ({"y": second} if second is not None else {})
        variables = "x, y" if two else "x"
        outer, self.variables = self.variables, {**self.variables, **names}
        body = self._body(kind, depth, source, variables, two=two)
        self.variables = outer
        return body

    def _body(self, kind: Type, depth: int, source: str, variables: str, *, two: bool) -> str | None:
        if kind == BOOL:
            macro = self.random.choice(("all", "exists", "exists_one"))
            return f"{source}.{macro}({variables}, {self.of(BOOL, depth)})"
        if kind.kind == LIST:
            return self._into_list(kind.params[0], depth, f"{source}.{{}}({variables}, ", two=two)
        if kind.kind == MAP and two:
            value = self.of(kind.params[1], depth)
            if self.random.random() < 0.5:
                return f"{source}.transformMap({variables}, {value})"
            return f"{source}.transformMapEntry({variables}, {{{self.of(STRING, depth)}: {value}}})"
        if kind.kind == OPAQUE and kind.name == "optional_type" and not two:
            macro = self.random.choice(("optMap", "optFlatMap"))
            item_type = kind if macro == "optFlatMap" else kind.params[0]
            return f"optional.of({self.of(self.variables['x'], depth)}).{macro}(x, {self.of(item_type, depth)})"
        return None

    def _into_list(self, item: Type, depth: int, start: str, *, two: bool) -> str:
        if not two and self.random.random() < 0.3:
            return f"{start.replace('{}', 'filter')}{self.of(BOOL, depth)})"
        test = f"{self.of(BOOL, depth)}, " if self.random.random() < 0.3 else ""
        return f"{start.replace('{}', 'transformList' if two else 'map')}{test}{self.of(item, depth)})"
