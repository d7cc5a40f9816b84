"""`validate` and the pytest plugin as a user has them: processes, with files of a project of their own."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import RawIOBase
from pathlib import Path

import pytest

from tests.conftest import ROOT, shared
from tests.support.fork_server import get_server, run_program

PROGRAM = [sys.executable, "-m", "protoc_gen_crd", "validate"]
CASES = ROOT / "testdata" / "validate"
ISTIO = ("corpora", "istio-networking")


def run(*arguments: str | Path, folder: Path = ROOT, data: bytes = b"") -> tuple[int, str, str]:
    done = run_program(["validate", *arguments], folder, data=data)
    return done.returncode, done.stdout, done.stderr


def test_istio_documents_are_judged_as_their_authors_say() -> None:
    folder = shared(*ISTIO)
    status, out, err = run("testdata", "expected.yaml", "--kubernetes", "1.29..1.34", folder=folder)
    assert (status, err) == (0, "")
    assert out == "9 CRDs, 53 documents validated (Kubernetes 1.29 to 1.34)\n"


def test_three_of_them_expect_errors_of_older_servers() -> None:
    status, out, err = run("testdata", "expected.yaml", "--kubernetes", "1.29..1.37", folder=shared(*ISTIO))
    places = [line.split(" error: ")[0] for line in err.splitlines() if " error: " in line]
    assert places == [f"testdata/envoyfilter-invalid.yaml:{line}:7:" for line in (1, 17, 34)]
    assert err.count("error: expected an error that contains ") == 3
    assert err.count("hint: it is reported by Kubernetes 1.25 to 1.34\n") == 3
    assert (status, out.count("53 documents validated")) == (1, 1)


def test_the_same_without_generated_files() -> None:
    """The image has two errors of its own, which default mode reports; its CRDs still validate the documents."""
    arguments = ("testdata", "image.binpb", "--kubernetes", "1.29..1.34")
    status, out, err = run(*arguments, folder=shared(*ISTIO))
    assert (status, "document-" in err) == (1, False)
    assert "9 CRDs, 53 documents validated" in out


def test_several_processes_print_the_output_of_one() -> None:
    alone = run(CASES, "--kubernetes", "1.28..1.37")
    assert run(CASES, "--kubernetes", "1.28..1.37", "--jobs", "3") == alone
    assert alone[0] == 1


def test_an_error_that_versions_repeat_differently_is_reported_once(tmp_path: Path) -> None:
    """Errors about equal values of two labels are equal; some versions repeat them."""
    names = "names: {kind: Lamp, listKind: LampList, plural: lamps, singular: lamp}"
    schema = "schema: {openAPIV3Schema: {type: object}}"
    (tmp_path / "crd.yaml").write_text(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata: {name: lamps.example.com, labels: {a: a b, b: a b, c: c d}}\n"
        f"spec: {{group: example.com, scope: Namespaced, {names},\n"
        f"  versions: [{{name: v1, served: true, storage: true, {schema}}}]}}\n"
    )
    _, _, err = run("crd.yaml", "--kubernetes", "1.34..1.37", folder=tmp_path)
    assert [err.count(text) for text in ("is rejected: ", "is rejected by", '"a b"', '"c d"')] == [2, 0, 1, 1], err


def test_standard_input_and_a_closed_one() -> None:
    data = (CASES / "stdin" / "stdin").read_bytes()
    status, _, err = run("testdata/validate/stdin/widgets.crd.yaml", "-", data=data)
    assert (status, err.splitlines()[0].startswith("<stdin>:6:9: error: ")) == (1, True)
    closed = f'"{sys.executable}" -m protoc_gen_crd validate - <&-'
    assert subprocess.run(["sh", "-c", closed], cwd=ROOT, check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ((CASES / "stdin" / "stdin").read_text(), "Widget/from-standard-input is rejected: "),
        ("", "pipe contains no Kubernetes object [document-file]"),
        ("{{{", "invalid YAML or JSON: "),
    ],
)
def test_a_pipe_is_read_once(data: str, error: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, data.encode())
    os.close(writing)
    command = [*PROGRAM, "testdata/validate/stdin/widgets.crd.yaml", f"/dev/fd/{reading}"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, pass_fds=[reading])
    os.close(reading)
    assert (done.returncode, f"error: {error}" in done.stderr) == (1, True), done.stderr


def test_an_unreadable_file_is_a_finding(tmp_path: Path) -> None:
    shutil.copytree(CASES / "accepted", tmp_path / "case", ignore=shutil.ignore_patterns("expected", "arguments"))
    (tmp_path / "case" / "dangling.yaml").symlink_to("nowhere")
    (tmp_path / "case" / "loop.yaml").symlink_to("loop.yaml")
    status, out, err = run(".", folder=tmp_path / "case")
    assert status == 1
    assert "dangling.yaml: error: cannot read the file: No such file or directory [document-file]\n" in err
    assert "loop.yaml: error: cannot read the file: Too many levels of symbolic links [document-file]\n" in err
    assert "8 documents validated" in out


def test_progress_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    done = subprocess.run([*PROGRAM, CASES / "accepted"], check=False, stderr=theirs, cwd=ROOT, env=environment)
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        output = b"".join(read_terminal(terminal))
    assert (done.returncode, b"validated 3 of 4 files" in output) == (0, True)


def read_terminal(terminal: RawIOBase) -> Iterator[bytes]:
    """Return the parts of what a process wrote to a terminal that is closed now."""
    with suppress(OSError):  # Linux reports the closed side as an error
        while part := terminal.read(10_000):
            yield part


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that points pytest at its documents."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_own.py").write_text("def test_own() -> None:\n    pass\n")
    (tmp_path / ".git").mkdir()
    for name in ("widgets.crd.yaml", "widget-valid.yaml", "widget-invalid.yaml"):
        (tmp_path / "testdata").mkdir(exist_ok=True)
        shutil.copy(CASES / "texts" / name if name == "widget-invalid.yaml" else CASES / "accepted" / name,
                    tmp_path / "testdata" / name)  # fmt: skip
    return tmp_path


def make_environment(**variables: str) -> dict[str, str]:
    """Return the environment of a pytest run that is not a part of this one."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")} | {
        "COLUMNS": "160",
        **variables,
    }


