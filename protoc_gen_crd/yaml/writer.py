"""Plain data as YAML text, byte for byte as Kubernetes' Go writer prints it.

The yardstick is `yaml.Marshal` of sigs.k8s.io/yaml v1.6.0, which controller-tools v0.20.1 and Kubernetes 1.35 use:
to JSON first, then through go.yaml.in/yaml/v2. This module knows that writer's rules, not what the data means.

What becomes of strings that the Go writer alters or refuses:
- a lone surrogate is written as U+FFFD, as Go's JSON reader takes it; a pair of them is one character;
- U+0085 in a value is folded to a blank, a run of n to n-1 line breaks, as happens on Go's way through JSON;
- U+007F to U+009F otherwise, U+FFFE, U+FFFF, and keys with U+0085 or more than 1,024 characters of JSON make Go's way
  through JSON fail. They are written as go.yaml.in/yaml/v2 alone writes them, so that nothing is lost.

Key sets on whose order go-yaml does not agree with itself (v10 < v1a < v2 < v10) get the same order every time.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cmp_to_key, lru_cache
from itertools import takewhile
from math import isfinite

_FOLD_COLUMN = 80
_NEVER_FOLDED = _FOLD_COLUMN + 3  # a line that ends before this column has no blank beyond the other with text behind
_SIMPLE_KEY_BYTES = 128
_MIN_CACHED_SIZE = 4  # pieces of text up to which a memo entry costs more than it saves
_CACHE_SIZE = 4096
_COMPARED = 16384  # pairs of keys: versions of a kind have nearly the same fields

# What a string that needs no second look starts with: no other type and no indicator does.
_SIMPLE_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/$(^_")

_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"  # ASCII that need not be escaped

# LS and PS are line breaks to YAML. So are CR and U+0085, but these never stand unescaped.
_BREAKS = ("\n", "\u2028", "\u2029")
_ESCAPES = dict(zip('\0\a\b\t\n\v\f\r\x1b"\\\x85\u2028\u2029', '0abtnvfre"\\NLP', strict=True))

# What go-yaml does not read in a JSON string: control characters, and a document's start or end at a line's start.
_NEVER_PRINTED = "[\x7f-\x84\x86-\x9f\ufffe\uffff]|\x85(?:---|[.]{3})[ \x85]"

# Strings that would be read as another type if they stood unquoted. Only a look at the first characters leads to the
# patterns, so that most runs compile none.
_TRUE = {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}
_FALSE = {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}
_NULL = {"", "~", "null", "Null", "NULL"}
_NOT_FINITE = {".nan", ".NaN", ".NAN", *(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF"))}
_WORDS = frozenset(_TRUE | _FALSE | _NULL | _NOT_FINITE)
_FROM_POINT = r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?"
_DECIMAL = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_PREFIXED = r"[-+]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)"
_SIGNED_BINARY = r"0b([-+][01]+)"
_BASE_60 = r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
_CLOCK = r"(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]+)?"
_ZONE = r"(?:Z|[-+](?:[01][0-9]|2[0-4]):(?:[0-5][0-9]|60))"
_DATE = r"([0-9]{4})-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01])"
_TIMESTAMP = f"{_DATE}(?:[Tt]{_CLOCK}{_ZONE}| +{_CLOCK})?"
_MONTH_DAYS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


class Memo(dict[tuple[int, int], str]):
    """Texts of mappings by (id, indent), of those that are known to occur again: `repeated` has their ids."""

    def __init__(self, repeated: Container[int]) -> None:
        super().__init__()
        self.repeated = repeated


def dump(value: object, *, indent: int = 0, memo: Memo | None = None) -> str:
    """The text of one document, ending in a line break.

    `value` is made of dict with str keys, list, tuple, str, int, float, bool and None. Raises TypeError for anything
    else, ValueError for a float that JSON does not have. Integers beyond 64 bits are printed as floats, as in Go.

    `indent` gives the text that stands that many columns to the right in a larger one; lines still fold at column 80.

    `memo` keeps texts of mappings: one that it knows to occur again, in this value or in that of a later call with the
    same memo, is worked out once. The caller keeps these mappings alive and unchanged meanwhile.
    """
    start = " " * indent
    if type(value) is str:
        return start + _format_string(value, indent + 2, indent)
    lines: list[str] = []
    _write_node(value, indent, start, lines, Memo(()) if memo is None else memo)
    return "".join(lines)


def _write_node(value: object, indent: int, start: str, lines: list[str], memo: Memo) -> None:
    """Add a node whose first line is `start`, up to column `indent`, and the rest of the node."""
    if type(value) is str:
        lines.append(start + _format_string(value, indent, indent))
    elif type(value) is dict and value:
        _write_mapping(value, indent, start, lines, memo)
    elif (type(value) is list or type(value) is tuple) and value:
        _write_sequence(value, indent, start, lines, memo)
    else:
        lines.append(start + _format_scalar(value))


def _write_mapping(node: dict[str, object], indent: int, start: str, lines: list[str], memo: Memo) -> None:
    """The same for a mapping that has entries."""
    kept = id(node) in memo.repeated
    if kept and (known := memo.get((id(node), indent))):
        lines.append(start + known)
        return
    before, blanks, mark = len(start), " " * indent, len(lines)
    for key, name in _sort_keys(tuple(node)):
        value = node[key]
        if not name:
            shown = _format_styled(*_choose_style(_replace_surrogates(key)), indent + 2, indent + 2)
            _write_node(value, indent + 2, f"{start}? {shown}{blanks}: ", lines, memo)
        elif type(value) is str:
            quote, body = _choose_value_style(value)
            column = indent + len(name) + 1
            if not quote and column + len(body) < _NEVER_FOLDED:
                lines.append(f"{start}{name} {body}\n")
            else:
                lines.append(f"{start}{name} {_format_styled(quote, body, indent + 2, column)}")
        elif type(value) is dict and value:
            _write_mapping(value, indent + 2, f"{start}{name}\n{blanks}  ", lines, memo)
        elif (type(value) is list or type(value) is tuple) and value:
            _write_sequence(value, indent, f"{start}{name}\n{blanks}", lines, memo)
        else:
            lines.append(f"{start}{name} {_format_scalar(value)}")
        start = blanks
    if kept and len(lines) - mark > _MIN_CACHED_SIZE:
        lines[mark:] = ["".join(lines[mark:])]
        memo[id(node), indent] = lines[mark][before:]


def _write_sequence(
    items: list[object] | tuple[object, ...], indent: int, start: str, lines: list[str], memo: Memo
) -> None:
    """The same for a list that has items."""
    for item in items:
        _write_node(item, indent + 2, f"{start}- ", lines, memo)
        start = " " * indent


def _format_scalar(value: object) -> str:
    """A node that takes one line wherever it stands."""
    if value is None:
        return "null\n"
    if isinstance(value, bool):
        return "true\n" if value else "false\n"
    if isinstance(value, int):
        return f"{_format_integer(value)}\n"
    if isinstance(value, float):
        return f"{_format_float(value)}\n"
    if isinstance(value, dict | list | tuple) and not value:
        return "{}\n" if isinstance(value, dict) else "[]\n"
    raise TypeError(f"plain data expected, found {type(value).__name__}")


def _format_string(text: str, indent: int, column: int) -> str:
    """A string value that starts at `column` and goes on at `indent`."""
    return _format_styled(*_choose_value_style(text), indent, column)


def _format_styled(quote: str, body: str, indent: int, column: int) -> str:
    """A styled string as it stands at `column` and goes on at `indent`, with the line break it ends in."""
    if quote == "|":
        return _format_literal(body, indent)
    if quote != "'" or body.isascii():
        return f"{quote}{_fold(body, indent, column + len(quote), quote)}{quote}\n"
    first, *others = body.splitlines(keepends=True)
    rest = [line if line in _BREAKS else " " * indent + _fold(line, indent, indent, quote) for line in others]
    return f"'{_fold(first, indent, column + 1, quote)}{''.join(rest)}'\n"


@lru_cache(maxsize=_CACHE_SIZE)
def _choose_value_style(text: str) -> tuple[str, str]:
    return ("", text) if _is_simple(text) else _choose_style(text if text.isascii() else _round_trip_json(text))


def _is_simple(text: str) -> bool:
    """Whether a string is a plain one at a glance."""
    return (
        text[:1] in _SIMPLE_CHARACTERS
        and text.isascii()
        and text.isprintable()
        and text[-1] != " "
        and ":" not in text
        and "#" not in text
        and text not in _WORDS
    )


def _choose_style(text: str) -> tuple[str, str]:
    """How a string is written: its quote ("" for plain, "|" for literal) and what stands between the quotes."""
    if text.isascii():
        broken, blank = "\n" in text, " \n" in text
    else:
        broken, blank = (any(f"{before}{one}" in text for one in _BREAKS) for before in ("", " "))
    if blank or _has_special_character(text):
        return '"', _escape_text(text)
    if "\n" in text:
        return ('"', _escape_text(text)) if text[-1] == " " else ("|", text)
    if _is_typed(text) or (broken and ("\u2028 " in text or "\u2029 " in text)):
        return '"', _escape_text(text)
    return ("'", text.replace("'", "''")) if broken or _has_indicator(text) else ("", text)


def _has_special_character(text: str) -> bool:
    """Whether there is a character that must be escaped."""
    if text.isascii():
        return bool(text.encode().translate(None, _PLAIN))
    return not all(map(_is_printable, set(text)))


def _is_printable(character: str) -> bool:
    """Whether a character may stand unescaped where there are no double quotes; those beyond U+FFFF may not."""
    if character <= "\ud7ff":
        return " " <= character <= "~" or character >= "\xa0" or character == "\n"
    return "\ue000" <= character <= "\ufffd" and character != "\ufeff"


def _has_indicator(text: str) -> bool:
    """Whether the unquoted text would be read as something else than a scalar, or lose blanks at its ends."""
    return (
        text[0] in " #,[]{}&*!|>'\"%@`"
        or text[:2] in ("?", "-", "? ", "- ")
        or text.startswith(("---", "..."))
        or text[-1] in " :"
        or ": " in text
        or " #" in text
    )


def _fold(text: str, indent: int, column: int, quote: str) -> str:
    """Text broken at blanks beyond the fold column.

    No place to break is a blank at either end or after another blank; nor one before another blank, unless that one
    can be escaped.
    """
    at = text.find(" ", max(_FOLD_COLUMN + 1 - column, 1))
    if at < 0:
        return text
    lines, start, lead, last = [], 0, "", len(text) - 1
    while 0 < at < last:
        following = at + 1
        if text[at - 1] == " " or (text[following] == " " and quote != '"'):
            at = text.find(" ", following)
            continue
        lines.append(lead + text[start:at])
        start, lead = following, "\\" if text[following] == " " else ""
        at = text.find(" ", start + max(_FOLD_COLUMN + 1 - indent - len(lead), 0))
    lines.append(lead + text[start:])
    return ("\n" + " " * indent).join(lines)


def _format_literal(text: str, indent: int) -> str:
    """A block of lines as they are, after a header that says how it starts and ends."""
    start = " " * indent
    hint = "2" if text.startswith((" ", *_BREAKS)) else ""
    chomp = "-"
    if text.endswith(_BREAKS):
        chomp = "+" if len(text) == 1 or text[:-1].endswith(_BREAKS) else ""
    if chomp == "-" and text[0] != "\n" and text.isascii():
        body, blank = start + text.replace("\n", f"\n{start}"), f"\n{start}\n"
        while blank in body:
            body = body.replace(blank, "\n\n")
    else:
        body = "".join([line if line in _BREAKS else start + line for line in text.splitlines(keepends=True)])
    return f"|{hint}{chomp}\n{body}" + ("\n" if chomp == "-" else "")


def _escape_text(text: str) -> str:
    """What stands in double quotes. Go escapes every character of a text that starts with a byte order mark."""
    if text.startswith("\ufeff"):
        return "".join(map(_escape_character, text))
    return re.sub(r"[^ !#-\[\]-~]", _escape_match, text)


def _escape_match(found: re.Match[str]) -> str:
    return found[0] if _is_printable(found[0]) and found[0] not in _ESCAPES else _escape_character(found[0])


def _escape_character(character: str) -> str:
    code = ord(character)
    number = f"x{code:02X}" if code <= 0xFF else f"u{code:04X}" if code <= 0xFFFF else f"U{code:08X}"
    return "\\" + _ESCAPES.get(character, number)


def _replace_surrogates(text: str) -> str:
    """Pairs of surrogates joined, lone ones replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _round_trip_json(text: str) -> str:
    """What go-yaml reads where encoding/json has written the text; the text itself if go-yaml refuses to read it."""
    text = _replace_surrogates(text)
    if "\x85" not in text or re.search(_NEVER_PRINTED, text):
        return text
    return re.sub(" *\x85[ \x85]*", lambda run: "\n" * (run[0].count("\x85") - 1) or " ", text)


