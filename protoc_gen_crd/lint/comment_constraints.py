"""Rules that compare the constraints that a description states with those that the schema has.

A statement is recognized by its wording. It is reported only if nothing enforces it: neither a keyword of the field,
nor a CEL rule of the field or of an object around it that mentions the field.

Source: Kubernetes' API conventions ("Validation": constraints that are documented are validated).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.lint.lint_rule import NODE, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import SchemaElement
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

_FLAGS = re.IGNORECASE


def compile_pattern(*parts: str) -> re.Pattern[str]:
    """Compile the concatenation of patterns, for any case."""
    return re.compile("".join(parts), _FLAGS)


_IMMUTABLE = compile_pattern(
    r"\b(is|are) immutable\b|(^|\. )immutable\b(?=\s*([.,;:(]|$|once\b))|",
    r"\b(can ?not|can't|may not|must not|should not) be ",
    r"(changed|modified|updated|edited|mutated)( (after|once|when)\b[^.]*)?(?=[.,;]|$)",
)
_WHETHER = compile_pattern(r"\b(whether|if|when)\b")
# Comments of the fields kind and apiVersion, which API servers do not change.
_TYPE_META = compile_pattern("rest resource this object represents|versioned schema of this representation")
_EXCLUSIVE = compile_pattern(
    r"\bmutually exclusive\b|",
    r"\b(only|at most|exactly) one of\b[^.]*\b(can|may|must|should) be (set|specified|provided|present|used)\b|",
    r"\b(can ?not|can't|may not|must not) be (set|specified|used|combined) (together|simultaneously|with|if|when)\b",
)
_NUMBER = r"(?P<{0}>-?[0-9][0-9,]*(?:\.[0-9]+)?)(?P<{0}unit>%|ns|us|ms|s|m|h|kb|mb|gb|Ki|Mi|Gi)?(?!\^|[\w.]*\w)"
_SUBJECT = r"(?: (?:length|size|number|value|allowed value))?(?: (?:is|of|allowed is))"
_UPPER = compile_pattern(
    r"\b(?:(?:must not|can ?not|may not|should not) exceed|not (?:be )?(?:longer|greater|larger|more) than|",
    r"must be (?:less than or equal to|at most|no more than|up to|<=)|must be (?:\w+ ){0,3}less than(?! or)|",
    rf"max(?:imum)?{_SUBJECT}|at most|no more than|up to a maximum of)\s*",
    _NUMBER.format("value"),
)
_LOWER = compile_pattern(
    r"\b(?:must be (?:greater than or equal to|at least|no less than|>=)|must not be (?:less|smaller|lower) than|",
    rf"min(?:imum)?{_SUBJECT}|not be less than)\s*",
    _NUMBER.format("value"),
)
_RANGE = compile_pattern(
    r"\b(?:between|in the range(?: of)?|range(?: is)?|from|value of|must be)\s+[\[(]?",
    _NUMBER.format("low"),
    r"\s*(?:and|to|-|,|\.\.)\s*",
    _NUMBER.format("high"),
)
_SIGN = compile_pattern(
    r"\bmust be (?:a )?",
    r"(?:positive|greater than (?:0|zero)|> ?0|non-?zero|non-?negative|greater than or equal to zero|>= ?0)",
)
_NOT_EMPTY = compile_pattern(r"\b(must|can ?not|may not|should) (not )?be (empty|non-?empty)\b")
_VALUES = compile_pattern(
    r"\b(?:must be (?:one of|either)|",
    r"(?:valid|allowed|supported|possible|acceptable|permitted) values(?: are| include|:)|(?:one of)(?=:? ?[\"'`]))",
)
_QUOTED = re.compile(r"[\"'`“]([A-Za-z][A-Za-z0-9_./-]*)[\"'`”]")
_CHARACTERS = compile_pattern(r"characters?|bytes|chars|length|long")
_ITEMS = compile_pattern(r"items?|entries|elements|number of|values|hosts|size")
_REQUIREMENT = compile_pattern(r"\b(must|may|can|should|values?|valid|allowed|ranges?)\b")
_OTHER_MEANING = compile_pattern(r"default|e\.g\.|example|weight|deprecated")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'])|\n\s*\n|\n\s*[-*]\s")
_CODE = re.compile(r"```.*?(```|\Z)|\{\{<.*?>\}\}", re.DOTALL)
_OTHER_SUBJECT = compile_pattern(
    r"\b(the|this|each|total|sum) (?!value|field|number|length|list|string|maximum|minimum)\w+ (must|can|may)\b",
)
# The keywords that bound values, by type: (lower, upper).
_BOUNDS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
}


# The ranges of the formats int32 and int64, which need no keyword.
_FORMAT_RANGES = {(-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)}


class _Statement(Record):
    """A bound in a description: the words, and the lower and upper bound."""

    words: str
    lower: float | None = None
    upper: float | None = None


def list_sentences(node: SchemaElement) -> Sequence[str]:
    """Return the sentences of the description of a property."""
    return _split_sentences(node.description) if node.is_property and node.description else ()


@lru_cache(maxsize=64)  # all rules check a comment before they check the next one
def _split_sentences(description: str) -> tuple[str, ...]:
    text = _CODE.sub(" ", description)
    return tuple([" ".join(sentence.split()) for sentence in _SENTENCE.split(text) if sentence.strip()])


@lru_cache(maxsize=1024)  # the uses of a field in schemas have one description, and are checked one after another
def _search(pattern: re.Pattern[str], sentence: str) -> re.Match[str] | None:
    """Return the words of a sentence that match a pattern."""
    return pattern.search(sentence)


def _quote(sentence: str, match: re.Match[str]) -> str:
    """Return the words of a match with the words before it, shortened."""
    start = sentence.rfind(" ", 0, max(match.start() - 30, 0)) + 1 if match.start() > 30 else 0
    text = sentence[start : match.end()].strip()
    return f"{'…' if start else ''}{text[-100:]}"


def _list_rules(node: SchemaElement) -> Iterator[str]:
    """Yield the CEL rules of a node and those of objects around it that mention it."""
    yield from (rule.rule for rule in node.schema.rules)
    items = node.schema.items or node.schema.additional
    if isinstance(items, Schema):
        yield from (rule.rule for rule in items.rules)
    name = re.compile(rf"\b{re.escape(node.key)}\b")
    for ancestor in node.iterate_ancestors():
        yield from (rule.rule for rule in ancestor.schema.rules if name.search(rule.rule))


def _check_immutable(node: SchemaElement) -> Issue | None:
    for sentence in list_sentences(node):
        match = _search(_IMMUTABLE, sentence)
        if match is None or node.path.startswith("status") or _WHETHER.search(sentence[: match.start()]):
            continue
        if not _TYPE_META.search(node.description) and not any("oldSelf" in rule for rule in _list_rules(node)):
            if any(
                "oldSelf" in rule.rule
                for part in node.iterate_ancestors()
                for rule in part.schema.rules
                if "self == oldSelf" in rule.rule
            ):
                continue
            hint = 'add the CEL rule "self == oldSelf", or correct the description'
            return Issue(
                f'"{node.key}" is described as immutable ("{_quote(sentence, match)}"), but no CEL rule enforces it',
                hint,
            )
    return None


def _check_exclusive(node: SchemaElement) -> Issue | None:
    parent = node.parent
    if parent is None:
        return None
    for sentence in list_sentences(node):
        match = _search(_EXCLUSIVE, sentence)
        if match and not _is_in_union(node, parent.schema) and not any(True for _ in _list_rules(node)):
            words = _quote(sentence, match)
            message = f'"{node.key}" is described as exclusive ("{words}"), but the schema does not enforce it'
            return Issue(message, "put the fields into a oneof, or add a CEL rule to the object that contains them")
    return None


def _is_in_union(node: SchemaElement, parent: Schema) -> bool:
    """Return whether a logical keyword of a schema, or of the node, refers to the node."""
    for schema in (parent, node.schema):
        pending = [child for keyword in ("oneOf", "anyOf", "allOf", "not") for child in _get_children(schema, keyword)]
        while pending:
            child = pending.pop()
            if schema is node.schema or node.key in (child.get("required") or ()) or node.key in child.properties:
                return True
            pending += [other for _, other in child.iterate_children()]
    return False


def _get_children(schema: Schema, keyword: str) -> list[Schema]:
    value = schema.get(keyword)
    return [value] if isinstance(value, Schema) else list(value or ())


def _check_values(node: SchemaElement) -> Issue | None:
    schema = node.schema if node.schema.type != "array" or node.schema.items is None else node.schema.items
    if schema.type != "string" or schema.get("enum") or schema.get("pattern") or schema.get("format"):
        return None
    for sentence in list_sentences(node):
        match = _search(_VALUES, sentence)
        names = (
            _QUOTED.findall(sentence[match.end() :]) if match and not _has_other_subject(node, sentence, match) else []
        )
        if match and len(set(names)) > 1 and not any(True for _ in _list_rules(node)) and INT_OR_STRING not in schema:
            listed = ", ".join(f'"{name}"' for name in dict.fromkeys(names))
            message = f'"{node.key}" is described with the values {listed}, but accepts every string'
            return Issue(message, "declare the values as an enum")
    return None


def _has_other_subject(node: SchemaElement, sentence: str, match: re.Match[str]) -> bool:
    """Return whether the values of a sentence are names of fields, or those of a part that is named before them."""
    named, values = _QUOTED.findall(sentence[: match.start()]), _QUOTED.findall(sentence[match.end() :])
    siblings = node.parent.schema.properties if node.parent else {}
    return any(name != node.key for name in named) or all(_make_camel(value) in siblings for value in values)


def _make_camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


def _find_statement(node: SchemaElement, sentence: str) -> _Statement | None:
    """Return the bound that a sentence states for a field of a bounded type."""
    kind = node.schema.type
    for pattern in (_RANGE, _UPPER, _LOWER):
        match = _search(pattern, sentence)
        if not match or any(match.groupdict().get(f"{name}unit") for name in ("value", "low", "high")):
            continue
        if not _fits(kind, sentence, match) or _OTHER_MEANING.search(sentence):
            continue
        numbers = {name: _parse_number(text) for name, text in match.groupdict().items() if text and "unit" not in name}
        words = _quote(sentence, match)
        if pattern is _RANGE:
            return _Statement(words, numbers["low"], numbers["high"]) if numbers["low"] < numbers["high"] else None
        return _Statement(words, upper=numbers["value"]) if pattern is _UPPER else _Statement(words, numbers["value"])
    match = _search(_SIGN, sentence)
    if match and kind in ("integer", "number"):
        is_weak = re.search("negative|or equal|>=", match[0])
        return _Statement(_quote(sentence, match), 0 if is_weak else 1)
    match = _search(_NOT_EMPTY, sentence)
    if (
        match
        and kind in ("string", "array")
        and bool(match[2]) != ("non" in match[3].lower() or match[1].lower() not in ("must", "should"))
    ):
        return _Statement(_quote(sentence, match), 1)
    return None


def _parse_number(text: str) -> float:
    """Return a number, an integer if it has no fraction."""
    digits = text.replace(",", "")
    return float(digits) if "." in digits else int(digits)


def _fits(kind: str, sentence: str, match: re.Match[str]) -> bool:
    """Return whether a number in a sentence is a bound on values of a type."""
    after = sentence[match.end() : match.end() + 30]
    if kind == "string":
        return bool(_CHARACTERS.search(sentence[max(match.start() - 40, 0) : match.end()] + after))
    if kind in ("array", "object"):
        return bool(_ITEMS.search(match[0] + after)) and not _CHARACTERS.search(match[0] + after)
    is_vague = match[0].lower().startswith(("at most", "no more than", "from", "between")) and match.start() > 0
    return kind in ("integer", "number") and (not is_vague or bool(_REQUIREMENT.search(sentence[: match.start()])))


def _check_bound(node: SchemaElement) -> Issue | None:
    kind = node.schema.type
    if kind not in _BOUNDS or node.path.startswith("status"):
        return None
    for sentence in list_sentences(node):
        statement = _find_statement(node, sentence)
        if statement is None or _OTHER_SUBJECT.search(sentence):
            continue
        issue = _compare_bounds(node, statement, *_BOUNDS[kind])
        if issue:
            return issue
    return None


def _compare_bounds(node: SchemaElement, statement: _Statement, lower: str, upper: str) -> Issue | None:
    schema, has_rules = node.schema, any(True for _ in _list_rules(node))
    if (statement.lower, statement.upper) in _FORMAT_RANGES:
        return None
    for keyword, stated, is_lower in ((lower, statement.lower, True), (upper, statement.upper, False)):
        if stated is None:
            continue
        actual = _find_bound(schema, keyword, is_lower=is_lower)
        if actual is None and not has_rules and not schema.get("pattern") and not schema.get("enum"):
            return Issue(
                f'"{node.key}" is described with a bound ("{statement.words}"), but has no {keyword}',
                f"set {keyword} to {stated}, or correct the description",
            )
        if (
            actual is not None
            and actual != stated
            and not has_rules
            and (actual < stated if is_lower else actual > stated)
        ):
            return Issue(
                f'"{node.key}" is described with a bound ("{statement.words}"), but {keyword} is {actual:g}',
                f"set {keyword} to {stated}, or correct the description",
            )
    return None


def _find_bound(schema: Schema, keyword: str, *, is_lower: bool) -> float | None:
    """Return the value of a keyword; for integers, an exclusive bound as an inclusive one."""
    value = schema.get(keyword)
    if value is None:
        return None
    exclusive = schema.get("exclusiveMinimum" if is_lower else "exclusiveMaximum") is True and keyword in (
        "minimum",
        "maximum",
    )
    step = (1 if is_lower else -1) if exclusive and schema.type == "integer" else 0
    return float(value) + step


RULES = (
    LintRule("lint-comment-immutable", (NODE,), _check_immutable),
    LintRule("lint-comment-exclusive", (NODE,), _check_exclusive),
    LintRule("lint-comment-values", (NODE,), _check_values),
    LintRule("lint-comment-bound", (NODE,), _check_bound),
)