def pytest_run(
    project: Path, options: str, *arguments: str, folder: str = ".", is_started: bool = False, **variables: str
) -> tuple[int, str]:
    """Run pytest, in a forked process or a started one."""
    (project / "pytest.ini").write_text(f"[pytest]\n{options}")
    arguments = ("-q", "-p", "no:cacheprovider", *arguments)
    temporary = project.parent / "temporary"  # the shared folder has those of other runs, which pytest removes
    temporary.mkdir(exist_ok=True)
    environment = make_environment(PYTEST_DEBUG_TEMPROOT=str(temporary), **variables)
    if is_started:
        command = [sys.executable, "-m", "pytest", *arguments]
        done = subprocess.run(
            command, cwd=project, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
        )
        return done.returncode, done.stdout.decode()
    result = get_server("pytest").run(arguments, project / folder, environment, merged=True)
    return result.returncode, result.stdout.decode()


OPTIONS = "testpaths = tests\ncrd_documents = testdata\ncrd_kubernetes = 1.29..1.34\n"


def test_pytest_has_an_item_for_each_document(project: Path) -> None:
    status, out = pytest_run(project, OPTIONS, "-vv")
    lines = {line.split(" ")[0]: line.split(" ")[1] for line in out.splitlines() if "::" in line and "%]" in line}
    assert lines["tests/test_own.py::test_own"] == "PASSED"
    assert lines["testdata/widget-valid.yaml::Widget/shop/small"] == "PASSED"
    assert lines["testdata/widgets.crd.yaml::CustomResourceDefinition/widgets.acme.example"] == "PASSED"
    assert lines["testdata/widget-invalid.yaml::Widget/until-1.31"] == "FAILED"
    assert lines["testdata/widget-invalid.yaml::Widget/for-old-versions"] == "SKIPPED"
    assert (status, len(lines)) == (1, 11)
    expected = (CASES / "texts" / "expected" / "transcript.txt").read_text().split("\n", 1)[1]
    assert expected.split("widget-invalid.yaml:11:7")[0].replace("widget-invalid", "testdata/widget-invalid") in out


def test_pytest_judges_a_single_document(project: Path) -> None:
    status, out = pytest_run(project, OPTIONS, "testdata/widget-valid.yaml::Widget/first")
    assert (status, out.splitlines()[-1].startswith("1 passed")) == (0, True)


def test_pytest_validates_a_document_whose_name_has_separators_of_pytest(project: Path) -> None:
    (project / "testdata" / "other.yaml").write_text('kind: "a:::::b"\n')
    status, out = pytest_run(project, OPTIONS, "testdata/other.yaml::a:b")
    assert (status, "1 skipped" in out.splitlines()[-1]) == (0, True)


def test_pytest_names_documents_apart(project: Path) -> None:
    (project / "testdata" / "other.yaml").write_text('kind: d\n---\nkind: d\n---\nkind: "d[2]"\n---\nkind: d\n')
    _, out = pytest_run(project, OPTIONS, "testdata/other.yaml", "-vv")
    names = [line.split("::")[1].split()[0] for line in out.splitlines() if "::" in line and "%]" in line]
    assert names == ["d", "d[2]", "d[2][2]", "d[3]"]


