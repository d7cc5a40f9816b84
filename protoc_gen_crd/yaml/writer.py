"""A YAML writer whose output is identical to that of Kubernetes' Go writer.

The reference is `yaml.Marshal` of sigs.k8s.io/yaml v1.6.0, which controller-tools v0.20.1 and Kubernetes 1.35 use: it
converts to JSON first, then through go.yaml.in/yaml/v2.

Strings that the Go writer changes or rejects:
- A lone surrogate is written as U+FFFD, as Go's JSON reader does. A pair of surrogates is one character.
- U+0085 in a value is folded to a blank, a run of n to n-1 line breaks, as by Go's conversion through JSON.
- Go's conversion through JSON fails for U+007F to U+009F otherwise, U+FFFE, U+FFFF, and for keys with U+0085 or more
  than 1,024 characters of JSON. They are written as by go.yaml.in/yaml/v2 alone, so that nothing is lost.

Keys without a consistent order in go-yaml (v10 < v1a < v2 < v10) always have the same order.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cmp_to_key, lru_cache
from itertools import takewhile
from math import isfinite

_FOLD_COLUMN = 80
_NEVER_FOLDED = _FOLD_COLUMN + 3  # a line that ends before this column cannot be folded
_SIMPLE_KEY_BYTES = 128
_MIN_CACHED_SIZE = 4  # number of lines up to which a memo entry costs more than it saves
_CACHE_SIZE = 4096
_COMPARED = 16384  # cached pairs of keys: versions of a kind have nearly the same fields

# First characters of strings that need no further checks: no other type and no indicator starts with them.
_SIMPLE_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/$(^_")

_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"  # ASCII that need not be escaped

# LS and PS are line breaks in YAML. So are CR and U+0085, but these are always escaped.
_BREAKS = ("\n", "\u2028", "\u2029")
_ESCAPES = dict(zip('\0\a\b\t\n\v\f\r\x1b"\\\x85\u2028\u2029', '0abtnvfre"\\NLP', strict=True))

# Rejected by go-yaml in a JSON string: control characters, and a document marker at the start of a line.
_NEVER_PRINTED = "[\x7f-\x84\x86-\x9f\ufffe\uffff]|\x85(?:---|[.]{3})[ \x85]"

# Strings that would be read as another type without quotes. The patterns are used only after a check of the first
# character, so that most runs compile none.
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
_MERGE = "<<"  # the merge key of YAML


class Memo(dict[tuple[int, int], str]):
    """A cache of formatted mappings by (id, indent). Only mappings whose ids are in `repeated` are cached.

    `merge_key` is the formatted form of the key `<<`.
    """

    def __init__(self, repeated: Container[int], merge_key: str = "<<:") -> None:
        super().__init__()
        self.repeated, self.merge_key = repeated, merge_key


def dump(value: object, *, indent: int = 0, memo: Memo | None = None) -> str:
    """Format one document, with a final line break.

    Args:
        value: Consists of dict with str keys, list, tuple, str, int, float, bool and None. Integers beyond 64 bits are
            printed as floats, as in Go.
        indent: The number of columns by which the output is indented; lines still fold at column 80.
        memo: Caches mappings that occur again, in this value or in that of a later call with the same memo. The caller
            keeps these mappings alive and unchanged meanwhile.

    Raises:
        TypeError: There is a value of another type.
        ValueError: There is a float that is not valid in JSON.
    """
    start = " " * indent
    if type(value) is str:
        return start + _format_string(value, indent + 2, indent)
    lines: list[str] = []
    _write_node(value, indent, start, lines, Memo(()) if memo is None else memo)
    return "".join(lines)


def dump_document(value: object, *, indent: int = 0) -> str:
    """Format data like `dump`, but with quotes around the key `<<`.

    The Go writer writes this key without quotes, and its reader then rejects it as the merge key of YAML. Errors are
    those of `dump`.
    """
    return dump(value, indent=indent, memo=Memo((), '"<<":'))


def _write_node(value: object, indent: int, start: str, lines: list[str], memo: Memo) -> None:
    """Append the lines of a node. `start` is the first line up to column `indent`."""
    if type(value) is str:
        lines.append(start + _format_string(value, indent, indent))
    elif type(value) is dict and value:
        _write_mapping(value, indent, start, lines, memo)
    elif (type(value) is list or type(value) is tuple) and value:
        _write_sequence(value, indent, start, lines, memo)
    else:
        lines.append(start + _format_scalar(value))


def _write_mapping(node: dict[str, object], indent: int, start: str, lines: list[str], memo: Memo) -> None:
    """Append the lines of a mapping that has entries."""
    is_cached = id(node) in memo.repeated
    if is_cached:
        lines.append(start)  # not part of the cached text
        start = ""
        if cached := memo.get((id(node), indent)):
            lines.append(cached)
            return
    blanks, first_line = " " * indent, len(lines)
    for key, name in _sort_keys(tuple(node), memo.merge_key):
        value = node[key]
        if not name:
            formatted_key = _format_styled(*_choose_style(_replace_surrogates(key)), indent + 2, indent + 2)
            _write_node(value, indent + 2, f"{start}? {formatted_key}{blanks}: ", lines, memo)
        elif type(value) is str:
            quote, body = _choose_value_style(value)
            column = indent + len(name) + 1
            if not quote and column + len(body) < _NEVER_FOLDED:
                lines.append(f"{start}{name} {body}\n")
            else:
                lines.append(f"{start}{name} {_format_styled(quote, body, indent + 2, column)}")
        elif type(value) is dict and value:
            lines.append(f"{start}{name}\n")  # a start with the lines of all keys around it would take much memory
            _write_mapping(value, indent + 2, f"{blanks}  ", lines, memo)
        elif (type(value) is list or type(value) is tuple) and value:
            lines.append(f"{start}{name}\n")
            _write_sequence(value, indent, blanks, lines, memo)
        else:
            lines.append(f"{start}{name} {_format_scalar(value)}")
        start = blanks
    if is_cached and len(lines) - first_line > _MIN_CACHED_SIZE:
        lines[first_line:] = ["".join(lines[first_line:])]
        memo[id(node), indent] = lines[first_line]


def _write_sequence(
    items: list[object] | tuple[object, ...], indent: int, start: str, lines: list[str], memo: Memo
) -> None:
    """Append the lines of a list that has items."""
    for item in items:
        _write_node(item, indent + 2, f"{start}- ", lines, memo)
        start = " " * indent


def _format_scalar(value: object) -> str:
    """Format a scalar or an empty collection, which always takes one line."""
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


def _format_string(string: str, indent: int, column: int) -> str:
    """Format a string value that starts at `column` and continues at `indent`."""
    quote, body = _choose_value_style(string)
    if not quote and column + len(body) < _NEVER_FOLDED:
        return f"{body}\n"
    return _format_styled(quote, body, indent, column)


def _format_styled(quote: str, body: str, indent: int, column: int) -> str:
    """Format a styled string that starts at `column` and continues at `indent`, with its final line break."""
    if quote == "|":
        return _format_literal(body, indent)
    if quote != "'" or body.isascii():
        return f"{quote}{_fold(body, indent, column + len(quote), quote)}{quote}\n"
    first, *others = body.splitlines(keepends=True)
    rest = [line if line in _BREAKS else " " * indent + _fold(line, indent, indent, quote) for line in others]
    return f"'{_fold(first, indent, column + 1, quote)}{''.join(rest)}'\n"


@lru_cache(maxsize=_CACHE_SIZE)
def _choose_value_style(string: str) -> tuple[str, str]:
    return (
        ("", string) if _is_simple(string) else _choose_style(string if string.isascii() else _round_trip_json(string))
    )


def _is_simple(string: str) -> bool:
    """Return whether it is obvious that a string is plain."""
    return (
        string[:1] in _SIMPLE_CHARACTERS
        and string.isascii()
        and string.isprintable()
        and string[-1] != " "
        and ":" not in string
        and "#" not in string
        and string not in _WORDS
    )


def _choose_style(string: str) -> tuple[str, str]:
    """Return the quote of a string ("" for plain, "|" for literal) and its escaped content."""
    if string.isascii():
        broken, blank = "\n" in string, " \n" in string
    else:
        broken, blank = (any(f"{prefix}{line_break}" in string for line_break in _BREAKS) for prefix in ("", " "))
    if blank or _has_special_character(string):
        return '"', _escape_string(string)
    if "\n" in string:
        return ('"', _escape_string(string)) if string[-1] == " " else ("|", string)
    if _is_typed(string) or (broken and ("\u2028 " in string or "\u2029 " in string)):
        return '"', _escape_string(string)
    return ("'", string.replace("'", "''")) if broken or _has_indicator(string) else ("", string)


def _has_special_character(string: str) -> bool:
    """Return whether there is a character that must be escaped."""
    if string.isascii():
        return bool(string.encode().translate(None, _PLAIN))
    return not all(map(_is_printable, set(string)))


def _is_printable(character: str) -> bool:
    """Return whether a character needs no escape outside of double quotes; those beyond U+FFFF do."""
    if character <= "\ud7ff":
        return " " <= character <= "~" or character >= "\xa0" or character == "\n"
    return "\ue000" <= character <= "\ufffd" and character != "\ufeff"


def _has_indicator(string: str) -> bool:
    """Return whether the string without quotes would not be a scalar, or would lose blanks at its ends."""
    return (
        string[0] in " #,[]{}&*!|>'\"%@`"
        or string[:2] in ("?", "-", "? ", "- ")
        or string.startswith(("---", "..."))
        or string[-1] in " :"
        or ": " in string
        or " #" in string
    )


def _fold(string: str, indent: int, column: int, quote: str) -> str:
    """Break a string at blanks beyond the fold column.

    It is not broken at a blank at either end or after another blank, nor before another blank unless that can be
    escaped.
    """
    at = string.find(" ", _FOLD_COLUMN + 1 - column if column < _FOLD_COLUMN else 1)
    if at < 0:
        return string
    width = _FOLD_COLUMN + 1 - indent if indent < _FOLD_COLUMN else 1
    if "  " not in string:
        return _fold_words(string, indent, at, width)
    lines, start, lead, last = [], 0, "", len(string) - 1
    while 0 < at < last:
        following = at + 1
        if string[at - 1] == " " or (string[following] == " " and quote != '"'):
            at = string.find(" ", following)
            continue
        lines.append(lead + string[start:at])
        start, lead = following, "\\" if string[following] == " " else ""
        at = string.find(" ", start + width - len(lead))
    lines.append(lead + string[start:])
    return ("\n" + " " * indent).join(lines)


def _fold_words(string: str, indent: int, at: int, width: int) -> str:
    """Break a string with single blanks at the blank `at`, and then at the first one after every `width` characters."""
    lines, start, last = [], 0, len(string) - 1
    while 0 < at < last:
        lines.append(string[start:at])
        start = at + 1
        at = string.find(" ", start + width) if start + width < last else -1
    lines.append(string[start:])
    return ("\n" + " " * indent).join(lines)


def _format_literal(string: str, indent: int) -> str:
    """Format a literal block, with a header that describes its start and its end."""
    start = " " * indent
    hint = "2" if string.startswith((" ", *_BREAKS)) else ""
    chomp = "-"
    if string.endswith(_BREAKS):
        chomp = "+" if len(string) == 1 or string[:-1].endswith(_BREAKS) else ""
    if chomp == "-" and string[0] != "\n" and string.isascii():
        body, blank = start + string.replace("\n", f"\n{start}"), f"\n{start}\n"
        while blank in body:
            body = body.replace(blank, "\n\n")
    else:
        body = "".join([line if line in _BREAKS else start + line for line in string.splitlines(keepends=True)])
    return f"|{hint}{chomp}\n{body}" + ("\n" if chomp == "-" else "")


def _escape_string(string: str) -> str:
    """Escape a string for double quotes. Go escapes all characters if the first is a byte order mark."""
    if string.startswith("\ufeff"):
        return "".join(map(_escape_character, string))
    return re.sub(r"[^ !#-\[\]-~]", _escape_match, string)


def _escape_match(match: re.Match[str]) -> str:
    return match[0] if _is_printable(match[0]) and match[0] not in _ESCAPES else _escape_character(match[0])


def _escape_character(character: str) -> str:
    code = ord(character)
    number = f"x{code:02X}" if code <= 0xFF else f"u{code:04X}" if code <= 0xFFFF else f"U{code:08X}"
    return "\\" + _ESCAPES.get(character, number)


def _replace_surrogates(string: str) -> str:
    """Join pairs of surrogates and replace lone ones."""
    try:
        string.encode()
    except UnicodeEncodeError:
        return string.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return string


def _round_trip_json(string: str) -> str:
    """Return the string that go-yaml reads from the output of encoding/json; the string itself if it is rejected."""
    string = _replace_surrogates(string)
    if "\x85" not in string or re.search(_NEVER_PRINTED, string):
        return string
    return re.sub(" *\x85[ \x85]*", lambda run: "\n" * (run[0].count("\x85") - 1) or " ", string)


def _is_typed(string: str) -> bool:
    """Return whether the string without quotes is another type, or a number in base 60 in YAML 1.1."""
    if string in _WORDS:
        return True
    if string[0] == ".":
        return string[1:2].isdecimal() and re.fullmatch(_FROM_POINT, string) is not None and isfinite(float(string))
    if string[0] not in "+-0123456789":
        return False
    if string[4:5] == "-" and (date := re.fullmatch(_TIMESTAMP, string)):
        return _is_valid_date(*map(int, date.groups()))
    return " " not in string and (_is_number(string.replace("_", "")) or re.fullmatch(_BASE_60, string) is not None)


def _is_valid_date(year: int, month: int, day: int) -> bool:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _MONTH_DAYS.get(month, 31) and (leap or (month, day) != (2, 29))


def _is_number(string: str) -> bool:
    """Return whether go-yaml reads a number: an integer of up to 64 bits with a prefix, or a finite decimal."""
    if re.fullmatch(_DECIMAL, string):
        return isfinite(float(string))
    if re.fullmatch(_PREFIXED, string):
        return -(1 << 63) <= int(string, 0) < 1 << (63 if string[0] == "+" else 64)
    binary = re.fullmatch(_SIGNED_BINARY, string)
    return binary is not None and -(1 << 63) <= int(binary[1], 2) < 1 << 63


def _format_integer(value: int) -> str:
    """Format an integer; beyond 64 bits as the float that go-yaml reads."""
    try:
        return str(value) if -(1 << 63) <= value < 1 << 64 else _format_general(float(value))
    except OverflowError:
        return str(value)


def _format_float(value: float) -> str:
    """Format a float like go-yaml after encoding/json: whole numbers are integers."""
    if not isfinite(value):
        raise ValueError(f"JSON has no number {value}")
    if value % 1:
        return _format_general(value)
    digits, places, exponent = _find_shortest_digits(value)
    return _format_integer(int(digits) * 10 ** (exponent - places))


def _format_general(value: float) -> str:
    """Format a float like Go's format "g": with an exponent below -4 and from 6 on."""
    _, places, exponent = _find_shortest_digits(value)
    notation = f".{max(places - exponent, 0)}f" if -4 <= exponent < 6 else f".{places}e"
    return format(value, notation)


