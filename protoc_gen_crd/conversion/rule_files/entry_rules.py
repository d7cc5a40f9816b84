"""Rules of map entries: fields that an expression computes become rules of their own.

`key`, `self`, `self.FIELD` and `root.PATH` move values as they are; anything else is an expression. One that looks at
`self` only through one field is about that field: where the field is missing, nothing is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.cel.parser.ast import Expr, Literal, MapExpr
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.lexer import TokenStream
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.cel_variables import find_selected_fields, find_variables, has_variable
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path, PathSyntaxError
from protoc_gen_crd.conversion.rule_files.api_conversion import ConversionRule
from protoc_gen_crd.schema.schema import Schema

_PLAIN_EXPRESSION = re.compile(r"key|self|(?:self|root)(?:\.[A-Za-z_]\w*)+")


def is_entry_rule(rule: ConversionRule) -> bool:
    """Return True for a rule from map entries to list items, or back."""
    return {*rule.field[-1:], *rule.destination[-1:]} == {ITEM, VALUE}


def split_entry_rule(rule: ConversionRule, root: Schema) -> Iterator[ConversionRule]:
    """Split a rule into one with the plain fields of its transformation, and one rule for each other field.

    `root` is the schema of the source version.
    """
    transformation = rule.transformation
    expressions = parse_field_expressions(transformation) if isinstance(transformation, str) else transformation
    if not is_entry_rule(rule) or not isinstance(expressions, Mapping):
        yield from _split_value_rule(rule, root) if isinstance(transformation, str) and is_entry_rule(rule) else (rule,)
        return
    strings = {
        name: expression if isinstance(expression, str) else bounded_json.format_json(expression)
        for name, expression in expressions.items()
    }
    keys = [name for name, expression in strings.items() if expression == "key"][: rule.destination[-1] == ITEM]
    plain = {
        name: expression for name, expression in strings.items() if name in keys or _is_plain(expression, rule, root)
    }
    computed = [
        _narrow_rule(rule, (*rule.destination, name), expression, root)
        for name, expression in strings.items()
        if name not in plain
    ]
    yield rule.replace(transformation=plain, value=_find_value_field(rule, root, plain, computed))
    yield from computed


def _find_value_field(
    rule: ConversionRule, root: Schema, plain: Mapping[str, str], apart: Sequence[ConversionRule]
) -> str:
    """Return the item field that an expression computes from a scalar value; empty for none."""
    entry = paths.find_schema(root, rule.field)
    if entry is None or get_shape(entry) == OBJECT or "self" in plain.values() or rule.destination[-1] != ITEM:
        return ""
    computed = (
        computed_rule.destination[-1] for computed_rule in apart if has_variable(computed_rule.transformation, "self")
    )
    return next(computed, "")


def parse_field_expressions(expression: str) -> Mapping[str, str] | None:
    """Return the expression for each field of a map literal; None for other expressions."""
    tree = parse(expression)
    if isinstance(tree, Rejection) or not isinstance(tree.root, MapExpr):
        return None
    positions = {_get_key_name(entry.key): entry.at for entry in tree.root.entries}
    return (
        None
        if None in positions
        else {str(name): _get_expression_text(expression, colon) for name, colon in positions.items()}
    )


def _split_value_rule(rule: ConversionRule, root: Schema) -> Iterator[ConversionRule]:
    """Split a rule of scalar values: the field that contains them, or an expression for the whole entry."""
    expression = bounded_json.format_string(rule.transformation)
    if rule.destination[-1] == ITEM or _PLAIN_EXPRESSION.fullmatch(expression):
        yield rule
        return
    narrowed = _narrow_rule(rule, rule.destination, expression, root)
    yield rule.replace(transformation=None, value=(*narrowed.field[len(rule.field) :], "self")[0])
    yield narrowed


def get_read_paths(rule: ConversionRule) -> list[Path]:
    """Return the source paths of a rule; for rules of entries, the named fields."""
    if not is_entry_rule(rule) or rule.partial:
        return [rule.field]
    read_paths = [
        paths.parse_path(expression)[1:]
        for expression in _get_plain_members(rule).values()
        if expression.startswith("self.")
    ]
    read_paths += [paths.parse_path(rule.key.removeprefix("self."))] if rule.key else []
    return [(*rule.field, *path) for path in read_paths]


def get_written_paths(rule: ConversionRule) -> list[Path]:
    """Return the target paths of a rule; for rules of entries, the named fields."""
    if not is_entry_rule(rule) or rule.partial:
        return [rule.destination]
    return [(*rule.destination, name) for name in _get_plain_members(rule)]


def _get_plain_members(rule: ConversionRule) -> Mapping[str, str]:
    return rule.transformation if isinstance(rule.transformation, dict) else {}


def _is_plain(expression: str, rule: ConversionRule, root: Schema) -> bool:
    if expression != "key" and _PLAIN_EXPRESSION.fullmatch(expression):
        return True
    try:
        name, *rest = paths.parse_path(expression)
    except PathSyntaxError:
        return False
    start = {"self": rule.field, "root": ()}.get(name)
    return start is not None and bool(rest) and paths.find_schema(root, (*start, *rest)) is not None


def _narrow_rule(rule: ConversionRule, destination: Path, expression: str, root: Schema) -> ConversionRule:
    """Return the rule of an expression of an entry, or of the only field of it that the expression reads."""
    tokens = TokenStream(expression)
    selections = [(index, find_selected_fields(tokens, index)) for index in find_variables(tokens, ("self",))]
    names = tuple(selections[0][1]) if selections else ()
    for _, selected in selections:
        names = paths.get_common_prefix(names, tuple(selected))
    while names and not _has_field_path(root, rule.field, names):
        names = names[:-1]
    rewritten, position = "", 0
    for index, _ in selections if names else ():
        last = index + 2 * len(names)
        rewritten += expression[position : tokens.starts[index]] + "self"
        position = tokens.starts[last] + len(tokens.texts[last])
    field = (*rule.field, *names)
    return ConversionRule(
        field, destination, rule.origin, transformation=rewritten + expression[position:], partial=True
    )


def _has_field_path(root: Schema, around: Path, names: Path) -> bool:
    """Return True if names are fields of nested objects."""
    schema = paths.find_schema(root, around)
    for name in names:
        schema = schema.properties.get(name) if schema is not None else None
    return schema is not None


def _get_expression_text(expression: str, colon: int) -> str:
    """Return the expression after a colon of a map literal."""
    tokens, depth = TokenStream(expression), 0
    start = end = tokens.starts.index(colon) + 1
    while depth or tokens.kinds[end] not in (",", "}"):
        depth += (tokens.kinds[end] in ("(", "[", "{")) - (tokens.kinds[end] in (")", "]", "}"))
        end += 1
    return expression[tokens.starts[start] : tokens.starts[end]].strip()


def _get_key_name(key: Expr) -> str | None:
    return key.value if isinstance(key, Literal) and isinstance(key.value, str) else None