def _is_typed(text: str) -> bool:
    """Whether the unquoted text would be read as another type, or as a number in base 60 by YAML 1.1."""
    if text in _WORDS:
        return True
    if text[0] == ".":
        return text[1:2].isdecimal() and re.fullmatch(_FROM_POINT, text) is not None and isfinite(float(text))
    if text[0] not in "+-0123456789":
        return False
    if text[4:5] == "-" and (date := re.fullmatch(_TIMESTAMP, text)):
        return _is_valid_date(*map(int, date.groups()))
    return " " not in text and (_is_number(text.replace("_", "")) or re.fullmatch(_BASE_60, text) is not None)


def _is_valid_date(year: int, month: int, day: int) -> bool:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _MONTH_DAYS.get(month, 31) and (leap or (month, day) != (2, 29))


def _is_number(text: str) -> bool:
    """Whether go-yaml reads a number, which integers with a prefix are up to 64 bits, and decimals while finite."""
    if re.fullmatch(_DECIMAL, text):
        return isfinite(float(text))
    if re.fullmatch(_PREFIXED, text):
        return -(1 << 63) <= int(text, 0) < 1 << (63 if text[0] == "+" else 64)
    binary = re.fullmatch(_SIGNED_BINARY, text)
    return binary is not None and -(1 << 63) <= int(binary[1], 2) < 1 << 63