def _find_shortest_digits(value: float) -> tuple[str, int, int]:
    """Return the fewest digits that identify the number, how many follow the first, and its power of ten."""
    for places in range(17):
        digits, _, exponent = f"{value:.{places}e}".partition("e")
        if float(f"{digits}e{exponent}") == value:
            break
    return digits.replace(".", ""), places, int(exponent)


@lru_cache(maxsize=_CACHE_SIZE)
def _sort_keys(keys: tuple[str, ...], merge_key: str) -> list[tuple[str, str]]:
    """Return the keys in go-yaml's order, by code points for letters alone, each with its formatted form."""
    for key in keys:
        if type(key) is not str:
            raise TypeError(f"str keys expected, found {type(key).__name__}")
    ordered = sorted(keys)
    if not (joined := "".join(keys)).isalpha():
        rank = cmp_to_key(_compare_keys)
        ordered.sort(key=rank if joined.isascii() else lambda key: rank(_replace_surrogates(key)))
    return [(key, merge_key if key == _MERGE else _format_simple_key(key)) for key in ordered]


@lru_cache(maxsize=_CACHE_SIZE)
def _format_simple_key(key: str) -> str:
    """Format a key with its colon; empty if it needs the `? ` form: several lines or more than 128 bytes."""
    if len(key) <= _SIMPLE_KEY_BYTES and _is_simple(key):
        return f"{key}:"
    string = _replace_surrogates(key)
    if len(string.encode()) > _SIMPLE_KEY_BYTES or re.search("[\n\r\x85\u2028\u2029]", string):
        return ""
    quote, body = _choose_style(string)
    return f"{quote}{body}{quote}:"


@lru_cache(maxsize=_COMPARED)
def _compare_keys(left: str, right: str) -> int:
    """Compare keys at the first difference: letters last, digits by number, others by code point."""
    for at, (a, b) in enumerate(zip(left, right, strict=False)):
        if a == b:
            continue
        is_letter, is_other_letter = a.isalpha(), b.isalpha()
        if is_letter or is_other_letter:
            return ord(a) - ord(b) if is_letter and is_other_letter else is_letter - is_other_letter
        lead = int("0" in (a, b) and left[:at].rstrip("0")[-1:].isdecimal())
        left_number, right_number = _parse_digits(left[at:], lead), _parse_digits(right[at:], lead)
        return (left_number > right_number) - (left_number < right_number)
    return len(left) - len(right)


def _parse_digits(string: str, lead: int) -> tuple[int, int, str]:
    """Return the number at the start of a string, modulo 64 bits; the count of its digits; the first character.

    `lead` is 1 if the digits follow digits other than zeros, so that zeros count.
    """
    value, digits = lead, list(takewhile(str.isdecimal, string))
    for digit in digits:
        value = value * 10 + ord(digit) - ord("0")
    return (value + (1 << 63)) % (1 << 64) - (1 << 63), len(digits), string[0]
