"""What would make a rule true: its expression is read from the outside in, each part asking for changes of the object.

A plan need not work, since the parts do not see each other; whoever tries them asks the judge. What the functions of
CEL ask for is in `asked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.ast import Ast, Call, Constant, Expr, Ident, ListExpr, Literal, Select, Uint
from protoc_gen_crd.samples import computed
from protoc_gen_crd.samples.asked import ASKED, LONGEST, MACROS, MOST, Plan, Scope
from protoc_gen_crd.samples.changes import NOTHING, Change, Steps, at, changed
from protoc_gen_crd.samples.judge import parts
from protoc_gen_crd.schema.types import Json

_SMALL = 500  # parts of a value
_WRAPPERS = (
    "int",
    "uint",
    "double",
    "string",
    "dyn",
    "duration",
    "timestamp",
    "quantity",
    "url",
    "ip",
    "cidr",
    "semver",
)


class Planner:
    """Makes plans for one rule and one value.

    `fill` gives likely values for a path, `named` reads fields, `literals` are what rules compare fields with, by name.
    """

    def __init__(
        self,
        ast: Ast,
        value: Json,
        fill: Callable[[Steps], Iterable[Json]],
        named: Callable[[Steps, str], str],
        literals: Mapping[str, Sequence[Json]],
    ) -> None:
        self.ast, self.value, self.fill, self.named, self.literals = ast, value, fill, named, literals

    def plans(self) -> Iterator[Plan]:
        """Plans that may make the rule true, those that the expression spells out first."""
        yield from self.asked(self.ast.root, True, {"self": ()})
        yield from self._rough()

    def asked(self, expr: Expr, wanted: bool, scope: Scope) -> Iterator[Plan]:
        """Plans that may give a part this value."""
        macro = self.ast.calls.get(expr.id)
        if macro is not None and macro.function in MACROS:
            yield from MACROS[macro.function](self, macro, wanted, scope)
        elif isinstance(expr, Select):
            yield from self.select(expr, wanted, scope)
        elif isinstance(expr, Literal):
            if expr.value is wanted:
                yield ()
        elif isinstance(expr, Call) and expr.function in ASKED:
            yield from ASKED[expr.function](self, expr, wanted, scope)
        elif (path := self.path(expr, scope)) is not None:
            yield (Change(path, wanted),)
        else:
            yield ()  # it may be right as it is

    def select(self, expr: Select, wanted: bool, scope: Scope) -> Iterator[Plan]:
        """The same for a field, or for the question whether it is there."""
        path = self.path(expr.replace(test_only=False), scope)
        if path is None:
            return
        if not expr.test_only:
            yield (Change(path, wanted),)
        elif not wanted:
            yield (Change(path, NOTHING),)
        elif at(self.value, path) is not NOTHING:
            yield ()
        else:
            yield from ((Change(path, value),) for value in self.fill(path))

    def path(self, expr: Expr, scope: Scope) -> Steps | None:
        """The path that an expression reads, None where it computes something."""
        match expr:
            case Ident():
                return scope.get(expr.name)
            case Select(test_only=False):
                around = self.path(expr.operand, scope)
                return None if around is None else (*around, self.named(around, expr.field))
            case Call(function="_[_]" | "_?._" | "_[?_]") if isinstance(expr.args[1], Literal):
                around, step = self.path(expr.args[0], scope), expr.args[1].value
                return (*around, step) if around is not None and isinstance(step, str | int) else None
            case Call() if (inner := _passed(expr)) is not None:
                return self.path(inner, scope)
        return None

    def constant(self, expr: Expr, scope: Scope) -> Any:
        """What an expression is as it stands, NOTHING where that is not plain to see."""
        match expr:
            case Literal():
                return _plain(expr.value)
            case ListExpr():
                found = [self.constant(each, scope) for each in expr.elements]
                return NOTHING if NOTHING in found else found
            case Call(function="-_"):
                inner = self.constant(expr.args[0], scope)
                return -inner if isinstance(inner, int | float) else NOTHING
            case Call() if expr.function in _WRAPPERS and len(expr.args) == 1:
                return self.constant(expr.args[0], scope)
        return self._read(expr, scope)

    def _read(self, expr: Expr, scope: Scope) -> Any:
        sized, path = self._sized(expr, scope), self.path(expr, scope)
        if sized is not None:
            found = at(self.value, sized)
            return len(found) if isinstance(found, str | list | dict) else 0
        if path is None and isinstance(expr, Call):
            return computed.constant(self, expr, scope)
        return NOTHING if path is None else at(self.value, path)

    def _sized(self, expr: Expr, scope: Scope) -> Steps | None:
        """The path whose size an expression is."""
        if isinstance(expr, Call) and expr.function == "size":
            return self.path(expr.target or expr.args[0], scope)
        return None

    def put(self, expr: Expr, value: Any, scope: Scope) -> Iterator[Plan]:
        """Plans that give an expression a value."""
        if value is NOTHING:
            return
        if isinstance(expr, ListExpr):
            yield from self._put_each(expr, value, scope)
        sized = self._sized(expr, scope)
        if sized is not None and isinstance(value, int):
            yield from self._resized(sized, value)
        path = self.path(expr, scope)
        if path is not None and sized is None:
            old = at(self.value, path)
            yield (Change(path, str(value) if isinstance(old, str) else value),)
        elif path is None and sized is None and isinstance(expr, Call):
            yield from computed.put(self, expr, value, scope)

    def _put_each(self, expr: ListExpr, value: Any, scope: Scope) -> Iterator[Plan]:
        """A plan that gives each element of a list its value."""
        if isinstance(value, list) and len(value) == len(expr.elements):
            plans = [next(self.put(*pair, scope), None) for pair in zip(expr.elements, value, strict=True)]
            if None not in plans:
                yield tuple(change for plan in plans for change in plan or ())

    def _resized(self, path: Steps, size: int) -> Iterator[Plan]:
        value = at(self.value, path)
        if not 0 <= size <= LONGEST:
            return
        for filled in [value] if value is not NOTHING else self.fill(path):
            if isinstance(filled, str):
                yield (Change(path, (filled + (filled[-1:] or "a") * size)[:size]),)
            elif isinstance(filled, list) and (filled or not size):
                yield (Change(path, [filled[min(index, len(filled) - 1)] for index in range(size)]),)
            elif isinstance(filled, dict) and len(filled) >= size:
                yield (Change(path, dict(islice(filled.items(), size))),)

    def all_of(self, parts: Sequence[tuple[Expr, bool]], scope: Scope) -> Iterator[Plan]:
        """Plans that give every part its value."""
        if not parts:
            yield ()
            return
        (expr, wanted), rest = parts[0], parts[1:]
        for plan in islice(self.asked(expr, wanted, scope), MOST):
            yield from (plan + more for more in islice(self.after(plan).all_of(rest, scope), MOST))

    def after(self, plan: Plan) -> Planner:
        """A planner for the value as a plan leaves it; for a large one the parts do not see each other."""
        if not plan or not self._is_small:
            return self
        return Planner(self.ast, changed(self.value, plan), self.fill, self.named, self.literals)

    @cached_property
    def _is_small(self) -> bool:
        return parts(self.value) <= _SMALL

    def _rough(self) -> Iterator[Plan]:
        """What may help with any rule: less of what it speaks of, then more, then what it compares with."""
        spoken = list(dict.fromkeys(self._spoken(self.ast.root, {"self": ()})))
        yield from ((Change(path, NOTHING),) for path in spoken)
        yield tuple(Change(path, NOTHING) for path in spoken)
        for kept in spoken:
            yield tuple(Change(path, NOTHING) for path in spoken if path != kept and path != kept[: len(path)])
        for path in spoken:
            found = at(self.value, path)
            if isinstance(found, list) and len(found) > 1:
                yield (Change(path, found[:1]),)
            if not isinstance(found, list | dict):
                yield from ((Change(path, value),) for value in self.fill(path))
        literals = [_plain(each.value) for each in walked(self.ast.root) if isinstance(each, Literal)]
        for path in spoken:
            yield from ((Change(path, literal),) for literal in literals if literal is not NOTHING)

    def _spoken(self, expr: Expr, scope: Scope) -> Iterator[Steps]:
        """The paths that an expression speaks of."""
        for each in walked(expr):
            if isinstance(each, Select | Call):
                path = self.path(each.replace(test_only=False) if isinstance(each, Select) else each, scope)
                if path:
                    yield path


def _passed(call: Call) -> Expr | None:
    """What a call passes on, perhaps as another type."""
    if call.function == "_?_:_":
        return call.args[1]
    if call.function == "orValue":
        return call.target
    return call.args[0] if call.function in _WRAPPERS and len(call.args) == 1 else None


def _plain(value: Constant) -> Any:
    """A constant as JSON has it, NOTHING where JSON does not."""
    if isinstance(value, bytes):
        return NOTHING
    return int(value) if isinstance(value, Uint) else value


def literals_of(asts: Iterable[Ast]) -> dict[str, list[Json]]:
    """What rules compare fields with, by the names of the fields in CEL."""
    found: dict[str, list[Json]] = {}
    for call in (each for ast in asts for each in walked(ast.root) if isinstance(each, Call)):
        if call.function not in ("_==_", "_!=_", "@in"):
            continue
        for one, other in (call.args, call.args[::-1]):
            given = other.elements if isinstance(other, ListExpr) else (other,)
            values = [_plain(each.value) for each in given if isinstance(each, Literal)]
            if isinstance(one, Select):
                found.setdefault(one.field, []).extend(each for each in values if each not in ("", None, NOTHING))
    return found


def walked(expr: Any) -> Iterator[Expr]:
    """An expression and all its parts."""
    if isinstance(expr, Expr):
        yield expr
    if isinstance(expr, Record):
        for field in type(expr)._fields:
            yield from walked(getattr(expr, field))
    elif isinstance(expr, tuple):
        for each in expr:
            yield from walked(each)