def _format_integer(value: int) -> str:
    """Its digits, or the float that go-yaml makes of digits beyond 64 bits."""
    try:
        return str(value) if -(1 << 63) <= value < 1 << 64 else _format_general(float(value))
    except OverflowError:
        return str(value)


def _format_float(value: float) -> str:
    """As encoding/json prints it and go-yaml reads that and prints it: whole numbers are integers."""
    if not isfinite(value):
        raise ValueError(f"JSON has no number {value}")
    if value % 1:
        return _format_general(value)
    digits, places, exponent = _find_shortest_digits(value)
    return _format_integer(int(digits) * 10 ** (exponent - places))


def _format_general(value: float) -> str:
    """As Go's format "g": an exponent below -4 and from 6 on."""
    _, places, exponent = _find_shortest_digits(value)
    notation = f".{max(places - exponent, 0)}f" if -4 <= exponent < 6 else f".{places}e"
    return format(value, notation)


def _find_shortest_digits(value: float) -> tuple[str, int, int]:
    """The fewest digits that give the number back, how many follow the first, and its power of ten."""
    for places in range(17):
        digits, _, exponent = f"{value:.{places}e}".partition("e")
        if float(f"{digits}e{exponent}") == value:
            break
    return digits.replace(".", ""), places, int(exponent)


