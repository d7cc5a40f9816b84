"""This project's CEL macros, and `preprocess`, which expands them into expressions that Kubernetes accepts.

The rest of a rule keeps its meaning and is printed in one format. Macros do not depend on types. Documentation and
tests are generated from the entries of `PROJECT_MACROS`. Nodes that an expansion adds are located at the argument that
causes a type error.

The names and expansions are those of celpp, which Istio's generator runs on its rules. Where no rule of Istio shows
the expansion, the entry's doc states what is assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Ast, Call, Expr, Ident, Literal, Select, Unspecified
from protoc_gen_crd.cel.parser.issues import Issue, Rejection
from protoc_gen_crd.cel.parser.macro_expansion import Budget, ExprFactory, Macro, build_table
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.parser_options_and_limits import DEPTH_LIMIT, ParserOptions
from protoc_gen_crd.cel.parser.unparser import unparse


def preprocess(source: str, budget: Budget | None = None) -> str | Rejection:
    """Expand the project's macros in a rule.

    Args:
        source: The rule as written.
        budget: The limit on copied nodes; all rules of a run share it.

    Returns:
        The printed rule, or its errors at offsets in `source`.
    """
    ast = parse(source, DIALECT_WITH_PROJECT_MACROS, budget)
    return ast if isinstance(ast, Rejection) else unparse(ast)


def find_misused_macros(source: str) -> list[Issue]:
    """Return the macro calls that have a target but must not, or lack one: servers report them as unknown functions."""
    issues: list[Issue] = []
    for node in _walk_records(parse(source)):
        if isinstance(node, Call) and all(
            macro.method != bool(node.target) for macro in PROJECT_MACROS.get(node.function, ())
        ):
            issues += _find_misuse(node, source) if node.function in PROJECT_MACROS else []
    return sorted(issues, key=lambda issue: issue.at)


def _walk_records(tree: object) -> Iterator[Record]:
    """Yield a record and all records below it."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, Record):
            yield node
            stack.extend(getattr(node, field) for field in type(node)._fields)


def _find_misuse(call: Call, source: str) -> list[Issue]:
    name = call.function
    needs = f"no value before it, as in {name}(...)" if call.target else f"a value before it, as in self.{name}(...)"
    return [Issue(f'"{name}" needs {needs}', source.rfind(name, 0, call.at))]


def _expand_default(factory: ExprFactory, operands: Sequence[Expr]) -> Expr | Issue:
    if len(operands) != 2:
        return _report_argument_count(factory, "default", "a field and a value", operands)
    field, value = operands
    if not isinstance(field, Select):
        return _report_bad_argument(factory, "default", "a field such as self.name", field)
    return factory.new_call("_?_:_", _make_has(factory, field), field, value).replace(at=value.at)


def _expand_oneof(factory: ExprFactory, operands: Sequence[Expr]) -> Expr | Issue:
    if not 0 < len(operands) <= DEPTH_LIMIT:
        return _report_argument_count(factory, "oneof", f"1 to {DEPTH_LIMIT} fields", operands)
    total: Expr | None = None
    for field in operands:
        if not isinstance(field, Select):
            return _report_bad_argument(factory, "oneof", "fields such as self.name", field)
        present = factory.new_call("_?_:_", _make_has(factory, field), factory.new_literal(1), factory.new_literal(0))
        total = factory.new_call("_+_", total, present) if total else present
    return factory.new_call("_<=_", *([total] if total else []), factory.new_literal(1))


def _expand_index(factory: ExprFactory, operands: Sequence[Expr]) -> Expr | Issue:
    target, *args = operands
    if not 2 <= len(args) <= DEPTH_LIMIT:
        return _report_argument_count(factory, "index", f"a value and 1 to {DEPTH_LIMIT - 1} names of fields", args)
    zero, *names = args
    fields: list[Select] = []
    for name in names:
        if not _is_name(name):
            return _report_bad_argument(factory, "index", "names of fields", name)
        selected = factory.new_select(factory.copy(fields[-1]) if fields else target, name.name)
        fields.append(selected.replace(at=name.at))
    present = _make_has(factory, fields[0])
    for field in fields[1:]:
        present = factory.new_call("_&&_", present, _make_has(factory, field))
    return factory.new_call("_?_:_", present, fields[-1], zero).replace(at=zero.at)


