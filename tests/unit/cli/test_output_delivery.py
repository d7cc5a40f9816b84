from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.cli.output_comparison import check_delivery, plan_delivery
from protoc_gen_crd.cli.output_delivery import write_delivery
from protoc_gen_crd.cli.output_manifest import MANIFEST_NAME
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.rule_catalog import load_rules


class Run:
    """One run on a folder: the lines it prints and what it finds."""

    def __init__(self, folder: Path, files: dict[str, str], *, prune: bool = False, dry: bool = False) -> None:
        problems = Problems()
        delivery = plan_delivery(folder, [OutputFile(name, (text,)) for name, text in files.items()], problems)
        lines = (
            []
            if delivery is None
            else check_delivery(delivery, problems)
            if dry
            else write_delivery(delivery, problems, prune=prune)
        )
        self.lines = [line.replace(f"{folder}/", "") for line in lines]
        assert all(finding.rule in load_rules() for finding in problems.findings)
        self.hints = [finding.hint for finding in problems.findings]
        self.found = [
            (f"{finding.at.resolve().file if finding.at else ''}: {finding.message} [{finding.rule}]").replace(
                f"{folder}/", ""
            )
            for finding in problems.findings
        ]


def on_disk(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_files_are_written_once(tmp_path: Path) -> None:
    first = Run(tmp_path, {"a.yaml": "a\n", "b/c.yaml": "c\n"})
    assert (first.lines, first.found) == (["wrote a.yaml", "wrote b/c.yaml"], [])
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = Run(tmp_path, {"a.yaml": "a\n", "b/c.yaml": "c\n"})
    assert (again.lines, again.found) == ([], [])
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    a, c = compute_digest(b"a\n"), compute_digest(b"c\n")
    assert on_disk(tmp_path)[MANIFEST_NAME].splitlines()[1:] == [f"{a}  a.yaml", f"{c}  b/c.yaml"]


def test_a_stale_file_is_reported_and_recorded(tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "a", "b.yaml": "b"})
    message = "b.yaml: stale file: it is no longer generated [output-leftover]"
    for _ in range(2):
        run = Run(tmp_path, {"a.yaml": "a"})
        assert (run.lines, run.found) == ([], [message])
        assert on_disk(tmp_path)["b.yaml"] == "b"
    pruned = Run(tmp_path, {"a.yaml": "a"}, prune=True)
    assert (pruned.lines, pruned.found) == (["removed b.yaml"], [])
    assert set(on_disk(tmp_path)) == {"a.yaml", MANIFEST_NAME}


@pytest.mark.parametrize("dry", [False, True])
def test_a_run_without_files_suggests_no_removal(dry: bool, tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "a"})
    assert "if nothing shall be generated any more, " in Run(tmp_path, {}, dry=dry).hints[0]
    assert "any more" not in Run(tmp_path, {"b.yaml": "b"}, dry=dry).hints[-1]


def test_pruning_removes_bytecode_and_empty_folders(tmp_path: Path) -> None:
    Run(tmp_path, {"a.py": "", "v1/b.py": "", "v2/c/d.py": "", "v2/e.py": ""})
    caches = ("__pycache__/a", "v1/__pycache__/b", "v2/c/__pycache__/d", "v2/__pycache__/e", "v2/__pycache__/theirs")
    for name in caches:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.cpython-311.pyc").write_text("")
    Run(tmp_path, {"a.py": ""}, prune=True)
    kept = {"a.py", MANIFEST_NAME, "__pycache__/a.cpython-311.pyc", "v2/__pycache__/theirs.cpython-311.pyc"}
    assert set(on_disk(tmp_path)) == kept
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_dir()} == {
        "__pycache__", "v2", "v2/__pycache__",
    }  # fmt: skip


def test_pruning_follows_no_link_to_bytecode(tmp_path: Path) -> None:
    other, folder = tmp_path / "other", tmp_path / "out"
    other.mkdir()
    (other / "b.cpython-311.pyc").write_text("")
    Run(folder, {"v1/b.py": ""})
    (folder / "v1/__pycache__").symlink_to(other)
    Run(folder, {}, prune=True)
    assert set(on_disk(folder)) == {MANIFEST_NAME}
    assert (other / "b.cpython-311.pyc").exists()


