"""The validators that servers run on the literals of an expression whose types are correct.

Lists and maps must not mix types; every version requires this, but only since 1.29 after type checking.
Source: cel-go v0.29 `cel/validator.go`; k8s.io/apiserver pkg/cel/environment base.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.ast import Ast, Call, Comprehension, Expr, ListExpr, Literal, MapExpr, Select, StructExpr
from protoc_gen_crd.cel.parser.issues import Issue
from protoc_gen_crd.cel.version_differences import FORMAT_CHECKS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.regex.syntax_check import check as pattern_fault

from .types import Type, format_type, is_same_unwrapped

Types = Mapping[int, Type]


def _is_bad_duration(value: object) -> bool:
    from protoc_gen_crd.cel.library.time_parser import parse_duration  # noqa: PLC0415 - few rules have such literals

    return not isinstance(value, str) or parse_duration(value) is None


def _is_bad_timestamp(value: object) -> bool:
    from protoc_gen_crd.cel.library.time_parser import parse_timestamp  # noqa: PLC0415

    return not isinstance(value, str | int) or parse_timestamp(value) is None


def _is_bad_pattern(value: object) -> bool:
    return isinstance(value, str) and pattern_fault(value) is not None


_BAD: dict[str, Callable[[object], bool]] = {
    "duration": _is_bad_duration,
    "timestamp": _is_bad_timestamp,
    "matches": _is_bad_pattern,
}
# Every expression that can have an issue contains one of these signs.
# Shortcut literal-signs: only literals of lists and maps and calls of these functions are validated, and each needs one
# of these signs in the text.
_SIGNS = ("[", "{", "format", *_BAD)


def validate(tree: Ast, types: Types, environment: Environment, versions: Switches) -> list[Issue]:
    """Return the issues of all literals."""
    if not any(sign in tree.source for sign in _SIGNS):
        return []
    issues: list[Issue] = []
    later = FORMAT_CHECKS in versions
    for node, mixed in _walk_nodes(tree.root, nested=later):
        if isinstance(node, Call) and environment.literals:
            issues += _validate_argument(node)
            if later and node.function == "format":
                from .string_format_validator import check_format  # noqa: PLC0415 - few rules call it

                issues += check_format(node, types)
        elif isinstance(node, ListExpr) and not mixed:
            issues += _validate_list(node, types)
        elif isinstance(node, MapExpr) and not mixed:
            issues += _validate_map(node, types)
    return issues


_CHILDREN: Mapping[type[Expr], Callable[[Any], Sequence[Expr]]] = {
    Select: lambda node: (node.operand,),
    Call: lambda node: node.args if node.target is None else (node.target, *node.args),
    ListExpr: lambda node: node.elements,
    MapExpr: lambda node: [part for entry in node.entries for part in (entry.key, entry.value)],
    StructExpr: lambda node: [field.value for field in node.fields],
    Comprehension: lambda node: (node.iter_range, node.accu_init, node.condition, node.step, node.result),
}


def list_children(node: Expr) -> Sequence[Expr]:
    """Return the direct children of a node, in the order of the expression."""
    below = _CHILDREN.get(type(node))
    return below(node) if below else ()


def _walk_nodes(root: Expr, *, nested: bool) -> Iterator[tuple[Expr, bool]]:
    """Yield all nodes, and whether each is among the values of `format`, whose types may be mixed."""
    stack = [(root, False)]
    while stack:
        node, mixed = stack.pop()
        yield node, mixed
        formats = isinstance(node, Call) and node.function == "format"
        carries = nested or isinstance(node, ListExpr | MapExpr)
        below = formats or (mixed and carries)
        stack += [(child, below) for child in reversed(list_children(node))]


def _validate_argument(node: Call) -> Iterator[Issue]:
    bad = _BAD.get(node.function)
    if bad is not None and node.args and isinstance(node.args[0], Literal) and bad(node.args[0].value):
        yield Issue(f"invalid {node.function} argument", node.args[0].at)


def _validate_list(node: ListExpr, types: Types) -> Iterator[Issue]:
    first: Type | None = None
    for index, element in enumerate(node.elements):
        kind = _unwrap_type(types[element.id], is_optional=index in node.optionals)
        if first is None:
            first = kind
        elif not is_same_unwrapped(first, kind):
            yield _make_mismatch(first, kind, element.at)
            return


def _validate_map(node: MapExpr, types: Types) -> Iterator[Issue]:
    first: tuple[Type, Type] | None = None
    for entry in node.entries:
        kinds = types[entry.key.id], _unwrap_type(types[entry.value.id], is_optional=entry.optional)
        if first is None:
            first = kinds
            continue
        for expected, kind, place in zip(first, kinds, (entry.key, entry.value), strict=True):
            if not is_same_unwrapped(expected, kind):
                yield _make_mismatch(expected, kind, place.at)


def _unwrap_type(kind: Type, *, is_optional: bool) -> Type:
    return kind.params[0] if is_optional and kind.params else kind


def _make_mismatch(expected: Type, actual: Type, at: int) -> Issue:
    return Issue(f"expected type '{format_type(expected)}' but found '{format_type(actual)}'", at)