@lru_cache(maxsize=_CACHE_SIZE)
def _sort_keys(keys: tuple[str, ...]) -> list[tuple[str, str]]:
    """Keys in go-yaml's order, which for letters alone is that of code points, and how each is written."""
    for key in keys:
        if type(key) is not str:
            raise TypeError(f"str keys expected, found {type(key).__name__}")
    ordered = sorted(keys)
    if not (joined := "".join(keys)).isalpha():
        rank = cmp_to_key(_compare_keys)
        ordered.sort(key=rank if joined.isascii() else lambda key: rank(_replace_surrogates(key)))
    return [(key, _format_simple_key(key)) for key in ordered]


def _format_simple_key(key: str) -> str:
    """The key and its colon; empty if it needs the `? ` form, having several lines or more than 128 bytes."""
    if len(key) <= _SIMPLE_KEY_BYTES and _is_simple(key):
        return f"{key}:"
    text = _replace_surrogates(key)
    if len(text.encode()) > _SIMPLE_KEY_BYTES or re.search("[\n\r\x85\u2028\u2029]", text):
        return ""
    quote, body = _choose_style(text)
    return f"{quote}{body}{quote}:"


@lru_cache(maxsize=_COMPARED)
def _compare_keys(one: str, other: str) -> int:
    """By the first difference: letters last, digits by the number that they start, all else by code point."""
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a == b:
            continue
        if a.isalpha() or b.isalpha():
            return ord(a) - ord(b) if a.isalpha() and b.isalpha() else a.isalpha() - b.isalpha()
        lead = int("0" in (a, b) and one[:at].rstrip("0")[-1:].isdecimal())
        ours, theirs = _parse_digits(one[at:], lead), _parse_digits(other[at:], lead)
        return (ours > theirs) - (ours < theirs)
    return len(one) - len(other)


def _parse_digits(text: str, lead: int) -> tuple[int, int, str]:
    """The number that text starts with, as 64 bits hold it; the count of its digits; the first character.

    `lead` is 1 where the digits go on after others than zeros, so that zeros count.
    """
    value, digits = lead, list(takewhile(str.isdecimal, text))
    for digit in digits:
        value = value * 10 + ord(digit) - ord("0")
    return (value + (1 << 63)) % (1 << 64) - (1 << 63), len(digits), text[0]
