"""Strings that one schema accepts and another one rejects because of patterns, also within a format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.samples.pattern_strings import find_differences, find_matches
from protoc_gen_crd.schema.schema import Schema

_MAX_STRINGS = 12
_DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,3})?(Z|[+-][01][0-9]:[0-5][0-9])"
_IPV4 = "(0|[1-9][0-9]?)(\\.(0|[1-9][0-9]?)){3}"
_IPV6 = "([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|[0-9a-f]{1,4}::[0-9a-f]{0,4}"
_LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?"
# Patterns of usual strings of a format, by format without dashes; formats with check digits have none.
_FORMAT_PATTERNS: Mapping[str, str] = {
    name: f"^({pattern})$"
    for name, pattern in {
        "bsonobjectid": "[0-9a-f]{24}",
        "cidr": f"{_IPV4}/[0-9]|([0-9a-f]{{1,4}})::/[0-9]",
        "date": _DAY,
        "datetime": f"{_DAY}T{_TIME}",
        "duration": "([0-9]+(ms|s|m|h))+",
        "email": f"[a-z]+@{_LABEL}\\.[a-z]+",
        "hexcolor": "#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})",
        "hostname": f"{_LABEL}(\\.{_LABEL})*",
        "ipv4": _IPV4,
        "ipv6": _IPV6,
        "k8slongname": f"{_LABEL}(\\.{_LABEL})*",
        "k8sshortname": _LABEL,
        "mac": "[0-9a-f]{2}(:[0-9a-f]{2}){5}|[0-9a-f]{2}(-[0-9a-f]{2}){5}",
        "rgbcolor": "rgb\\([1-9][0-9]?,[1-9][0-9]?,[1-9][0-9]?\\)",
        "ssn": "[0-8][0-9]{2}[- ]?[0-9]{2}[- ]?[0-9]{4}",
        "uri": "[a-z]+://[a-z]+(\\.[a-z]+)*(/[a-z]*)*",
        "uuid": "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    }.items()
}


def generate_different_strings(schemas: Sequence[Schema]) -> Iterator[str]:
    """Yield strings that match the patterns of schemas and the format of the first one, but not what they exclude.

    Of what they exclude, only patterns count; the strings may be invalid for other reasons.
    """
    conjuncts = [conjunct for schema in schemas for conjunct in _list_conjuncts(schema)]
    excluded = [pattern for conjunct in conjuncts for pattern in _get_patterns(conjunct.get("not"))]
    form = str(schemas[0].get("format") or "").replace("-", "")
    patterns = [pattern for conjunct in conjuncts for pattern in _get_patterns(conjunct)]
    patterns += [_FORMAT_PATTERNS[form]] if form in _FORMAT_PATTERNS else []
    bounds = schemas[0].get("minLength") or 0, schemas[0].get("maxLength")
    if not excluded and patterns:
        yield from find_matches(tuple(patterns), *bounds, _MAX_STRINGS).strings
    for pattern in excluded:
        yield from find_differences(tuple(patterns) or ("",), pattern, *bounds).strings


def _list_conjuncts(schema: Schema) -> Iterator[Schema]:
    """Yield a schema and the branches of its allOf."""
    yield schema
    for branch in schema.get("allOf") or ():
        yield from _list_conjuncts(branch)


def _get_patterns(schema: Schema | None) -> list[str]:
    pattern = schema.get("pattern") if schema is not None else None
    return [pattern] if isinstance(pattern, str) and not syntax_check.check(pattern) else []