def _expand_unrollmap(factory: ExprFactory, operands: Sequence[Expr]) -> Expr | Issue:
    items, *args = operands
    if len(args) != 4:
        return _report_argument_count(factory, "unrollmap", "a value, a count, a name and an expression", args)
    zero, count, name, body = args
    if not (isinstance(count, Literal) and type(count.value) is int and 0 < count.value <= DEPTH_LIMIT):
        return _report_bad_argument(factory, "unrollmap", f"a count from 1 to {DEPTH_LIMIT}", count)
    if not _is_name(name):
        return _report_bad_argument(factory, "unrollmap", "a name for the item", name)
    values = []
    for place in range(count.value):
        size = factory.new_member_call("size", factory.copy(items)).replace(at=items.at)
        item = factory.new_call("_[_]", factory.copy(items), factory.new_literal(place)).replace(at=items.at)
        value = factory.copy(body, {name.name: item})
        longer = factory.new_call("_>_", size, factory.new_literal(place))
        values.append(factory.new_call("_?_:_", longer, value, factory.copy(zero)).replace(at=zero.at))
    return factory.new_list(*values)


def _is_name(node: Expr) -> TypeGuard[Ident]:
    """Return whether a node is an identifier without the leading dot of an absolute name."""
    return isinstance(node, Ident) and not node.name.startswith(".")


def _make_has(factory: ExprFactory, field: Expr) -> Expr:
    """Return `has(field)`, expanded if the macro `has` is defined."""
    operands = (factory.copy(field),)
    return (factory.expand_macro("has", operands, method=False) or factory.new_call("has", *operands)).replace(
        at=field.at
    )


def _report_bad_argument(factory: ExprFactory, name: str, needs: str, argument: Expr) -> Expr | Issue:
    if any(isinstance(node, Unspecified) for node in _walk_records(argument)):
        return argument  # a macro in the argument was already rejected, and its issue is reported
    expression = unparse(Ast("", argument, factory.calls))
    return Issue(f'"{name}" needs {needs}, found "{expression}"', argument.at)


def _report_argument_count(factory: ExprFactory, name: str, needs: str, args: Sequence[Expr]) -> Issue:
    return Issue(f'"{name}" needs {needs}, found {len(args)} argument{"s" * (len(args) != 1)}', factory.at)


PROJECT_MACROS = build_table(
    Macro(
        "default",
        method=False,
        arity=None,
        expand=_expand_default,
        doc="The value of a field, or another value if the field is not set: `default(field, value)`.",
        examples=(
            ("default(self.mode, 'ON') == 'ON'", '(has(self.mode) ? self.mode : "ON") == "ON"'),
            ("default(self.ports, []).size() < 3", "(has(self.ports) ? self.ports : []).size() < 3"),
            (
                "default(self.a, '') == 'x' ? !has(self.b) : true",
                '((has(self.a) ? self.a : "") == "x") ? !has(self.b) : true',
            ),
        ),
        kept=False,
    ),
    Macro(
        "oneof",
        method=False,
        arity=None,
        expand=_expand_oneof,
        doc="Whether at most one of the fields is set: `oneof(field, field, ...)`.",
        examples=(
            ("oneof(self.a, self.b)", "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1"),
            ("!oneof(self.a)", "!((has(self.a) ? 1 : 0) <= 1)"),
        ),
        kept=False,
    ),
    Macro(
        "index",
        method=True,
        arity=None,
        expand=_expand_index,
        doc=(
            "A field of a field, however deep, or another value if one of them is not set: "
            "`object.index(value, name, name, ...)`."
        ),
        examples=(
            ("self.index('', name)", 'has(self.name) ? self.name : ""'),
            (
                "self.index({}, selector, labels).size() > 0",
                "((has(self.selector) && has(self.selector.labels)) ? self.selector.labels : {}).size() > 0",
            ),
        ),
        kept=False,
    ),
    Macro(
        "unrollmap",
        method=True,
        arity=None,
        expand=_expand_unrollmap,
        doc=(
            "What an expression gives for each of the first items of a list, without the cost of a loop: "
            "`list.unrollmap(value, count, name, expression)` has `count` items, which are `value` where the list "
            "is shorter. Assumed from the arguments alone, since no rule of Istio uses it; the expression must not "
            "declare the name again."
        ),
        examples=(
            (
                "self.r.unrollmap(0, 2, i, i.n)",
                "[(self.r.size() > 0) ? self.r[0].n : 0, (self.r.size() > 1) ? self.r[1].n : 0]",
            ),
        ),
        kept=False,
    ),
)
DIALECT_WITH_PROJECT_MACROS = ParserOptions(macros=PROJECT_MACROS)
