"""Transformations of entries as a whole: what they say of a field is a rule of its own, unless it is plain.

`key`, `self`, `self.FIELD` and `root.PATH` move values as they are; anything else is an expression. One that looks at
`self` only through one field is about that field: where the field is missing, nothing is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.cel.ast import Expr, Literal, MapExpr
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.lexer import Tokens
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.conversion.derive.fits import OBJECT, shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path, PathError
from protoc_gen_crd.conversion.plan.texts import looks_at, occurring, selected
from protoc_gen_crd.conversion.rules.rules import Rule
from protoc_gen_crd.schema.types import Schema

_PLAIN = re.compile(r"key|self|(?:self|root)(?:\.[A-Za-z_]\w*)+")


def is_of_entries(rule: Rule) -> bool:
    """Whether a rule leads from the entries of a map to the items of a list, or back."""
    return {*rule.field[-1:], *rule.destination[-1:]} == {ITEM, VALUE}


def parted(rule: Rule, root: Schema) -> Iterator[Rule]:
    """A rule with what is plain in its transformation, and rules for the rest; `root` is of what is read."""
    made = rule.transformation
    known = fields_of(made) if isinstance(made, str) else made
    if not is_of_entries(rule) or not isinstance(known, Mapping):
        yield from _whole(rule, root) if isinstance(made, str) and is_of_entries(rule) else (rule,)
        return
    texts = {name: text if isinstance(text, str) else jsontext.shown(text) for name, text in known.items()}
    keys = [name for name, text in texts.items() if text == "key"][: rule.destination[-1] == ITEM]
    plain = {name: text for name, text in texts.items() if name in keys or _is_plain(text, rule, root)}
    apart = [
        _narrowed(rule, (*rule.destination, name), text, root) for name, text in texts.items() if name not in plain
    ]
    yield rule.replace(transformation=plain, value=_value_of(rule, root, plain, apart))
    yield from apart


def _value_of(rule: Rule, root: Schema, plain: Mapping[str, str], apart: Sequence[Rule]) -> str:
    """The field of items that an expression makes of a value which is no object; empty for none."""
    entry = paths.at(root, rule.field)
    if entry is None or shape(entry) == OBJECT or "self" in plain.values() or rule.destination[-1] != ITEM:
        return ""
    made = (one.destination[-1] for one in apart if looks_at(one.transformation, "self"))
    return next(made, "")


def fields_of(text: str) -> Mapping[str, str] | None:
    """The expression for each field that one text writes out; None for any other text."""
    tree = parse(text)
    if isinstance(tree, Refusal) or not isinstance(tree.root, MapExpr):
        return None
    known = {_name(entry.key): entry.at for entry in tree.root.entries}
    return None if None in known else {str(name): _written(text, colon) for name, colon in known.items()}


def _whole(rule: Rule, root: Schema) -> Iterator[Rule]:
    """A rule of values that are no objects: the field that holds them, or an expression for all of an entry."""
    text = str(rule.transformation)
    if rule.destination[-1] == ITEM or _PLAIN.fullmatch(text):
        yield rule
        return
    one = _narrowed(rule, rule.destination, text, root)
    yield rule.replace(transformation=None, value=(*one.field[len(rule.field) :], "self")[0])
    yield one


def reads(rule: Rule) -> list[Path]:
    """What a rule speaks of in what it reads; one of entries of the fields that it names."""
    if not is_of_entries(rule) or rule.apart:
        return [rule.field]
    named = [paths.parse(text)[1:] for text in _plain_of(rule).values() if text.startswith("self.")]
    named += [paths.parse(rule.key.removeprefix("self."))] if rule.key else []
    return [(*rule.field, *path) for path in named]


def writes(rule: Rule) -> list[Path]:
    """The same of what it writes."""
    if not is_of_entries(rule) or rule.apart:
        return [rule.destination]
    return [(*rule.destination, name) for name in _plain_of(rule)]


def _plain_of(rule: Rule) -> Mapping[str, str]:
    return rule.transformation if isinstance(rule.transformation, dict) else {}


def _is_plain(text: str, rule: Rule, root: Schema) -> bool:
    if text != "key" and _PLAIN.fullmatch(text):
        return True
    try:
        name, *rest = paths.parse(text)
    except PathError:
        return False
    start = {"self": rule.field, "root": ()}.get(name)
    return start is not None and bool(rest) and paths.at(root, (*start, *rest)) is not None


def _narrowed(rule: Rule, destination: Path, text: str, root: Schema) -> Rule:
    """The rule of an expression of an entry, of one field of it if that is all that the expression looks at."""
    tokens = Tokens(text)
    found = [(index, selected(tokens, index)) for index in occurring(tokens, ("self",))]
    names = tuple(found[0][1]) if found else ()
    for _, each in found:
        names = paths.common(names, tuple(each))
    while names and not _leads(root, rule.field, names):
        names = names[:-1]
    made, at = "", 0
    for index, _ in found if names else ():
        last = index + 2 * len(names)
        made += text[at : tokens.starts[index]] + "self"
        at = tokens.starts[last] + len(tokens.texts[last])
    field = (*rule.field, *names)
    return Rule(field, destination, rule.origin, transformation=made + text[at:], apart=True)


def _leads(root: Schema, around: Path, names: Path) -> bool:
    """Whether names lead through fields of objects."""
    schema = paths.at(root, around)
    for name in names:
        schema = schema.properties.get(name) if schema is not None else None
    return schema is not None


def _written(text: str, colon: int) -> str:
    """The expression behind a colon of a map."""
    tokens, depth = Tokens(text), 0
    start = end = tokens.starts.index(colon) + 1
    while depth or tokens.kinds[end] not in (",", "}"):
        depth += (tokens.kinds[end] in ("(", "[", "{")) - (tokens.kinds[end] in (")", "]", "}"))
        end += 1
    return text[tokens.starts[start] : tokens.starts[end]].strip()


def _name(key: Expr) -> str | None:
    return key.value if isinstance(key, Literal) and isinstance(key.value, str) else None
