"""Rows of strings in the rules of protovalidate and protoc-gen-validate.

A pattern says what `matches` says: both are regular expressions of RE2 that may match anywhere. Formats of API servers
are used where they take the same texts, else patterns made of the grammars in RFC 1123, 3986 and 9110.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.markers.vocabularies.rows import (
    Made,
    Make,
    Row,
    Said,
    Target,
    example,
    listed,
    quoted,
    text,
    without_effect,
)
from protoc_gen_crd.regex.syntax import check
from protoc_gen_crd.schema.types import Schema

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
# By name and whether the rule is strict.
_HEADERS = {
    ("HTTP_HEADER_NAME", True): "^:?[0-9a-zA-Z!#$%&'*+,.^_|~`-]+$",
    ("HTTP_HEADER_NAME", False): r"^[^\x00\n\r]+$",
    ("HTTP_HEADER_VALUE", True): r"^[^\x00-\x08\n-\x1f\x7f]*$",
    ("HTTP_HEADER_VALUE", False): r"^[^\x00\n\r]*$",
}


def _matching(pattern: str, words: str, x: str, *, zero: bool = False) -> Said:
    return Said(f"{x}.matches({text(pattern)})", f"must {words}", (("pattern", pattern),), zero)


def _formatted(words: str, *patterns: str, zero: bool = False) -> Make:
    """A well-known format, as one of several patterns."""
    pattern = patterns[0] if len(patterns) == 1 else f"{'|'.join(patterns)}"

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        return _matching(pattern, f"be {words}", target.x, zero=zero) if value else ()

    return make


def _served(form: str, words: str, function: str) -> Make:
    """A format that servers know; in rules, a function that they know since 1.31."""

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        return Said(function.format(x=target.x), f"must be {words}", (("format", form),)) if value else ()

    return make


def _prefix_of(family: int, pattern: str) -> Make:
    form = _served("cidr", "an IP address and the length of its prefix", "isCIDR({x})")

    def make(value: bool, target: Target, rules: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        said = form(value, target, rules)
        version = _matching(pattern, f"be of IPv{family}", target.x)
        return (said, version) if isinstance(said, Said) else said

    return make


def _network(family: str, words: str) -> Make:
    """The address of a network: no bit is set behind the prefix. A bound that no such text exceeds makes it cheap."""
    rule = f"isCIDR({{x}}) && cidr({{x}}) == cidr({{x}}).masked(){family}"
    bound = Said("", "", (("max_length", 49),), zero=True)

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        return (bound, Said(rule.replace("{x}", target.x), f"must be {words}")) if value else ()

    return make


_LONGEST_HOST, _DIGITS = 253, r"(^|\.)[0-9]+\.?$"
_IPS: tuple[Mapping[str, Any], ...] = ({"format": "ipv4"}, {"format": "ipv6"})


def _host(*, digits: bool) -> Make:
    """A host name. `digits` lets the last label have digits alone, as in protoc-gen-validate."""

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        if not value:
            return ()
        x = target.x
        longest = f"must have at most {_LONGEST_HOST} characters"
        said = (
            _matching(rf"^{_HOST}\.?$", "be a host name", x),
            Said(f"size({x}) <= {_LONGEST_HOST}", longest, (("max_length", _LONGEST_HOST),), zero=True),
        )
        rule = Said(f"!{x}.matches({text(_DIGITS)})", "must not end in a label of digits alone", zero=True)
        return said if digits else (*said, rule)

    return make


def _ip(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
    return Said(f"isIP({target.x})", "must be an IP address", (("any_of", _IPS),)) if value else ()


def _address(*, digits: bool) -> Make:
    """A host name or an IP address."""
    host: dict[str, Any] = {"maxLength": _LONGEST_HOST, "pattern": rf"^{_HOST}\.?$"}
    ending = "" if digits else f" && !{{x}}.matches({text(_DIGITS)})"
    if not digits:
        host["not"] = Schema({"pattern": _DIGITS})
    name = f"size({{x}}) <= {_LONGEST_HOST} && {{x}}.matches({text(host['pattern'])}){ending}"

    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        rule = f"isIP({target.x}) || {name.replace('{x}', target.x)}"
        said = Said(rule, "must be a host name or an IP address", (("any_of", (host, *_IPS)),))
        return said if value else ()

    return make


def _known_regex(headers: Mapping[tuple[str, bool], str]) -> Make:
    """An expression by its name."""

    def make(value: str, target: Target, rules: Mapping[str, Any]) -> Made:
        name = str(value).removeprefix("KNOWN_REGEX_")
        pattern = headers.get((name, bool(rules.get("strict", True))))
        if pattern is None:
            return () if name in ("UNSPECIFIED", "UNKNOWN") else f'no expression of the name "{value}" is known'
        words = f"be an {name.replace('_', ' ').lower().replace('http', 'HTTP')}"
        return _matching(pattern, words, target.x, zero=pattern.endswith("*$"))

    return make


def _lengths(comparison: str, options: tuple[str, ...], words: str) -> Make:
    def make(value: int, target: Target, _: Mapping[str, Any]) -> Made:
        zero = comparison == "<=" or value == 0
        keywords = tuple((option, value) for option in options)
        return Said(f"size({target.x}) {comparison} {value}", f"must have {words} {value} characters", keywords, zero)

    return make


def _octets(comparison: str, words: str) -> Make:
    def make(value: int, target: Target, rules: Mapping[str, Any]) -> Made:
        zero = comparison == "<=" or value == 0
        rule = f"size(bytes({target.x})) {comparison} {value}"
        said = Said(rule, f"must have {words} {value} bytes in UTF-8", zero=zero)
        bounded = comparison == ">=" or rules.keys() & {"max_len", "len"}
        # No text has more characters than bytes, and a bound makes the rule cheap.
        return said if bounded else (said, Said("", "", (("max_length", value),), zero=True))

    return make


def _pattern(value: str, target: Target, _: Mapping[str, Any]) -> Made:
    from protoc_gen_crd.regex.match import compile as compiled  # noqa: PLC0415 - loads RE2

    found = compiled(value) if not check(value) else None
    return _matching(value, f"match {value}", target.x, zero=found is None or found.search(""))


def _part(words: str, pattern: Callable[[str], str], rule: str) -> Make:
    def make(value: str, target: Target, _: Mapping[str, Any]) -> Made:
        keywords = (("pattern", pattern(quoted(value))),) if value else ()
        return Said(f"{target.x}.{rule}({text(value)})", f"must {words} {text(value)}", keywords, not value)

    return make


def _const(value: str, target: Target, _: Mapping[str, Any]) -> Made:
    return Said(f"{target.x} == {text(value)}", f"must be {text(value)}", (("enum", [value]),), not value)


def _in(value: list[str], target: Target, _: Mapping[str, Any]) -> Made:
    shown = listed(list(map(text, value)))
    return Said(f"{target.x} in {shown}", f"must be one of {shown}", (("enum", value),), "" in value)


def _not_contains(value: str, target: Target, _: Mapping[str, Any]) -> Made:
    return Said(f"!{target.x}.contains({text(value)})", f"must not contain {text(value)}", zero=bool(value))


def _not_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Made:
    shown = listed(list(map(text, value)))
    return Said(f"!({target.x} in {shown})", f"must be none of {shown}", zero="" not in value)


_SINCE = "`maxLength` and a rule of functions that servers have estimated right since 1.32"

ROWS: Mapping[str, Row] = {
    "const": Row("`enum`", _const),
    "len": Row("`minLength` and `maxLength`", _lengths("==", ("min_length", "max_length"), "exactly")),
    "min_len": Row("`minLength`", _lengths(">=", ("min_length",), "at least")),
    "max_len": Row("`maxLength`", _lengths("<=", ("max_length",), "at most")),
    "len_bytes": Row("a rule, and `maxLength`", _octets("==", "exactly")),
    "min_bytes": Row("a rule", _octets(">=", "at least")),
    "max_bytes": Row("a rule, and `maxLength`", _octets("<=", "at most")),
    "pattern": Row("`pattern`", _pattern),
    "prefix": Row("`pattern`", _part("start with", "^{}".format, "startsWith")),
    "suffix": Row("`pattern`", _part("end with", "{}$".format, "endsWith")),
    "contains": Row("`pattern`", _part("contain", str, "contains")),
    "not_contains": Row("a rule", _not_contains),
    "in": Row("`enum`", _in),
    "not_in": Row("a rule", _not_in),
    "email": Row("`pattern`: the address alone, as in HTML forms", _formatted("an email address", _EMAIL)),
    "hostname": Row(
        "`pattern`, `maxLength` and a rule: the last label has other characters than digits", _host(digits=False)
    ),
    "ip": Row("`anyOf` the formats `ipv4` and `ipv6`, which have no zones", _ip),
    "ipv4": Row("`format: ipv4`", _served("ipv4", "an IPv4 address", "isIP({x}) && ip({x}).family() == 4")),
    "ipv6": Row(
        "`format: ipv6`, which has no zones",
        _served("ipv6", "an IPv6 address", "isIP({x}) && ip({x}).family() == 6"),
    ),
    "uri": Row("`pattern`: with a scheme", _formatted("a URI", _URI)),
    "uri_ref": Row("`pattern`", _formatted("a URI reference", _REFERENCE, zero=True)),
    "address": Row("`anyOf` what `hostname` asks for and the formats `ipv4` and `ipv6`", _address(digits=False)),
    "uuid": Row("`pattern`: with dashes", _formatted("a UUID", _UUID)),
    "tuuid": Row("`pattern`: without dashes", _formatted("a UUID without dashes", "^[0-9a-fA-F]{32}$")),
    "ip_with_prefixlen": Row(
        "`format: cidr`", _served("cidr", "an IP address and the length of its prefix", "isCIDR({x})")
    ),
    "ipv4_with_prefixlen": Row("`format: cidr` and `pattern`: no colon", _prefix_of(4, r"^[^:]*$")),
    "ipv6_with_prefixlen": Row("`format: cidr` and `pattern`: a colon", _prefix_of(6, ":")),
    "ip_prefix": Row(_SINCE, _network("", "the address of a network")),
    "ipv4_prefix": Row(_SINCE, _network(" && cidr({x}).ip().family() == 4", "the address of an IPv4 network")),
    "ipv6_prefix": Row(_SINCE, _network(" && cidr({x}).ip().family() == 6", "the address of an IPv6 network")),
    "host_and_port": Row(
        "`pattern`; of an IPv6 address in brackets only the characters are checked",
        _formatted("a host and a port", rf"^({_HOST}|\[[0-9A-Fa-f:.]+(%[^\]]+)?\]):{_PORT}$"),
    ),
    "ulid": Row("`pattern`", _formatted("a ULID", "^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$")),
    "protobuf_fqn": Row("`pattern`", _formatted("the full name of a protobuf type", rf"^{_WORD}(\.{_WORD})*$")),
    "protobuf_dot_fqn": Row(
        "`pattern`", _formatted("the full name of a protobuf type behind a dot", rf"^(\.{_WORD})+$")
    ),
    "well_known_regex": Row("`pattern`", _known_regex(_HEADERS)),
    "strict": without_effect("says which expression `well_known_regex` is"),
    "example": example(str),
}

# What protoc-gen-validate takes where protovalidate does not. Source: its templates/goshared, module/checker.go.
PGV_ROWS: Mapping[str, Row] = {
    **ROWS,
    "hostname": Row("`pattern` and `maxLength`", _host(digits=True)),
    "address": Row("`anyOf` what `hostname` asks for and the formats `ipv4` and `ipv6`", _address(digits=True)),
    "well_known_regex": Row("`pattern`", _known_regex({**_HEADERS, ("HTTP_HEADER_NAME", False): r"^[^\x00\n\r]*$"})),
}
