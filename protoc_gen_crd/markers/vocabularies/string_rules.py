"""Rows of strings in the rules of protovalidate and protoc-gen-validate.

A pattern is equivalent to `matches`: both are unanchored RE2 expressions. Formats of API servers are used if they
accept the same strings, otherwise patterns derived from the grammars in RFC 1123, 3986, and 9110.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    RuleConstraint,
    Target,
    Translate,
    Translation,
    format_list,
    format_string,
    make_example_row,
    make_ignored_row,
)
from protoc_gen_crd.regex.ascii_patterns import matches_only_ascii
from protoc_gen_crd.regex.quoting import quote_regex
from protoc_gen_crd.regex.syntax_check import check

_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = rf"({_LABEL}\.)*{_LABEL}"
_PORT = "(0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_EMAIL = rf"^[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_LABEL}(\.{_LABEL})*$"
_PCHAR = "([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_NAME_CHAR = "([A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})"
_USER, _PORTED = f"(({_NAME_CHAR}|:)*@)?", "(:[0-9]*)?"
_AUTHORITY = rf"{_USER}(\[[0-9A-Fa-fv:.]+(%25{_NAME_CHAR}+)?\]|{_NAME_CHAR}*){_PORTED}"
_STEPS = f"(/{_PCHAR}*)*"
_ABSOLUTE = f"//{_AUTHORITY}{_STEPS}|/({_PCHAR}+{_STEPS})?"
_REST = rf"(\?({_PCHAR}|[/?])*)?(#({_PCHAR}|[/?])*)?"
_URI = f"^[A-Za-z][A-Za-z0-9+.-]*:({_ABSOLUTE}|{_PCHAR}+{_STEPS})?{_REST}$"
_NO_SCHEME = "([A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})"
_REFERENCE = f"{_URI}|^({_ABSOLUTE}|{_NO_SCHEME}+{_STEPS})?{_REST}$"
_UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
_WORD = "[A-Za-z_][A-Za-z_0-9]*"
# (Name, True if the rule is strict) -> pattern
_HEADERS = {
    ("HTTP_HEADER_NAME", True): "^:?[0-9a-zA-Z!#$%&'*+,.^_|~`-]+$",
    ("HTTP_HEADER_NAME", False): r"^[^\x00\n\r]+$",
    ("HTTP_HEADER_VALUE", True): r"^[^\x00-\x08\n-\x1f\x7f]*$",
    ("HTTP_HEADER_VALUE", False): r"^[^\x00\n\r]*$",
}


def _make_pattern_constraint(pattern: str, words: str, x: str, *, zero: bool = False) -> RuleConstraint:
    return RuleConstraint(f"{x}.matches({format_string(pattern)})", f"must {words}", (("pattern", pattern),), zero)


def _make_format_row(words: str, *patterns: str, zero: bool = False) -> Translate:
    """Make a row of a well-known format. A value that matches one of the patterns is accepted."""
    pattern = patterns[0] if len(patterns) == 1 else f"{'|'.join(patterns)}"

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        return _make_pattern_constraint(pattern, f"be {words}", target.x, zero=zero) if value else ()

    return make


def _make_native_format_row(form: str, words: str, function: str) -> Translate:
    """Make a row of a format of API servers. Its rule uses a function that is available since Kubernetes 1.31."""

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        return RuleConstraint(function.format(x=target.x), f"must be {words}", (("format", form),)) if value else ()

    return make


def _make_prefix_row(family: int, pattern: str) -> Translate:
    form = _make_native_format_row("cidr", "an IP address and the length of its prefix", "isCIDR({x})")

    def make(value: bool, target: Target, rules: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        constraint = form(value, target, rules)
        version = _make_pattern_constraint(pattern, f"be of IPv{family}", target.x)
        return (constraint, version) if isinstance(constraint, RuleConstraint) else constraint

    return make


def _make_network_row(family: str, words: str) -> Translate:
    """Make a row of a network address, which has no bits after the prefix. A length limit makes the rule cheap."""
    rule = f"isCIDR({{x}}) && cidr({{x}}) == cidr({{x}}).masked(){family}"
    bound = RuleConstraint("", "", (("max_length", 49),), zero=True)

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        return (bound, RuleConstraint(rule.replace("{x}", target.x), f"must be {words}")) if value else ()

    return make


_LONGEST_HOST, _DIGITS = 253, r"(^|\.)[0-9]+\.?$"
_IPS: tuple[Mapping[str, Any], ...] = ({"format": "ipv4"}, {"format": "ipv6"})
_ASCII_FORMATS = ("cidr", "ipv4", "ipv6")


def _make_host_row(*, digits: bool) -> Translate:
    """Make a row of a host name. With `digits`, the last label can consist of digits, as in protoc-gen-validate."""

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        if not value:
            return ()
        x = target.x
        longest = f"must have at most {_LONGEST_HOST} characters"
        constraint = (
            _make_pattern_constraint(rf"^{_HOST}\.?$", "be a host name", x),
            RuleConstraint(f"size({x}) <= {_LONGEST_HOST}", longest, (("max_length", _LONGEST_HOST),), zero=True),
        )
        words, keywords = "must not end in a label of digits alone", (("not", {"pattern": _DIGITS}),)
        rule = RuleConstraint(f"!{x}.matches({format_string(_DIGITS)})", words, keywords, zero=True)
        return constraint if digits else (*constraint, rule)

    return make


def _make_ip(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
    return RuleConstraint(f"isIP({target.x})", "must be an IP address", (("any_of", _IPS),)) if value else ()


def _make_address_row(*, digits: bool) -> Translate:
    """Make a row of a host name or an IP address; `digits` as for host names."""
    host: dict[str, Any] = {"maxLength": _LONGEST_HOST, "pattern": rf"^{_HOST}\.?$"}
    ending = "" if digits else f" && !{{x}}.matches({format_string(_DIGITS)})"
    if not digits:
        host["not"] = {"pattern": _DIGITS}
    name = f"size({{x}}) <= {_LONGEST_HOST} && {{x}}.matches({format_string(host['pattern'])}){ending}"

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        rule = f"isIP({target.x}) || {name.replace('{x}', target.x)}"
        constraint = RuleConstraint(rule, "must be a host name or an IP address", (("any_of", (host, *_IPS)),))
        return constraint if value else ()

    return make


def _make_known_regex_row(headers: Mapping[tuple[str, bool], str]) -> Translate:
    """Make a row of a regular expression that is selected by name."""

    def make(value: str, target: Target, rules: Mapping[str, Any]) -> Translation:
        name = str(value).removeprefix("KNOWN_REGEX_")
        pattern = headers.get((name, bool(rules.get("strict", True))))
        if pattern is None:
            return () if name in ("UNSPECIFIED", "UNKNOWN") else f'unknown regular expression "{value}"'
        words = f"be an {name.replace('_', ' ').lower().replace('http', 'HTTP')}"
        return _make_pattern_constraint(pattern, words, target.x, zero=pattern.endswith("*$"))

    return make


def _make_length_row(comparison: str, options: tuple[str, ...], words: str) -> Translate:
    def make(value: int, target: Target, _: Mapping[str, Any]) -> Translation:
        zero = comparison == "<=" or value == 0
        keywords = tuple((option, value) for option in options)
        return RuleConstraint(
            f"size({target.x}) {comparison} {value}", f"must have {words} {value} characters", keywords, zero
        )

    return make


_LIMITS: Mapping[str, tuple[str, ...]] = {
    "==": ("min_length", "max_length"),
    ">=": ("min_length",),
    "<=": ("max_length",),
}


def _make_byte_length_row(comparison: str, words: str) -> Translate:
    def make(value: int, target: Target, rules: Mapping[str, Any]) -> Translation:
        zero = comparison == "<=" or value == 0
        rule = f"size(bytes({target.x})) {comparison} {value}"
        message = f"must have {words} {value} bytes in UTF-8"
        if value == 0 or (value == 1 and comparison == ">=") or _has_ascii_values(target, rules):
            keywords = tuple((option, value) for option in _LIMITS[comparison])
            return RuleConstraint(rule, message, keywords, zero)
        constraint = RuleConstraint(rule, message, zero=zero)
        bounded = comparison == ">=" or rules.keys() & {"max_len", "len"}
        # No string has more characters than bytes. The length limit makes the rule cheap.
        return constraint if bounded else (constraint, RuleConstraint("", "", (("max_length", value),), zero=True))

    return make


def _has_ascii_values(target: Target, rules: Mapping[str, Any]) -> bool:
    """Return whether other rules accept only ASCII strings, which have as many bytes as characters."""
    if target.overridden:
        return False
    rows = [(ROWS[name], value) for name, value in rules.items() if name in ROWS and not name.endswith("_bytes")]
    translations = [row.make(value, target, rules) for row, value in rows if row.make is not None]
    constraints = [
        constraint
        for translation in translations
        if not isinstance(translation, str)
        for constraint in (translation if isinstance(translation, tuple) else (translation,))
    ]
    return any(_is_ascii_keyword(*keyword) for constraint in constraints for keyword in constraint.keywords)


def _is_ascii_keyword(name: str, value: Any) -> bool:
    if name == "any_of":
        return all(any(_is_ascii_keyword(*keyword) for keyword in choice.items()) for choice in value)
    if name == "enum":
        return all(string.isascii() for string in value)
    return (name == "pattern" and matches_only_ascii(value)) or (name == "format" and value in _ASCII_FORMATS)


def _make_pattern(value: str, target: Target, _: Mapping[str, Any]) -> Translation:
    from protoc_gen_crd.regex.matcher import compile as compile_pattern  # noqa: PLC0415 - loads RE2

    matcher = compile_pattern(value) if not check(value) else None
    return _make_pattern_constraint(value, f"match {value}", target.x, zero=matcher is None or matcher.search(""))


def _make_part_row(words: str, pattern: Callable[[str], str], rule: str) -> Translate:
    def make(value: str, target: Target, _: Mapping[str, Any]) -> Translation:
        keywords = (("pattern", pattern(quote_regex(value))),) if value else ()
        return RuleConstraint(
            f"{target.x}.{rule}({format_string(value)})", f"must {words} {format_string(value)}", keywords, not value
        )

    return make


def _make_const(value: str, target: Target, _: Mapping[str, Any]) -> Translation:
    return RuleConstraint(
        f"{target.x} == {format_string(value)}", f"must be {format_string(value)}", (("enum", [value]),), not value
    )


def _make_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Translation:
    listed = format_list(list(map(format_string, value)))
    return RuleConstraint(f"{target.x} in {listed}", f"must be one of {listed}", (("enum", value),), "" in value)


def _make_not_contains(value: str, target: Target, _: Mapping[str, Any]) -> Translation:
    rule, message = f"!{target.x}.contains({format_string(value)})", f"must not contain {format_string(value)}"
    return RuleConstraint(rule, message, (("not", {"pattern": quote_regex(value)}),), bool(value))


def _make_not_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Translation:
    listed = format_list(list(map(format_string, value)))
    rule, message = f"!({target.x} in {listed})", f"must be none of {listed}"
    return RuleConstraint(rule, message, (("not", {"enum": value}),), "" not in value)


_OF_ASCII = "if another rule, such as `pattern`, accepts only ASCII strings"
_SINCE = "`maxLength` and a rule with functions whose cost API servers have estimated correctly since 1.32"

ROWS: Mapping[str, Row] = {
    "const": Row("`enum`", _make_const),
    "len": Row("`minLength` and `maxLength`", _make_length_row("==", ("min_length", "max_length"), "exactly")),
    "min_len": Row("`minLength`", _make_length_row(">=", ("min_length",), "at least")),
    "max_len": Row("`maxLength`", _make_length_row("<=", ("max_length",), "at most")),
    "len_bytes": Row(
        f"`minLength` and `maxLength` {_OF_ASCII}; otherwise a rule, and `maxLength`",
        _make_byte_length_row("==", "exactly"),
    ),
    "min_bytes": Row(
        f"`minLength` for 1 byte, and {_OF_ASCII}; otherwise a rule", _make_byte_length_row(">=", "at least")
    ),
    "max_bytes": Row(f"`maxLength`; also a rule, except {_OF_ASCII}", _make_byte_length_row("<=", "at most")),
    "pattern": Row("`pattern`", _make_pattern),
    "prefix": Row("`pattern`", _make_part_row("start with", "^{}".format, "startsWith")),
    "suffix": Row("`pattern`", _make_part_row("end with", "{}$".format, "endsWith")),
    "contains": Row("`pattern`", _make_part_row("contain", str, "contains")),
    "not_contains": Row("`not` with `pattern`", _make_not_contains),
    "in": Row("`enum`", _make_in),
    "not_in": Row("`not` with `enum`", _make_not_in),
    "email": Row("`pattern`: the address alone, as in HTML forms", _make_format_row("an email address", _EMAIL)),
    "hostname": Row(
        "`pattern`, `maxLength`, and `not`: the last label contains a character that is not a digit",
        _make_host_row(digits=False),
    ),
    "ip": Row("`anyOf` the formats `ipv4` and `ipv6`, which have no zones", _make_ip),
    "ipv4": Row(
        "`format: ipv4`", _make_native_format_row("ipv4", "an IPv4 address", "isIP({x}) && ip({x}).family() == 4")
    ),
    "ipv6": Row(
        "`format: ipv6`, which has no zones",
        _make_native_format_row("ipv6", "an IPv6 address", "isIP({x}) && ip({x}).family() == 6"),
    ),
    "uri": Row("`pattern`: with a scheme", _make_format_row("a URI", _URI)),
    "uri_ref": Row("`pattern`", _make_format_row("a URI reference", _REFERENCE, zero=True)),
    "address": Row(
        "`anyOf` the constraints of `hostname` and the formats `ipv4` and `ipv6`", _make_address_row(digits=False)
    ),
    "uuid": Row("`pattern`: with dashes", _make_format_row("a UUID", _UUID)),
    "tuuid": Row("`pattern`: without dashes", _make_format_row("a UUID without dashes", "^[0-9a-fA-F]{32}$")),
    "ip_with_prefixlen": Row(
        "`format: cidr`", _make_native_format_row("cidr", "an IP address and the length of its prefix", "isCIDR({x})")
    ),
    "ipv4_with_prefixlen": Row("`format: cidr` and `pattern`: no colon", _make_prefix_row(4, r"^[^:]*$")),
    "ipv6_with_prefixlen": Row("`format: cidr` and `pattern`: a colon", _make_prefix_row(6, ":")),
    "ip_prefix": Row(_SINCE, _make_network_row("", "the address of a network")),
    "ipv4_prefix": Row(_SINCE, _make_network_row(" && cidr({x}).ip().family() == 4", "the address of an IPv4 network")),
    "ipv6_prefix": Row(_SINCE, _make_network_row(" && cidr({x}).ip().family() == 6", "the address of an IPv6 network")),
    "host_and_port": Row(
        "`pattern`; of an IPv6 address in brackets only the characters are checked",
        _make_format_row("a host and a port", rf"^({_HOST}|\[[0-9A-Fa-f:.]+(%[^\]]+)?\]):{_PORT}$"),
    ),
    "ulid": Row("`pattern`", _make_format_row("a ULID", "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$")),
    "protobuf_fqn": Row("`pattern`", _make_format_row("the full name of a protobuf type", rf"^{_WORD}(\.{_WORD})*$")),
    "protobuf_dot_fqn": Row(
        "`pattern`", _make_format_row("the full name of a protobuf type behind a dot", rf"^(\.{_WORD})+$")
    ),
    "well_known_regex": Row("`pattern`", _make_known_regex_row(_HEADERS)),
    "strict": make_ignored_row("selects the expression of `well_known_regex`"),
    "example": make_example_row(str),
}

# Rules that differ in protoc-gen-validate. Source: its templates/goshared, module/checker.go.
PGV_ROWS: Mapping[str, Row] = {
    **ROWS,
    "hostname": Row("`pattern` and `maxLength`", _make_host_row(digits=True)),
    "address": Row(
        "`anyOf` the constraints of `hostname` and the formats `ipv4` and `ipv6`", _make_address_row(digits=True)
    ),
    "well_known_regex": Row(
        "`pattern`", _make_known_regex_row({**_HEADERS, ("HTTP_HEADER_NAME", False): r"^[^\x00\n\r]*$"})
    ),
}
