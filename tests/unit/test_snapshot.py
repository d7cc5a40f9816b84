"""Snapshots ignore the wording of messages, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.snapshot.__main__ import main
from tests.snapshot.difference import read_renamed
from tests.snapshot.lines import lines_of
from tests.snapshot.program import Case, Output, Result, Run, execute

TEXT = """\
api.proto:3:7: error: {} [marker-value]
    3 | a
      | ^
w.yaml: warning: x [crd-rejected]
2 more not shown
"""
JSON = """{"findings": [
{"rule": "marker-value", "severity": "error", "message": "a", "file": "api.proto", "line": 3, "column": 7}
], "omitted": 0}"""
OLD = "exit\ta\t1\nfinding\ta\tmarker-value\terror\tapi.proto\t3\t7\nfile\ta\tcrd.yaml\tbytes\t0123\n"


def lines(stderr: str = "", stdout: str = "", **files: str) -> list[str]:
    case = Case("a", None, [Run(("validate",))])
    result = Result(
        [Output(1, stdout.encode(), stderr.encode())], {name: text.encode() for name, text in files.items()}
    )
    return list(lines_of(case, result))


def test_wording_is_ignored() -> None:
    assert lines(TEXT.format("one")) == lines(TEXT.format("another: thing [of] two"))


def test_text_and_json_findings_give_the_same_lines() -> None:
    text = lines(TEXT.format("a"))
    assert text[:2] == ["exit\ta\t1", "finding\ta\tmarker-value\terror\tapi.proto\t3\t7"]
    assert text[2:] == ["finding\ta\tcrd-rejected\twarning\tw.yaml\t\t", "omitted\ta\t2"]
    assert lines(stdout=JSON) == text[:2]


def test_modules_are_compared_without_docstrings_and_comments() -> None:
    first, other, changed = ('"""A."""\nx = 1  # why\n', '"""B."""\n# how\nx = 1\n', '"""A."""\nx = 2\n')
    assert lines(**{"m.py": first}) == lines(**{"m.py": other})
    assert lines(**{"m.py": first}) != lines(**{"m.py": changed})


def test_crds_are_compared_by_bytes_and_other_yaml_as_data() -> None:
    crd = "kind: CustomResourceDefinition\n"
    assert lines(**{"a.yaml": crd}) != lines(**{"a.yaml": f"{crd}# a comment\n"})
    assert lines(**{"a.yaml": "kind: Job\n"}) == lines(**{"a.yaml": "# a comment\nkind: Job\n"})
    assert lines(**{"a.yaml": "kind: Job\n"}) != lines(**{"a.yaml": "kind: Pod\n"})


def test_a_run_of_the_program_is_captured() -> None:
    good, unknown = execute(
        Case("explain", None, [Run(("explain", "marker-value")), Run(("explain", "no-rule"))])
    ).outputs
    assert good.status == 0
    assert b"marker-value" in good.stdout
    assert unknown.status == 2


@pytest.mark.parametrize(
    ("new", "printed"),
    [
        (OLD, ""),
        (OLD.replace("error", "warning"), "- finding marker-value error api.proto 3 7"),
        (OLD.replace("\t7", "\t8"), "+ finding marker-value error api.proto 3 8"),
        (OLD.replace("a\t1", "a\t0"), "+ exit 0"),
        (OLD.replace("0123", "4567"), "- file crd.yaml bytes 0123"),
        (OLD + OLD.splitlines()[1], "+ finding marker-value error api.proto 3 7"),
        (OLD.replace("marker-value", "option-value"), "+ finding option-value"),
    ],
    ids=["equal", "severity", "column", "exit-code", "crd", "repeated-finding", "rule-id"],
)
def test_compare_fails_for_every_difference(
    new: str, printed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(tmp_path, new) == bool(printed)
    assert printed in (out := capsys.readouterr().out)
    assert bool(out) == bool(printed)


def test_compare_applies_renamed_rules_and_cases(tmp_path: Path) -> None:
    new = OLD.replace("marker-value", "option-value").replace("\ta\t", "\tb\t")
    assert compare(tmp_path, new, "marker-value option-value  # same rule\n\na b\n") == 0
    assert compare(tmp_path, new, "marker-value option-value\n") == 1


def compare(folder: Path, new: str, renamed: str = "") -> int:
    for name, text in (("old", OLD), ("new", new), ("map", renamed)):
        (folder / name).write_text(text)
    return main(["compare", *[str(folder / name) for name in ("old", "new")], "--renamed", str(folder / "map")])


def test_a_line_of_the_map_is_a_pair() -> None:
    with pytest.raises(ValueError, match="line 2: expected OLD NEW"):
        read_renamed("a b\na\n")
