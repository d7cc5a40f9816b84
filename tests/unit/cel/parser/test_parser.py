"""Limits, switches and shapes that the recorded answers lack."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protoc_gen_crd.cel.parser.ast import NO_PLACE, Ast, Call, Ident, Literal, Uint
from protoc_gen_crd.cel.parser.issues import Issue, Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.parser_options_and_limits import ParserOptions
from protoc_gen_crd.cel.parser.unparser import unparse

PIECES = ["a", "1", "'s'", "in", "as", "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "!", "-", "+", "<", "&&", "||"]
TOO_DEEP = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250"
TOO_MANY = "ERROR: <input>:-1:0: max recursion depth exceeded"


def answer(text: str) -> str:
    parsed = parse(text)
    return unparse(parsed) if isinstance(parsed, Ast) else str(parsed)


@pytest.mark.parametrize(
    ("text", "limit", "error"),
    [
        ("({})", 249, TOO_DEEP),
        ("f({})", 249, TOO_DEEP),
        ("[{}]", 249, TOO_DEEP),
        ("a ? b : {}", 249, TOO_DEEP),
        ("a + ({})", 124, TOO_DEEP),
        ("{}.b", 250, TOO_MANY),
        ("{} + a", 250, TOO_MANY),
        ("{}[0]", 250, TOO_MANY),
    ],
)
def test_levels(text: str, limit: int, error: str) -> None:
    """The limits were observed with cel-go; one more level is rejected and raises no exception."""
    sound = "a"
    for _ in range(limit):
        sound = text.replace("{}", sound)
    assert not answer(sound).startswith("ERROR")
    assert answer(text.replace("{}", sound)) == error


def test_size() -> None:
    assert answer("a" * 100_000) == "a" * 100_000
    report = "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000"
    assert answer("é" * 100_001) == report


@pytest.mark.parametrize("text", ["(" * 50_000, "a+" * 5_000, "!" * 99_999 + "a", "-" * 99_999, "a?b:" * 5_000])
def test_long_texts_are_no_recursion_error(text: str) -> None:
    assert "ERROR" in answer(text) or text[0] == "!"


def test_few_levels_leave_the_interpreter_alone() -> None:
    program = """
import sys
from protoc_gen_crd.cel.parser.parser import parse
before = sys.getrecursionlimit()
parse("(((((((((a.b.c + 1)))))))))")
assert sys.getrecursionlimit() == before
parse("(" * 100 + "a" + ")" * 100)
assert sys.getrecursionlimit() > before
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_ids_and_offsets() -> None:
    parsed = parse("a && 2u")
    assert isinstance(parsed, Ast)
    assert parsed.root == Call(3, 2, "_&&_", (Ident(1, 0, "a"), Literal(2, 5, Uint(2))))


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("a.?b", Issue("unsupported syntax '.?'", 1)),
        ("a[?b]", Issue("unsupported syntax '[?'", 1)),
        ("[a, ?b]", Issue("unsupported syntax '?'", 4)),
        ("{?a: b}", Issue("unsupported syntax '?'", 1)),
        ("T{?a: b}", Issue("unsupported syntax '?'", 2)),
        ("a.`b`", Issue("unsupported syntax: '`'", 2)),
    ],
)
def test_syntax_that_is_switched_off(text: str, issue: Issue) -> None:
    assert parse(text, ParserOptions(optionals=False)) == Rejection(text, (issue,))
    assert isinstance(parse(text, ParserOptions(backticks=True)), Ast)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, Ast):
        assert unparse(parsed)
    else:
        assert parsed.issues
        assert all(NO_PLACE <= issue.at <= len(text) for issue in parsed.issues)
