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
from protoc_gen_crd.conversion.rule_files.rule_file import ConversionRule
from protoc_gen_crd.schema.schema import Schema

_PLAIN_EXPRESSION = re.compile(r"key|self|(?:self|root)(?:\.[A-Za-z_]\w*)+")


def is_entry_rule(rule: ConversionRule) -> bool:
    """Return True for a rule from map entries to list items, or back."""
    return {*rule.field[-1:], *rule.destination[-1:]} == {ITEM, VALUE}


def split_entry_rule(rule: ConversionRule, root: Schema) -> Iterator[ConversionRule]:
    """A rule with what is plain in its transformation, and rules for the rest; `root` is of what is read."""
    made = rule.transformation
    known = parse_field_expressions(made) if isinstance(made, str) else made
    if not is_entry_rule(rule) or not isinstance(known, Mapping):
        yield from _split_value_rule(rule, root) if isinstance(made, str) and is_entry_rule(rule) else (rule,)
        return
    texts = {name: text if isinstance(text, str) else bounded_json.format_json(text) for name, text in known.items()}
    keys = [name for name, text in texts.items() if text == "key"][: rule.destination[-1] == ITEM]
    plain = {name: text for name, text in texts.items() if name in keys or _is_plain(text, rule, root)}
    apart = [
        _narrow_rule(rule, (*rule.destination, name), text, root) for name, text in texts.items() if name not in plain
    ]
    yield rule.replace(transformation=plain, value=_find_value_field(rule, root, plain, apart))
    yield from apart


def _find_value_field(
    rule: ConversionRule, root: Schema, plain: Mapping[str, str], apart: Sequence[ConversionRule]
) -> str:
    """The field of items that an expression makes of a value which is no object; empty for none."""
    entry = paths.find_schema(root, rule.field)
    if entry is None or get_shape(entry) == OBJECT or "self" in plain.values() or rule.destination[-1] != ITEM:
        return ""
    made = (one.destination[-1] for one in apart if has_variable(one.transformation, "self"))
    return next(made, "")


def parse_field_expressions(text: str) -> Mapping[str, str] | None:
    """The expression for each field that one text writes out; None for any other text."""
    tree = parse(text)
    if isinstance(tree, Rejection) or not isinstance(tree.root, MapExpr):
        return None
    known = {_get_key_name(entry.key): entry.at for entry in tree.root.entries}
    return None if None in known else {str(name): _get_expression_text(text, colon) for name, colon in known.items()}


def _split_value_rule(rule: ConversionRule, root: Schema) -> Iterator[ConversionRule]:
    """A rule of values that are no objects: the field that holds them, or an expression for all of an entry."""
    text = str(rule.transformation)
    if rule.destination[-1] == ITEM or _PLAIN_EXPRESSION.fullmatch(text):
        yield rule
        return
    one = _narrow_rule(rule, rule.destination, text, root)
    yield rule.replace(transformation=None, value=(*one.field[len(rule.field) :], "self")[0])
    yield one


def get_read_paths(rule: ConversionRule) -> list[Path]:
    """Return the source paths of a rule; for rules of entries, the named fields."""
    if not is_entry_rule(rule) or rule.partial:
        return [rule.field]
    named = [paths.parse_path(text)[1:] for text in _get_plain_members(rule).values() if text.startswith("self.")]
    named += [paths.parse_path(rule.key.removeprefix("self."))] if rule.key else []
    return [(*rule.field, *path) for path in named]


def get_written_paths(rule: ConversionRule) -> list[Path]:
    """Return the target paths of a rule; for rules of entries, the named fields."""
    if not is_entry_rule(rule) or rule.partial:
        return [rule.destination]
    return [(*rule.destination, name) for name in _get_plain_members(rule)]


def _get_plain_members(rule: ConversionRule) -> Mapping[str, str]:
    return rule.transformation if isinstance(rule.transformation, dict) else {}


def _is_plain(text: str, rule: ConversionRule, root: Schema) -> bool:
    if text != "key" and _PLAIN_EXPRESSION.fullmatch(text):
        return True
    try:
        name, *rest = paths.parse_path(text)
    except PathSyntaxError:
        return False
    start = {"self": rule.field, "root": ()}.get(name)
    return start is not None and bool(rest) and paths.find_schema(root, (*start, *rest)) is not None


def _narrow_rule(rule: ConversionRule, destination: Path, text: str, root: Schema) -> ConversionRule:
    """The rule of an expression of an entry, of one field of it if that is all that the expression looks at."""
    tokens = TokenStream(text)
    found = [(index, find_selected_fields(tokens, index)) for index in find_variables(tokens, ("self",))]
    names = tuple(found[0][1]) if found else ()
    for _, each in found:
        names = paths.get_common_prefix(names, tuple(each))
    while names and not _has_field_path(root, rule.field, names):
        names = names[:-1]
    made, at = "", 0
    for index, _ in found if names else ():
        last = index + 2 * len(names)
        made += text[at : tokens.starts[index]] + "self"
        at = tokens.starts[last] + len(tokens.texts[last])
    field = (*rule.field, *names)
    return ConversionRule(field, destination, rule.origin, transformation=made + text[at:], partial=True)


def _has_field_path(root: Schema, around: Path, names: Path) -> bool:
    """Return True if names are fields of nested objects."""
    schema = paths.find_schema(root, around)
    for name in names:
        schema = schema.properties.get(name) if schema is not None else None
    return schema is not None


def _get_expression_text(text: str, colon: int) -> str:
    """The expression behind a colon of a map."""
    tokens, depth = TokenStream(text), 0
    start = end = tokens.starts.index(colon) + 1
    while depth or tokens.kinds[end] not in (",", "}"):
        depth += (tokens.kinds[end] in ("(", "[", "{")) - (tokens.kinds[end] in (")", "]", "}"))
        end += 1
    return text[tokens.starts[start] : tokens.starts[end]].strip()


def _get_key_name(key: Expr) -> str | None:
    return key.value if isinstance(key, Literal) and isinstance(key.value, str) else None