def test_pruning_spares_what_was_edited_and_what_was_never_ours(tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "a", "b.yaml": "b"})
    (tmp_path / "b.yaml").write_text("b, edited")
    (tmp_path / "theirs.yaml").write_text("kind: CustomResourceDefinition")
    run = Run(tmp_path, {}, prune=True)
    assert run.lines == ["removed a.yaml"]
    assert run.found == ["b.yaml: stale file: it is no longer generated, but was edited [output-leftover]"]
    assert {"b.yaml", "theirs.yaml"} <= set(on_disk(tmp_path))


def test_a_leftover_that_is_gone_already_is_forgotten(tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "a", "b.yaml": "b"})
    (tmp_path / "b.yaml").unlink()
    assert Run(tmp_path, {"a.yaml": "a"}).found == []
    assert "b.yaml" not in on_disk(tmp_path)[MANIFEST_NAME]


def test_a_manifest_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / MANIFEST_NAME).write_text(f"{compute_digest(b'mine')}  ../victim\n<<<<<<< ours\n")
    run = Run(folder, {"a.yaml": "a"}, prune=True)
    assert victim.read_text() == "mine"
    message = "is not a digest and the name of a file below the folder"
    assert run.found == [
        f'{MANIFEST_NAME}: line 1 {message}: "{compute_digest(b"mine")}  ../victim" [output-manifest]',
        f'{MANIFEST_NAME}: line 2 {message}: "<<<<<<< ours" [output-manifest]',
    ]


def test_a_file_that_would_leave_stops_all(tmp_path: Path) -> None:
    run = Run(tmp_path / "out", {"a.yaml": "a", "../b.yaml": "b"})
    message = f'file "../b.yaml" is outside the output folder "{tmp_path}/out": it resolves to ../b.yaml'
    assert run.found == [f": {message} [output-outside]"]
    assert on_disk(tmp_path) == {}


def test_checking_changes_nothing_and_shows_a_diff(tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "x\ny\n", "b.yaml": "b\n", "c.yaml": "c\n"})
    before = on_disk(tmp_path)
    run = Run(tmp_path, {"a.yaml": "x\nz\n", "b.yaml": "b\n", "d.yaml": "d\n"}, dry=True)
    assert on_disk(tmp_path) == before
    assert run.lines == [
        "--- a.yaml", "+++ a.yaml", "@@ -1,2 +1,2 @@", " x", "-y", "+z",
        "--- /dev/null", "+++ d.yaml", "@@ -0,0 +1 @@", "+d",
    ]  # fmt: skip
    assert run.found == [
        "a.yaml: file is out of date [output-stale]",
        "d.yaml: file does not exist [output-stale]",
        "c.yaml: stale file: it is no longer generated [output-stale]",
    ]


def test_checking_shows_line_ends_that_differ(tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "x\n", "b.yaml": "y\n"})
    (tmp_path / "a.yaml").write_bytes(b"x\r\n")
    (tmp_path / "b.yaml").write_bytes(b"y")
    run = Run(tmp_path, {"a.yaml": "x\n", "b.yaml": "y\n"}, dry=True)
    assert run.lines == [
        "--- a.yaml", "+++ a.yaml", "@@ -1 +1 @@", "-x^M", "+x",
        "--- b.yaml", "+++ b.yaml", "@@ -1,2 +1 @@", " y", "-\\ No newline at end of file",
    ]  # fmt: skip
    assert run.found == [
        "a.yaml: file has other line endings [output-stale]",
        "b.yaml: file is out of date [output-stale]",
    ]


def test_checking_what_is_up_to_date_finds_nothing(tmp_path: Path) -> None:
    Run(tmp_path, {"a.yaml": "a"})
    run = Run(tmp_path, {"a.yaml": "a"}, dry=True)
    assert (run.lines, run.found) == ([], [])


def test_runs_at_once_keep_the_files_of_each_other_in_mind(tmp_path: Path) -> None:
    """Both have looked at the folder before either writes."""
    problems = Problems()
    runs = [plan_delivery(tmp_path, [OutputFile(name, (name,))], problems) for name in ("a.yaml", "b.yaml")]
    assert [line for run in runs if run for line in write_delivery(run, problems, prune=False)] != []
    listed = [line.split()[1] for line in on_disk(tmp_path)[MANIFEST_NAME].splitlines()[1:]]
    assert listed == ["a.yaml", "b.yaml"]
