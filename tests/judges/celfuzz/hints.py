"""Texts that functions read, so that not all of what is made up fails: for arguments of overloads by their ids."""

from __future__ import annotations

from collections.abc import Callable

from tests.judges.celfunctions import expressions as calls
from tests.judges.celfunctions import opaque
from tests.judges.celfunctions.maker import Maker, hidden, literal

Text = Callable[[Maker], str]

FORMATS = (
    "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "labelValue", "uri", "uuid", "byte", "date",
    "datetime", "dns1123LabelPrefix",
)  # fmt: skip
_SPANS = ("1s", "1.5h", "-90m", "0", "100ns", "2540400h10m10.000000000s", "1d", "", "3us", "9223372036854775807ns")
_MOMENTS = (
    "2020-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2024-02-29T23:59:59.999999999-11:30", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "2021-02-30T00:00:00Z", "2020-01-01", "2020-1-1T0:0:0Z", "2020-06-01T10:00:00.5+02:00",
)  # fmt: skip
_NUMBERS = (
    "0", "1", "-1", "+7", "9223372036854775807", "9223372036854775808", "18446744073709551615", "1e3", "0x1", "1_0",
    " 1", "1.5", ".5", "Inf", "-inf", "NaN", "1e400", "",
)  # fmt: skip
_TRUTHS = ("true", "false", "True", "TRUE", "t", "1", "0", "f", "yes", "")
_PARTS = ("", "a", "b", "ab", "aa", "é", "-", " ", ",", "A")


def _one_of(texts: tuple[str, ...]) -> Text:
    return lambda make: make.pick(texts)


def pattern(make: Maker) -> str:
    """A regular expression, mostly."""
    expression = "".join([make.pick(_ATOMS) + make.pick(_REPEATS) for _ in range(make.random.randint(0, 3))])
    return make.damaged(expression, "ab*+?()[]{}|^$.")


_ATOMS = ("a", "b", "é", ".", "[ab]", "[^a]", "(a|b)", "(?:ab)", "^", "$", "[0-9]", "(?i)A", "[[:alpha:]]")
_REPEATS = ("", "", "*", "+", "?", "{1,2}", "*?")
_ZONE, _PART = _one_of(calls._ZONES), _one_of(_PARTS)
_VERSION, _PREFIX, _ADDRESS = opaque.semver_text, opaque.prefix_text, opaque.address_text

# Overloads by their ids: which arguments may be what.
_ROWS: tuple[tuple[tuple[str, ...], dict[int, Text]], ...] = (
    (("string_to_quantity", "is_quantity_string"), {0: opaque.quantity_text}),
    (("string_to_semver", "string_bool_to_semver", "is_semver_string", "is_semver_string_bool"), {0: _VERSION}),
    (("string_to_ip", "is_ip", "ip_is_canonical"), {0: _ADDRESS}),
    (("string_to_cidr", "is_cidr"), {0: _PREFIX}),
    (("string_to_url", "is_url_string"), {0: opaque.url_text}),
    (("cidr_contains_ip_string",), {1: _ADDRESS}),
    (("cidr_contains_cidr_string",), {1: _PREFIX}),
    (
        ("matches", "matches_string", "string_find_string", "string_find_all_string", "string_find_all_string_int"),
        {1: pattern},
    ),
    (("string_to_int64", "string_to_uint64", "string_to_double"), {0: _one_of(_NUMBERS)}),
    (("string_to_bool",), {0: _one_of(_TRUTHS)}),
    (("string_to_duration",), {0: _one_of(_SPANS)}),
    (("string_to_timestamp",), {0: _one_of(_MOMENTS)}),
    (("format-named",), {0: _one_of((*FORMATS, "none"))}),
    (
        (
            "contains_string", "starts_with_string", "ends_with_string", "string_index_of_string", "list_join_string",
            "string_index_of_string_int", "string_last_index_of_string", "string_last_index_of_string_int",
            "string_split_string", "string_split_string_int",
        ),
        {0: Maker.text, 1: _PART},
    ),
    (("string_replace_string_string", "string_replace_string_string_int"), {0: Maker.text, 1: _PART, 2: _PART}),
)  # fmt: skip
HINTS = {name: texts for names, texts in _ROWS for name in names}


def hinted(overload: str, place: int, make: Maker) -> str | None:
    """An argument, as a literal or so that no check of literals sees it; None where nothing is known to fit."""
    text = HINTS.get(overload, {}).get(place)
    if text is None and overload.endswith(("_with_tz", "_tz")) and place == 1:
        text = _ZONE
    return None if text is None else make.pick((literal, hidden))(text(make))


def library_call(make: Maker) -> str:
    """A call that one of the libraries makes up."""
    return make.pick(list(calls.GENERATORS.values()))(make)