def test_pytest_validates_updates_of_existing_objects(project: Path) -> None:
    crd = (project / "testdata" / "widgets.crd.yaml").read_text()
    (project / "before.yaml").write_text(crd.replace("scope: Namespaced", "scope: Cluster"))
    status, out = pytest_run(project, f"{OPTIONS}crd_old = before.yaml\n", "testdata/widgets.crd.yaml")
    assert (status, "field is immutable [crd-rejected]" in out) == (1, True)


def test_pytest_fails_a_document_for_its_keys(project: Path) -> None:
    text = "{}apiVersion: acme.example/v1\nkind: Widget\nmetadata: {{name: {}}}\nspec: {{size: S}}\n---\n"
    keys = {"a": "", "b": "_stord: {}\n", "c": "_status: true\n", "d": "_kubernetes: 1.30\n"}
    (project / "testdata" / "keys.yaml").write_text("".join(text.format(key, name) for name, key in keys.items()))
    status, out = pytest_run(project, OPTIONS, "testdata/keys.yaml", "-vv")
    fates = [line.split("::")[1].split()[:2] for line in out.splitlines() if "::" in line and "%]" in line]
    assert fates == [["Widget/a", "PASSED"], *([f"Widget/{name}", "FAILED"] for name in "bcd")]
    assert (status, "[case-key]" in out, "[case-value]" in out, "(text)" in out) == (1, True, True, False)


def test_pytest_runs_the_linter_if_asked(project: Path) -> None:
    crd = project / "testdata" / "widgets.crd.yaml"
    text = crd.read_text()
    shutil.rmtree(project / "testdata")
    crd.parent.mkdir()
    crd.write_text(text)
    (project / "protoc-gen-crd.yaml").write_text("fail_on: warning\nfindings: [{rule: lint-bool, severity: warning}]\n")
    options = "crd_documents = testdata\n"
    assert "1 passed" in pytest_run(project, options, "testdata")[1]
    status, out = pytest_run(project, f"{options}crd_lint = true\n", "testdata")
    assert (status, "[lint-" in out, "1 failed, 1 passed" in out, "Traceback" in out) == (1, True, True, False)
    assert pytest_run(project, f"{options}crd_lint = true\ncrd_old = testdata\n", "testdata")[0] == 0
    assert "1 passed" in pytest_run(project, f"{options}crd_lint = true\n", "tests/test_own.py")[1]


def test_pytest_summarizes_a_failure_by_its_error(project: Path) -> None:
    """The note on skipped validation comes after the error, and the path is not printed twice."""
    shutil.copy(CASES / "keywords" / "gadget.proto", project)
    shutil.copy(CASES / "keywords" / "gadget-valid.yaml", project / "testdata")
    error = "Gadget/short is rejected: spec.short: Too long: may not be more than 3 bytes"
    for options in ([], ["-n", "1"], ["-vv"]):
        arguments = ["testdata/gadget-valid.yaml::Gadget/short", *options]
        _, out = pytest_run(project, "crd_documents = testdata gadget.proto\n", *arguments, CI="1")
        assert f"FAILED testdata/gadget-valid.yaml::Gadget/short - {error}\n" in out
        assert out.index(": error: ") < out.index(": note: ")


def test_pytest_applies_the_rules_on_kinds(project: Path) -> None:
    shutil.copytree(CASES / "repository", project / "repository", ignore=shutil.ignore_patterns("expected"))
    status, out = pytest_run(project, "crd_documents = repository\n", "-rfs", "repository")
    transcript = (CASES / "repository" / "expected" / "transcript.txt").read_text().split("\n\n")[0]
    errors = [line for line in transcript.splitlines() if ": error: " in line]
    assert [f"repository/{error}" in out for error in errors] == [True] * 8
    assert 'no CRD found for kind "Application" in "argoproj.io": 2 documents not validated\n' in out
    assert "4 documents built-in, not validated\n" in out
    assert (status, "8 failed, 2 passed, 17 skipped" in out, "package.json" in out) == (1, True, False)


def test_pytest_skips_kinds_of_the_settings(project: Path) -> None:
    settings = "skip_kinds: [Restore.db.acme.example, argoproj.io/*]\n"
    (project / "protoc-gen-crd.yaml").write_text(settings)
    shutil.copytree(CASES / "repository", project / "repository", ignore=shutil.ignore_patterns("expected"))
    _, out = pytest_run(project, "crd_documents = repository\n", "repository")
    assert ("Restore" in out, "Application" in out, '"Kustomization"' in out) == (False, False, True)


