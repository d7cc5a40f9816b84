"""The grammar of marker values is compared with recorded results of controller-tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protoc_gen_crd.base.bounded_json import NOT_FINITE_HINT
from protoc_gen_crd.markers.marker_argument_parser import (
    CT_0_20,
    CT_0_23,
    Argument,
    MarkerDefinition,
    MarkerNames,
    parse_marker,
    split_names,
)
from tests.judges.controller_tools.ours import FORMS, Answer, explained, read, same

RECORDED = Path(__file__).parents[3] / "testdata" / "markers" / "grammar.jsonl"
ROWS: list[list[Answer]] = [json.loads(line) for line in RECORDED.read_text().splitlines()]
TABLE = [(str(marker), old, rest[0] if rest else old) for marker, old, *rest in ROWS]

QUOTE = '(quote a string that contains "," ";" or "}" with double quotes or backquotes)'
RULE = MarkerDefinition(
    (
        Argument("rule", "STRING"),
        Argument("message", "STRING", True),
        Argument("priority", "INT", True),
        Argument("labels", "STRING_MAP", True),
    )
)


def test_version_of_istio_is_exact() -> None:
    assert [row for row in TABLE if not same(read(row[0], CT_0_20)[0], row[1])] == []


def test_newest_version_is_exact() -> None:
    assert [row for row in TABLE if not same(read(row[0], CT_0_23)[0], row[2])] == []


def test_default_has_a_note_for_each_difference_to_the_newest_version() -> None:
    assert [row for row in TABLE if explained(row[0], row[2]) is None] == []


def test_harness_notices_a_wrong_value() -> None:
    assert not same(read("I=3")[0], {"": 3.5})
    assert not same(read("B=true")[0], {"": 1})
    assert explained("I=3", {"": 4}) is None
    assert explained("I=3", None) is None


@pytest.mark.parametrize(
    ("marker", "value"),
    [
        ("L={hi , there}", ["hi", "there"]),
        ("L=a ; b", ["a", "b"]),
        ("E=A ; B", ["A", "B"]),
        ("E=A | B", ["A | B"]),
        ("I= -42", -42),
        ("I=+42", 42),
        ("N= -1", -1),
        ("A= -3", -3),
        ("A={a: -1}", {"a": -1}),
        ("A={a: x , b: 2}", {"a": "x", "b": 2}),
        ("A={a : x}", {"a": "x"}),
        ("A={a: x;y}", {"a": ["x", "y"]}),
        ("A={a: x;y, b: 1}", {"a": ["x", "y"], "b": 1}),
        ("A={true: x}", {"true": "x"}),
        ("A=true-ish", "true-ish"),
        ("A=false positive", "false positive"),
        ("A={{1},{}}", [[1], []]),
        ("E=x;{a: 5};y", ["x", {"a": 5}, "y"]),
        ("E=x;{a: {}};y", ["x", {"a": {}}, "y"]),
    ],
)
def test_defects_are_corrected_and_noted(marker: str, value: object) -> None:
    answer, notes = read(marker)
    assert same(answer, {"": value})
    assert [advice for _, advice in notes] != [] or same(read(marker, CT_0_23)[0], answer)


@pytest.mark.parametrize(
    ("marker", "notes"),
    [
        (
            "L={hi , there}",
            [
                (
                    'controller-gen v0.23.0 reads this value as ["", "there"]',
                    "it drops the last word of an unquoted string before a blank: quote the string",
                )
            ],
        ),
        (
            "I= -42",
            [
                (
                    "controller-gen v0.23.0 rejects this",
                    "it accepts a minus sign only without a blank before it, and no plus sign",
                )
            ],
        ),
        ("S=a:b", []),
        ("L={a, b}", []),
    ],
)
def test_notes_describe_differences_of_controller_gen(marker: str, notes: list[tuple[str, str]]) -> None:
    assert read(marker)[1] == notes


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (":foo=3", [(0, '":foo" between the name and the "=" is ignored')]),
        (":=3", []),
        ("=ref(Default)", [(1, 'controller-gen sets no default from a Go constant: "ref(Default)"')]),
    ],
)
def test_ignored_parts_are_noted(text: str, notes: list[tuple[int, str]]) -> None:
    argument = Argument("", "JSON" if "ref" in text else "INT")
    parsed = parse_marker(text, MarkerDefinition((argument,)))
    assert [(note.offset, note.message) for note in parsed.notes] == notes
    assert parsed.errors == ()


def test_repeated_argument_is_noted() -> None:
    parsed = parse_marker(":rule=a,rule=b", RULE)
    assert parsed.values == {"rule": "b"}
    assert [(note.offset, note.message) for note in parsed.notes] == [
        (8, 'argument "rule" is repeated: the last value applies')
    ]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", ['0: missing argument "rule"']),
        (":message=a", ['10: missing argument "rule"']),
        ("=a", ['0: expected :name=value, found "=a"']),
        (":rule=a,", ["8: expected name=value, found the end"]),
        (
            ":priority=x y, messge=z,rule=a,labels=b",
            [
                '10: expected an integer, found "x y"',
                (
                    '15: unknown argument "messge": possible arguments are rule, message, priority, labels '
                    '(did you mean "message"?)'
                ),
                '38: expected "{" at the start of the map, found "b"',
            ],
        ),
        (
            ':rule=a,message="b',
            [('16: string has no closing quote: "b (quote a string that contains a double quote with backquotes)')],
        ),
        (
            ':message="\\d",rule=a',
            [
                (
                    "10: invalid Go escape in double quotes: \\d "
                    "(write \\\\ for a backslash, or quote the string with backquotes)"
                )
            ],
        ),
        (':message="\\400",rule=a', ['9: expected escapes of bytes or Unicode characters, found "\\400"']),
        (":a,rule=b", ['2: expected "=" after argument "a", found ","']),
        (":rule=self.f(a,b)", ['16: expected "=" after argument "b", found ")"']),
        (':rule="a" b,message=c', ['10: expected "," between arguments, found "b"']),
        (
            ":labels={a,b},rule=c,priority=d",
            ['10: expected ":" after the key, found ","', '30: expected an integer, found "d"'],
        ),
        (
            ":labels={a:b,rule=c",
            ['19: expected ":" after the key, found the end', '19: missing argument "rule"'],
        ),
    ],
)
def test_errors_of_named_arguments(text: str, errors: list[str]) -> None:
    assert [_shown(text, error) for error in parse_marker(text, RULE).errors] == errors


@pytest.mark.parametrize(
    ("marker", "errors"),
    [
        ("I", ["1: missing value"]),
        ("I=", ["2: missing value"]),
        ("I=4.0", ['2: expected an integer, found "4.0"']),
        ("I=  abc", ['4: expected an integer, found "abc"']),
        ("I=9223372036854775808", ['2: expected a 64-bit integer, found "9223372036854775808"']),
        ("N=1e400", ['2: expected a 64-bit number, found "1e400"']),
        ("C=5,6", ['2: expected an integer, found "5,6"']),
        ("B=True", ['2: expected true or false, found "True"']),
        ("F=true", ['2: unexpected value of a flag: "true"']),
        ('A={1,"a"}', ['5: expected an integer, found "a"']),
        ("A={a: {b: 1}", ['12: expected "}" at the end of the value, found the end']),
        ("J={", ["3: expected a JSON value, found the end (quote a JSON string with double quotes)"]),
        ('J={"inf": [1, -.inf]}', ['14: expected a JSON value, found "-.inf" (' + NOT_FINITE_HINT + ")"]),
        ('J={"a": "b, nan", "c": NaN}', ['23: expected a JSON value, found "NaN" (' + NOT_FINITE_HINT + ")"]),
        ("J=nan-value", ['2: expected a JSON value, found "nan-value" (quote a JSON string with double quotes)']),
        ("J=1e999", ['2: expected a JSON value, found "1e999" (it is out of the range of a float64: 1e999)']),
        ("S=a\0b", ["3: value contains a NUL character"]),
    ],
)
def test_errors_of_anonymous_values(marker: str, errors: list[str]) -> None:
    name, text = marker[0], marker[1:]
    assert [
        f"{error.offset + 1}: {_shown(text, error).partition(': ')[2]}"
        for error in parse_marker(text, FORMS[name]).errors
    ] == errors


def test_hint_quotes_a_string_with_a_comma() -> None:
    (error,) = parse_marker("=a,b", MarkerDefinition((Argument("", "STRING"),))).errors
    assert (error.offset, error.message) == (2, 'unexpected text after the value: ",b"')
    assert error.hint == 'quote a string that contains "," ";" or "}" with double quotes or backquotes'


def test_braces_have_a_depth() -> None:
    form = MarkerDefinition((Argument("", "ANY"),))
    assert parse_marker("=" + "{a:" * 64 + "1" + "}" * 64, form).errors == ()
    (error,) = parse_marker("=" + "{a:" * 65 + "1" + "}" * 65, form).errors
    assert error.message == "braces are nested more than 64 deep"
    assert parse_marker("=" + "[" * 100_000, MarkerDefinition((Argument("", "JSON"),))).errors != ()


def test_offsets_are_code_points() -> None:
    (error,) = parse_marker("=日本\U0001f600,b", MarkerDefinition((Argument("", "STRING"),))).errors
    assert error.offset == 4


@pytest.mark.parametrize(
    ("text", "anonymous", "name"),
    [
        ("optional", "optional", "optional"),
        ("optional text", "optional text", "optional text"),
        ("a:b", "a:b", "a:b"),
        ("a:b=c", "a:b", "a"),
        ("a:b:c=d=e", "a:b:c", "a:b"),
        ("listType=map", "listType", "listType"),
        (":a=1", ":a", ""),
    ],
)
def test_names(text: str, anonymous: str, name: str) -> None:
    assert split_names(text) == MarkerNames(anonymous, name)


def _shown(text: str, error: object) -> str:
    offset, message, hint = (getattr(error, name) for name in ("offset", "message", "hint"))
    assert 0 <= offset <= len(text)
    return f"{offset}: {message}" + (f" ({hint})" if hint else "")
