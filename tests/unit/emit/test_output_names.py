from __future__ import annotations

import pytest

from protoc_gen_crd.base.file_names import is_below
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.emit.output_names import check_output_names, report_invalid_names
from protoc_gen_crd.findings.finding import Problems


@pytest.mark.parametrize("name", ["a.yaml", "a/b.yaml", "a b..yaml", "..a", "a..", "...", "a/./b", "./a", "a=b", "é"])
def test_names_below(name: str) -> None:
    assert is_below(name)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../a", "a/..", "a/../b", "a/../../b", "./..", "/", "/etc/a", "a/", "a/.", "a\\..\\b", "C:/a",
     "C:a", "a\0", "a\nb", "a\rb", "\n../a", "a\n/../b"],
)  # fmt: skip
def test_names_that_are_elsewhere_or_no_files(name: str) -> None:
    assert not is_below(name)


def test_a_name_twice() -> None:
    problems = Problems()
    check_output_names([OutputFile("a", ("",)), OutputFile("b", ("",)), OutputFile("a", ("x",))], problems)
    assert [finding.message for finding in problems.findings] == ['file name "a" is used twice']


@pytest.mark.parametrize("name", ["a" * 255, f"{'a' * 255}/{'b' * 255}", "é" * 127, "a/" * 511 + "bb"])
def test_the_longest_names(name: str) -> None:
    problems = Problems()
    check_output_names([OutputFile(name, ("",))], problems)
    assert not problems.findings


@pytest.mark.parametrize(
    ("name", "start", "size"),
    [
        ("a" * 256, "a", 256),
        (f"{'a' * 900}/b", "a", 900),
        (f"b/{'a' * 256}", "a", 256),
        ("é" * 128, "é", 256),
        ("\ud800" * 86, "\ud800", 258),
    ],
)
def test_names_that_are_too_long(name: str, start: str, size: object) -> None:
    problems = Problems()
    assert report_invalid_names([name, "b"], problems)
    messages = [finding.message for finding in problems.findings]
    assert messages == [f'file name "{start * 60}..." has {size} bytes, more than 255']


def test_a_path_that_is_too_long() -> None:
    problems = Problems()
    assert report_invalid_names(["a/" * 600 + "b"], problems)
    messages = [finding.message for finding in problems.findings]
    assert messages == [f'file name "{"a/" * 30}..." has 1,201 bytes, more than 1,024']