def test_pytest_reports_what_is_wrong_with_the_run(project: Path) -> None:
    (project / "testdata" / "widgets.crd.yaml").unlink()
    (project / "testdata" / "api.proto").write_text("no proto\n")
    status, out = pytest_run(project, OPTIONS)
    assert (status, "[proto-compile]" in out, "Traceback" in out) == (2, True, False)


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ("crd_documents = testdata none\n", 4, "ERROR: no such file or folder in crd_documents: "),
        (f"{OPTIONS}crd_old = none\n", 4, "ERROR: no such file or folder in crd_old: "),
        (
            OPTIONS.replace("1.29..1.34", "1.99"),
            2,
            'error: invalid value for "kubernetes": expected a Kubernetes version from 1.25 to 1.37',
        ),
    ],
)
def test_pytest_options_that_are_wrong(options: str, status: int, message: str, project: Path) -> None:
    code, out = pytest_run(project, options, "testdata/widget-valid.yaml")
    assert (code, sum(message in line for line in out.splitlines()), "Traceback" in out) == (status, 1, False)
    assert "pytest_plugin.py" not in out


def test_pytest_finds_the_settings_from_a_folder_below(project: Path) -> None:
    (project / "protoc-gen-crd.yaml").write_text("strict_kinds: true\n")
    (project / "testdata" / "other.yaml").write_text('kind: "Two\\nlines"\n')
    options = ["-c", "../pytest.ini", "--rootdir", "..", "../testdata/other.yaml", "-vv"]
    status, out = pytest_run(project, OPTIONS, *options, folder="tests")
    assert (status, "[document-kind]" in out) == (1, True), out
    assert "other.yaml::Two\\nlines FAILED" in out


def test_pytest_without_the_option_imports_nothing(project: Path) -> None:
    probe = (
        'import sys\ndef test_own() -> None:\n    names = [n for n in sys.modules if n.startswith("protoc_gen_crd.")]\n'
    )
    probe += '    assert names == ["protoc_gen_crd.testing", "protoc_gen_crd.testing.pytest_plugin"]\n'
    (project / "tests" / "test_own.py").write_text(probe)
    assert pytest_run(project, "testpaths = tests\n", is_started=True)[0] == 0


@pytest.mark.parametrize("arguments", [["-vv"], ["none"]])
def test_a_forked_pytest_prints_what_a_started_one_prints(arguments: list[str], project: Path) -> None:
    outputs = [pytest_run(project, OPTIONS, *arguments, is_started=is_started) for is_started in (False, True)]
    forked, started = [(status, re.sub(r"in [\d.]+s", "", out)) for status, out in outputs]
    assert forked == started


LAMP = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Lamp, plural: lamps, singular: lamp, listKind: LampList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""


@pytest.mark.parametrize(
    ("keys", "finding"),
    [
        ('_kubernetes: "1.25..1.999999999"', ""),
        ('_kubernetes: "1.99..1.999999999"', "[case-value]"),
        ("_versions: [acme.example/v9]", '4:1: error: invalid value for "_versions": expected a list of different'),
        ("_versions: [v1, v9]", '4:17: error: Lamp/one (v9) has version "v9", which its CRD does not serve'),
    ],
)
def test_versions_of_test_documents_are_checked(keys: str, finding: str, tmp_path: Path) -> None:
    (tmp_path / "lamp.yaml").write_text(f"apiVersion: acme.example/v1\nkind: Lamp\nmetadata: {{name: one}}\n{keys}\n")
    (tmp_path / "crd.yaml").write_text(LAMP)
    status, _, err = run("lamp.yaml", "crd.yaml", folder=tmp_path)
    assert (status, finding in err, "Traceback" in err) == (int(bool(finding)), True, False), err


def test_an_entry_that_matches_an_unvalidated_document_is_not_reported(tmp_path: Path) -> None:
    (tmp_path / "lamp.yaml").write_text(
        'apiVersion: acme.example/v1\nkind: Lamp\nmetadata: {name: one}\n_kubernetes: "1.30"\n'
    )
    (tmp_path / "crd.yaml").write_text(LAMP)
    status, _, err = run("lamp.yaml", "crd.yaml", "--skip-kinds", "Lamp", "--kubernetes", "1.37", folder=tmp_path)
    assert (status, "option-unused" in err) == (0, False), err


def test_an_anchor_is_no_encoding(tmp_path: Path) -> None:
    (tmp_path / "anchor.yaml").write_text("a: *UTF-8\n")
    _, _, err = run("anchor.yaml", folder=tmp_path)
    assert ("unknown anchor 'UTF-8' referenced" in err, "save the file" in err) == (True, False)
