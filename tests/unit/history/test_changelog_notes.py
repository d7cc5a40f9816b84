"""Changelog notes: which elements they are about, and how they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.changelog_formats import ReleaseChanges, render_changelog
from protoc_gen_crd.history.changelog_notes import ChangelogNote, format_notes, read_notes

KIND = "acme.example/Widget"


def read(folder: Path, name: str, text: str) -> ChangelogNote:
    (folder / name).write_text(text)
    (note,) = read_notes(folder, Problems())
    return note


@pytest.mark.parametrize(
    ("name", "is_covered"),
    [
        ("Widget.v1.spec.ports.name.md", True),
        ("Widget.spec.ports.name.md", True),
        ("acme.example_Widget.v1.spec.ports.name.md", True),
        ("Widget.v1.spec.ports.md", True),
        ("Widget.md", True),
        ("Widget.v1.md", True),
        ("Widget.v2.md", False),
        ("Widget.spec.port.md", False),
        ("Widge.md", False),
        ("Gadget.spec.ports.name.md", False),
        ("other.example_Widget.md", False),
        ("1234.md", False),
    ],
)
def test_a_name_is_that_of_the_element_or_of_one_around_it(name: str, is_covered: bool, tmp_path: Path) -> None:
    assert read(tmp_path, name, "Text.").covers(KIND, "v1", "spec.ports[].name") == is_covered


def test_a_note_on_an_issue_names_its_elements(tmp_path: Path) -> None:
    note = read(tmp_path, "1234.md", "Ports have names: `Widget.spec.ports[].name`.")
    assert note.covers(KIND, "v1", "spec.ports[].name")
    assert not note.covers(KIND, "v1", "spec.color")


def test_a_readme_and_other_files_are_no_notes(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("How to write notes.")
    (tmp_path / "Widget.txt").write_text("Text.")
    assert read_notes(tmp_path, Problems()) == ()
    assert read_notes(tmp_path / "missing", Problems()) == ()


def test_an_empty_or_unreadable_note_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(" \n")
    (tmp_path / "b.md").mkdir()
    (tmp_path / "c.md").write_bytes(b"\xff")
    problems = Problems()
    assert read_notes(tmp_path, problems) == ()
    assert [finding.rule for finding in problems.findings] == ["history-note"] * 3


def test_each_note_is_one_item() -> None:
    notes = [ChangelogNote("a.md", (), "- First\n\n  more"), ChangelogNote("b.md", (), "Second")]
    assert list(format_notes(notes)) == ["- First\n\n    more", "- Second"]


def test_unreleased_notes_are_the_first_section() -> None:
    note = ChangelogNote("Widget.md", (), "Text.")
    changelog = render_changelog([ReleaseChanges("1.0", "2026-01-15", ()), ReleaseChanges("", "", (), (note,))])
    assert changelog == ("# API changes\n\n## Unreleased\n\n- Text.\n\n## 1.0 (2026-01-15)\n\nNo changes.\n\n")
