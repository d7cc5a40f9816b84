"""Sizes as servers of Kubernetes 1.33 and newer estimate them: variables, items, keys and values have sizes.

Source: cel-go v0.23 to v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.cel.ast import Call, Comprehension, Expr, ListExpr, Literal, MapExpr
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.comprehensions import ACCUMULATOR
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.types import LIST, MAP

from .intervals import NOTHING, ONE, UNKNOWN, Interval, plus, times, union
from .paths import INDICES, ITEMS, KEYS, VALUES, Path, Sized, extended, size_at, variable
from .walk import Operand, Walk, literal_size, of_fixed_size

_INDEXED = ("index_list", "index_map")


class _Entries:
    """The sizes of the keys and values of a list or map that an expression makes."""

    __slots__ = ("container", "key", "value")

    def __init__(self, container: str, key: Interval, value: Interval) -> None:
        self.container, self.key, self.value = container, key, value

    def joined(self, other: _Entries | None) -> _Entries | None:
        """What holds for both."""
        if other is None:
            return None
        return _Entries(self.container, union(self.key, other.key), union(self.value, other.value))


class _Variable:
    """A variable of a comprehension."""

    __slots__ = ("entries", "path", "size")

    def __init__(self, path: Path | None, size: Interval | None, entries: _Entries | None = None) -> None:
        self.path, self.size, self.entries = path, size, entries


class Newer(Walk):
    """Variables are known by what they stand for, in the schema or in the expression."""

    def __init__(self, checked: Checked, era: Era, declared: Sized | None) -> None:
        super().__init__(checked, era, declared)
        self._scopes: dict[str, list[_Variable]] = {}
        self._entries: dict[int, _Entries] = {}

    def _local(self, node: Expr) -> _Variable | None:
        name = self.name(node)
        scope = self._scopes.get(name) if name is not None else None
        return scope[-1] if scope else None

    def variable(self, node: Expr, name: str) -> None:
        """Note the path of a name."""
        scope = self._scopes.get(name)
        self.paths[node.id] = scope[-1].path if scope else variable(name)

    def path(self, node: Expr) -> Path | None:
        """The path of a node, if it is part of the schema."""
        local = self._local(node)
        return local.path if local is not None else self.paths.get(node.id)

    def operand(self, node: Expr) -> Operand:
        """A node that has been estimated."""
        path = self.path(node)
        if path is not None and path.cells[0] == ACCUMULATOR:
            path = None
        return Operand(node, path, self._size(node))

    def size(self, operand: Operand) -> Interval:
        """How large an operand can be."""
        return UNKNOWN if operand.derived is None else operand.derived

    def _size(self, node: Expr) -> Interval | None:
        found = self.sizes.get(node.id) or literal_size(node)
        if found is not None:
            return found
        found = size_at(self.declared, self.path(node))
        if found is not None:
            self.sizes[node.id] = found
            return found
        if of_fixed_size(self.types[node.id]):
            return ONE
        local = self._local(node)
        return None if local is None else local.size

    def _known(self, node: Expr) -> Interval:
        found = self._size(node)
        return UNKNOWN if found is None else found

    def _entries_of(self, node: Expr) -> _Entries | None:
        found = self._entries.get(node.id)
        if found is None:
            local = self._local(node)
            found = None if local is None else local.entries
        return found

    def _keep(self, node: Expr, entries: _Entries | None) -> None:
        if entries is not None:
            self._entries[node.id] = entries

    def _copy(self, node: Expr, source: Expr) -> None:
        """Let a node be as large as another."""
        size = self._size(source)
        if size is not None:
            self.sizes[node.id] = size
        self._keep(node, self._entries_of(source))

    # calls and literals

    def unwrapped(self, node: Call) -> Interval | None:
        """The cost of `dyn(x)`, which is as large as x."""
        cost = self.cost(node.args[0])
        self._copy(node, node.args[0])
        return plus(ONE, cost)

    def called(self, node: Call, overload: str, size: Interval | None) -> Interval | None:
        """The size of the result so far: that of an item is its list's to say."""
        if overload in _INDEXED:
            entries = self._entries_of(node.args[0])
            size = None if entries is None else entries.value
        return self._size(node) if size is None else size

    def chosen(self, node: Call, operands: Sequence[Operand]) -> None:
        """Note the sizes of the entries of either operand."""
        one, other = [self._entries_of(operand.node) for operand in operands]
        self._keep(node, one.joined(other) if one is not None else None)

    def around(self, sizes: Interval | None, node: Expr) -> Interval | None:
        """The sizes of the parts of a literal so far and of this one, whose path the next may overwrite."""
        size = self._known(node)
        return size if sizes is None else union(sizes, size)

    def listed(self, node: ListExpr, items: Interval | None) -> None:
        """Note the sizes of a list's items."""
        self._keep(node, _Entries(LIST, ONE, items or NOTHING))

    def mapped(self, node: MapExpr, keys: Interval | None, values: Interval | None) -> None:
        """Note the sizes of a map's keys and values."""
        self._keep(node, _Entries(MAP, keys or NOTHING, values or NOTHING))

    # comprehensions

    def loop(self, node: Comprehension) -> tuple[Interval, Interval]:
        """The costs of the loop and of the result."""
        if _binds(node):
            self._enter(node.accu_var, self._bound(node.accu_init))
            result = self.cost(node.result)
            self._leave(node.accu_var)
            self._copy(node, node.result)
            return NOTHING, result
        self._enter(node.accu_var, self._bound(node.accu_init))
        variables = self._variables(node)
        for name, variable_ in variables:
            self._enter(name, variable_)
        condition = self.cost(node.condition)
        step = self.cost(node.step)
        for name, _ in variables:
            self._leave(name)
        result = self.cost(node.result)
        self._leave(node.accu_var)
        count = self._known(node.iter_range)
        self._made(node, count)
        return times(count, plus(step, condition)), result

    def _made(self, node: Comprehension, count: Interval) -> None:
        if isinstance(node.accu_init, Literal):
            self.sizes[node.id] = self._known(node.accu_init)
        elif isinstance(node.accu_init, ListExpr | MapExpr):
            self.sizes[node.id] = count
            self._keep(node, self._entries_of(node.step))

    def _enter(self, name: str, made: _Variable) -> None:
        self._scopes.setdefault(name, []).append(made)

    def _leave(self, name: str) -> None:
        self._scopes[name].pop()

    def _bound(self, node: Expr) -> _Variable:
        path = self.path(node)
        entries = self._entries_of(node)
        return _Variable(path, self._size(node), entries)

    def _variables(self, node: Comprehension) -> list[tuple[str, _Variable]]:
        over = node.iter_range
        entries = self._entries_of(over)
        is_list = (entries.container if entries is not None else self.types[over.id].kind) == LIST
        keys, values = (None, None) if entries is None else (entries.key, entries.value)
        path = self.path(over)
        if node.iter_var2:
            first = _Variable(extended(path, INDICES if is_list else KEYS), keys)
            return [
                (node.iter_var, first),
                (node.iter_var2, _Variable(extended(path, ITEMS if is_list else VALUES), values)),
            ]
        return [(node.iter_var, _Variable(extended(path, ITEMS if is_list else KEYS), values if is_list else keys))]


def _binds(node: Comprehension) -> bool:
    """Whether a comprehension runs over nothing and only names a value."""
    over, condition = node.iter_range, node.condition
    if not isinstance(over, ListExpr) or over.elements:
        return False
    return isinstance(condition, Literal) and condition.value is False
