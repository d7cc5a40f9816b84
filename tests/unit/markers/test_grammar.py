"""The grammar of marker values against controller-tools' recorded answers, and its own errors and notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protoc_gen_crd.markers.grammar import CT_0_20, CT_0_23, Argument, Form, Kind, Split, parse, split
from tests.judges.controller_tools.ours import FORMS, Answer, explained, read, same

RECORDED = Path(__file__).parents[3] / "testdata" / "markers" / "grammar.jsonl"
ROWS: list[list[Answer]] = [json.loads(line) for line in RECORDED.read_text().splitlines()]
TABLE = [(str(marker), old, rest[0] if rest else old) for marker, old, *rest in ROWS]

QUOTE = '(put a text that holds "," ";" or "}" between double quotes or backquotes)'
RULE = Form(
    (
        Argument("rule", Kind.STRING),
        Argument("message", Kind.STRING, True),
        Argument("priority", Kind.INT, True),
        Argument("labels", Kind.STRING_MAP, True),
    )
)


def test_version_that_istio_pins_is_followed_to_the_letter() -> None:
    assert [row for row in TABLE if not same(read(row[0], CT_0_20)[0], row[1])] == []


def test_newest_version_is_followed_to_the_letter() -> None:
    assert [row for row in TABLE if not same(read(row[0], CT_0_23)[0], row[2])] == []


def test_default_differs_from_the_newest_version_only_where_a_note_says_so() -> None:
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
def test_defects_are_mended_and_noted(marker: str, value: object) -> None:
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
                    "it loses the last word of a bare text that a blank follows: quote the text",
                )
            ],
        ),
        (
            "I= -42",
            [
                (
                    "controller-gen v0.23.0 refuses this",
                    "it takes a minus sign only where no blank precedes it, and no plus sign",
                )
            ],
        ),
        ("S=a:b", []),
        ("L={a, b}", []),
    ],
)
def test_notes_tell_what_controller_gen_does(marker: str, notes: list[tuple[str, str]]) -> None:
    assert read(marker)[1] == notes


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (":foo=3", [(0, 'nothing stands between a name and its "=", found ":foo", which is ignored')]),
        (":=3", []),
        ("=ref(Default)", [(1, 'controller-gen takes no default from a Go constant, found "ref(Default)"')]),
    ],
)
def test_what_is_ignored_is_noted(text: str, notes: list[tuple[int, str]]) -> None:
    kind = Kind.JSON if "ref" in text else Kind.INT
    parsed = parse(text, Form((Argument("", kind),)))
    assert [(note.offset, note.message) for note in parsed.notes] == notes
    assert parsed.errors == ()


def test_an_argument_given_twice_is_noted() -> None:
    parsed = parse(":rule=a,rule=b", RULE)
    assert parsed.values == {"rule": "b"}
    assert [(note.offset, note.message) for note in parsed.notes] == [
        (8, 'argument "rule" is given once, found it again: the last one counts')
    ]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", ['0: argument "rule" is required, found none']),
        (":message=a", ['10: argument "rule" is required, found none']),
        ("=a", ['0: arguments are written :name=value, found "=a"']),
        (":rule=a,", ["8: an argument is written name=value, found the end"]),
        (
            ":priority=x y, messge=z,rule=a,labels=b",
            [
                '10: an integer is required, found "x y"',
                '15: arguments are rule, message, priority, labels, found "messge" (did you mean "message"?)',
                '38: a map starts with "{", found "b"',
            ],
        ),
        (
            ':rule=a,message="b',
            [
                (
                    '16: a string ends with the quote that it starts with, found "b '
                    "(put a text that holds a double quote between backquotes)"
                )
            ],
        ),
        (
            ':message="\\d",rule=a',
            [
                (
                    "10: a backslash in double quotes starts an escape of Go, found \\d "
                    "(write \\\\ for a backslash, or put the text between backquotes)"
                )
            ],
        ),
        (':message="\\400",rule=a', ['9: an escape stands for a byte or a character of Unicode, found "\\400"']),
        (":a,rule=b", ['2: argument "a" is written a=value, found ","']),
        (":rule=self.f(a,b)", ['16: argument "b" is written b=value, found ")"']),
        (':rule="a" b,message=c', ['10: arguments are separated by ",", found "b"']),
        (
            ":labels={a,b},rule=c,priority=d",
            ['10: a key is followed by ":", found ","', '30: an integer is required, found "d"'],
        ),
        (
            ":labels={a:b,rule=c",
            ['19: a key is followed by ":", found the end', '19: argument "rule" is required, found none'],
        ),
    ],
)
def test_errors_of_named_arguments(text: str, errors: list[str]) -> None:
    assert [_shown(text, error) for error in parse(text, RULE).errors] == errors


@pytest.mark.parametrize(
    ("marker", "errors"),
    [
        ("I", ["1: a value is required, found none"]),
        ("I=", ["2: a value is required, found none"]),
        ("I=4.0", ['2: an integer is required, found "4.0"']),
        ("I=  abc", ['4: an integer is required, found "abc"']),
        ("I=9223372036854775808", ['2: an integer of 64 bits is required, found "9223372036854775808"']),
        ("N=1e400", ['2: a number of 64 bits is required, found "1e400"']),
        ("C=5,6", ['2: an integer is required, found "5,6"']),
        ("B=True", ['2: true or false is required, found "True"']),
        ("F=true", ['2: a flag takes no value, found "true"']),
        ('A={1,"a"}', ['5: an integer is required, found "a"']),
        ("A={a: {b: 1}", ['12: a value that starts with "{" ends with "}", found the end']),
        ("J={", ["3: a value in JSON is required, found the end (JSON has double quotes around a string)"]),
        ("S=a\0b", ["3: a value is text, found a NUL character"]),
    ],
)
def test_errors_of_anonymous_values(marker: str, errors: list[str]) -> None:
    name, text = marker[0], marker[1:]
    assert [
        f"{error.offset + 1}: {_shown(text, error).partition(': ')[2]}" for error in parse(text, FORMS[name]).errors
    ] == errors


def test_a_text_to_be_quoted_is_quoted_in_the_hint() -> None:
    (error,) = parse("=a,b", Form((Argument("", Kind.STRING),))).errors
    assert (error.offset, error.message) == (2, 'nothing may follow the value, found ",b"')
    assert error.hint == 'put a text that holds "," ";" or "}" between double quotes or backquotes'


def test_braces_have_a_depth() -> None:
    form = Form((Argument("", Kind.ANY),))
    assert parse("=" + "{a:" * 64 + "1" + "}" * 64, form).errors == ()
    (error,) = parse("=" + "{a:" * 65 + "1" + "}" * 65, form).errors
    assert error.message == "braces are nested at most 64 deep, found more"
    assert parse("=" + "[" * 100_000, Form((Argument("", Kind.JSON),))).errors != ()


def test_offsets_are_code_points() -> None:
    (error,) = parse("=日本\U0001f600,b", Form((Argument("", Kind.STRING),))).errors
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
    assert split(text) == Split(anonymous, name)


def _shown(text: str, error: object) -> str:
    offset, message, hint = (getattr(error, name) for name in ("offset", "message", "hint"))
    assert 0 <= offset <= len(text)
    return f"{offset}: {message}" + (f" ({hint})" if hint else "")
