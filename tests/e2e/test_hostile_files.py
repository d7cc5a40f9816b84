"""Each file of the optional corpus of hostile inputs: a finding or result, in bounds, and nothing is executed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from protoc_gen_crd import admit, validate
from tests.conftest import CORPORA, ROOT, shared
from tests.e2e.test_hostile_inputs import MEBIBYTES, SECONDS, run

CORPUS = "second-look"


class Attack(NamedTuple):
    """A command on a file or folder of the corpus, its exit status, and a part of its output."""

    path: str
    arguments: tuple[str, ...]
    status: int
    output: str


# The proof tests 100 of 1,000 objects per direction, since its time depends on their number.
PROVE = ("--prove", "--count", "100")
GENERATE = ("--out", "out")
ATTACKS = (
    Attack("01-code-injection-json-name/a.proto", ("convert", "{}", *PROVE), 0, "contains a control character"),
    Attack("01-code-injection-json-name/traceback-newline.proto", ("convert", "{}", *PROVE), 0, "a control character"),
    Attack("01-code-injection-json-name/y", ("convert", "{}", "--to", "v2", "--diff"), 0, "a control character"),
    Attack("02-keyerror-empty-enum/a.proto", ("generate", "{}", *GENERATE), 1, 'hint: add a pair with ""'),
    Attack("03-memory-bad-types-800.yaml", ("validate", "{}"), 1, "801 errors"),
    Attack("03-memory-nested-allof-800.yaml", ("validate", "{}"), 1, "799 errors"),
    Attack("04-hang-macro-bombs-many3.proto", ("generate", "{}", *GENERATE), 1, "macro expansion size exceeds limit"),
    Attack("04-hang-macro-bombs-manyidx.proto", ("generate", "{}", *GENERATE), 1, "macro expansion size exceeds limit"),
    Attack("05-hang-plus-comment.proto", ("generate", "{}", *GENERATE), 0, "wrote out/acme.example_ws.yaml"),
    Attack("07-image-name-not-utf8/i.binpb", ("generate", "{}", *GENERATE), 1, "is not UTF-8"),
    Attack("08-patherror-hint/a.proto", ("generate", "{}", *GENERATE), 1, "[conversion-path]"),
    Attack("09-deep-default/deepdef2.proto", ("convert", "{}", *PROVE), 1, "is nested more than 64 levels deep"),
    Attack("10-cubic-versions-200.proto", ("generate", "{}", *GENERATE), 1, "of v2 to v199 is missing in the storage"),
    Attack("11-plan-with-errors", ("convert", "{}", "--plan"), 1, "has no counterpart in v2"),
    Attack("12-storage-switch", ("generate", "--settings", "{}/protoc-gen-crd.yaml"), 0,
           "wrote 12-storage-switch/crds/x.io_users.yaml"),
    Attack(
        "14-junit", ("validate", "{}/crd.yaml", "{}/j", "--format-findings", "junit"), 1,
        'name="Backup/bad" classname="14-junit/j/one.json" file="14-junit/j/one.json" line="1">\n      <failure',
    ),
)  # fmt: skip
# Files that other tests here read, and those that document the corpus or made it.
OTHERS = ("06-history-special-files/", "13-verdicts/", "README.md", "01-code-injection-json-name/mk.py")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def copy_input(path: str) -> None:
    """Copy a file or folder of the corpus to the current folder."""
    source = shared(CORPUS, path)
    Path(path).parent.mkdir(exist_ok=True)
    (shutil.copytree if source.is_dir() else shutil.copy)(source, path)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.path)
def test_a_file_ends_in_a_finding_or_a_result(attack: Attack, folder: Path) -> None:
    copy_input(attack.path)
    result = run(*(argument.replace("{}", attack.path) for argument in attack.arguments))
    assert "Traceback" not in result.output
    assert attack.output in result.output
    assert result.status == attack.status
    assert result.seconds < SECONDS
    assert result.mebibytes < MEBIBYTES
    assert not list(folder.rglob("PWNED*"))


@pytest.mark.parametrize("kind", ["a device", "a named pipe"])
def test_special_files_in_a_history(kind: str, folder: Path) -> None:
    shared(CORPUS, "06-history-special-files")
    shutil.copytree(ROOT / "testdata" / "history" / "truncated" / "history", folder / "history")
    file = folder / "history" / "1.0" / "release.json"
    file.unlink()
    if kind == "a device":
        file.symlink_to("/dev/zero")
    else:
        os.mkfifo(file)
    result = run("history", "check")
    assert "Traceback" not in result.output
    assert f"history/1.0/release.json: error: cannot read the index of release 1.0: {kind}" in result.output
    assert result.status == 1
    assert result.seconds < SECONDS
    assert result.mebibytes < MEBIBYTES


def list_verdicts() -> Iterator[tuple[str, str]]:
    """Yield the versions and lines of the recorded verdicts."""
    for path in sorted((CORPORA / CORPUS / "13-verdicts").glob("*.jsonl")):
        yield from ((path.stem, line) for line in path.read_text("utf-8").splitlines())


@pytest.mark.parametrize(("version", "line"), [*list_verdicts()])
def test_verdicts_are_those_of_servers(version: str, line: str) -> None:
    row = json.loads(line)
    crd, obj = row["input"]["crd"], row["input"].get("obj")
    (verdict,) = admit(crd, kubernetes=version) if obj is None else validate(obj, crd, kubernetes=version)
    assert sorted(cause.message for cause in verdict.causes) == sorted(row["answer"]["errors"])


def test_every_file_is_covered() -> None:
    corpus = shared(CORPUS)
    covered = (*OTHERS, *(attack.path for attack in ATTACKS))
    files = [path.relative_to(corpus).as_posix() for path in corpus.rglob("*") if path.is_file()]
    assert [file for file in files if not file.startswith(covered)] == []
