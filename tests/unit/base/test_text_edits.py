"""Edits of a text by offset."""

from __future__ import annotations

import pytest

from protoc_gen_crd.base.text_edits import TextEdit, apply_edits, extend_to_lines, get_indent, get_line_break


def test_edits_are_applied_once_and_in_order() -> None:
    edits = [TextEdit(4, 5, "E"), TextEdit(1, 1, "+"), TextEdit(1, 2, "B"), TextEdit(4, 5, "E")]
    assert apply_edits("abcde", edits) == "a+BcdE"


def test_an_edit_in_a_removed_part_is_dropped() -> None:
    assert apply_edits("abcde", [TextEdit(1, 4), TextEdit(2, 3, "X"), TextEdit(3, 3, "Y")]) == "ae"


def test_other_overlaps_are_errors() -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcde", [TextEdit(1, 3, "X"), TextEdit(2, 4, "Y")])


def test_an_insertion_before_a_removed_part_stays() -> None:
    assert apply_edits("abc", [TextEdit(1, 2), TextEdit(1, 1, "+")]) == "a+c"


@pytest.mark.parametrize(
    ("text", "part", "rest"),
    [("a\n  b\r\nc", "b", "a\nc"), ("a b c", "b", "a c"), ("a\n\tb // x\nc", "b", "a\n // x\nc"), ("b", "b", "")],
)
def test_a_part_is_removed_with_its_lines(text: str, part: str, rest: str) -> None:
    start = text.index(part)
    assert apply_edits(text, [extend_to_lines(text, start, start + len(part))]) == rest


def test_line_breaks_and_indents() -> None:
    assert (get_line_break("a\r\nb\n"), get_line_break("a"), get_line_break("\nb\r\n")) == ("\r\n", "\n", "\n")
    assert get_indent("a\n \tb c", 6) == " \t"
