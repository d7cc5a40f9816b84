from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import pytest

from protoc_gen_crd import __main__ as entry
from protoc_gen_crd import __version__
from protoc_gen_crd.cli import explain
from protoc_gen_crd.cli.argument_parser import ArgumentParser
from protoc_gen_crd.cli.completion import SHELLS
from protoc_gen_crd.cli.help_examples import EXAMPLES
from protoc_gen_crd.cli.help_groups import GROUPS
from protoc_gen_crd.cli.main import COMMANDS, main
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.settings.merged_options import OPTIONS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("genrate", 'unknown command "genrate"; did you mean "generate"?'),
        ("zzz", 'unknown command "zzz"; see protoc-gen-crd --help'),
        ("history chek", 'unknown action "chek"; did you mean "check"?'),
        ("version zzz", ('unknown action "zzz"; expected one of add, deprecate, remove; '
         "see protoc-gen-crd version --help")),
        ("completion zhs", 'unknown shell "zhs"; did you mean "zsh"?'),
        ("-q", 'unknown argument "-q"; see protoc-gen-crd --help'),
        ("--out x", "--out requires --request FILE"),
        ("generate --fromat=json", 'unknown argument "--fromat=json"; did you mean "--format"?'),
        ("generate --format toml", ('argument --format: expected one of "yaml", "json", got "toml"; '
         "see protoc-gen-crd generate --help")),
        ("generate --node-limit", "argument --node-limit: expected one argument; see protoc-gen-crd generate --help"),
        ("validate crds --coverage 80", ("argument --coverage: write --coverage=80 to set its value; "
         "see protoc-gen-crd validate --help")),
        ("generate --forma json", 'unknown argument "--forma"; did you mean "--format"?'),
        ("validate --format json", 'unknown argument "--format"; did you mean "--format-findings"?'),
        ("generate --check=yes", 'argument --check takes no value, got "yes"; see protoc-gen-crd generate --help'),
        ("validate -q=", 'argument -q/--quiet takes no value, got ""; see protoc-gen-crd validate --help'),
        ("validate --strict-kinds=it's", (
            'argument --strict-kinds/--no-strict-kinds takes no value, got "it\'s"; see protoc-gen-crd validate --help'
        )),
        ("generate gone.proto", "gone.proto: No such file or directory; this folder is empty"),
        ("generate . -I no", "no: No such file or directory; this folder is empty"),
        ("--request gone", "gone: No such file or directory; this folder is empty"),
        ("explain marker-targte", 'unknown rule, marker, or kind "marker-targte"; did you mean "marker-target"?'),
        ("explain zzz", (
            'unknown rule, marker, or kind "zzz"; run `protoc-gen-crd explain` for a list of all rules, or '
            "pass an API with --from"
        )),
    ],
)  # fmt: skip
def test_wrong_usage_ends_with_one_line_and_status_2(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", *arguments.split()])
    assert entry.run() == 2
    assert capsys.readouterr() == ("", f"protoc-gen-crd: {message}\n")


@pytest.mark.parametrize(
    "command",
    ["generate", "validate", "convert --to v1", "changes", "migrate", "history check", "history record 1.0"],
)
def test_an_empty_path_is_named(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", *command.split(), ""])
    assert entry.run() == 2
    see = f"see protoc-gen-crd {command.split(maxsplit=1)[0]} --help"
    assert capsys.readouterr() == ("", f'protoc-gen-crd: expected a path, got ""; {see}\n')


@pytest.mark.parametrize("arguments", ["schemas schemas", "generate crds/", "docs docs/api"])
def test_an_output_folder_as_input_is_explained(
    arguments: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", *arguments.split()])
    assert entry.run() == 2
    hint = "No such file or directory (PATH is an input; pass an output folder with --out); "
    assert capsys.readouterr().err.startswith(f"protoc-gen-crd: {arguments.split()[1]}: {hint}")


def test_a_new_project_is_validated_without_documents(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    Path("protoc-gen-crd.yaml").write_text("inputs: [proto]\n")
    assert main(["validate"]) == 0
    assert "1 CRD, 0 documents validated" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["schemas", "docs", "samples", "cost", "lint"])
def test_crds_among_the_documents_are_an_api(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "--quiet"]) == main(["generate", "--quiet"]) == 0
    Path("protoc-gen-crd.yaml").write_text("documents: [crds, manifests/widget.yaml]\n")
    assert main([command, "--quiet"]) == 0


@pytest.mark.parametrize("arguments", [[], ["--help"], ["generate", "--help"], ["explain", "-h"]])
def test_help_is_no_mistake(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: protoc-gen-crd ")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"protoc-gen-crd {__version__}\n"


def test_a_finding_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "policy-severity"]) == 0
    assert capsys.readouterr().out.startswith("policy-severity (error)\n\nAn entry under `findings` lowers ")
    assert main(["explain", "proto-compile"]) == 0
    assert capsys.readouterr().out.startswith("proto-compile (error, cannot be changed in the settings)\n\n")


def test_all_findings_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(load_rules())
    assert any(line.split()[:2] == ["policy-unused", "warning"] for line in lines)


def test_an_interrupt_is_no_bug(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(explain, "run", interrupted)
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", "explain"])
    assert entry.run() == 130
    assert capsys.readouterr().err == "protoc-gen-crd: interrupted\n"


def test_an_interrupt_while_a_class_is_created_is_no_bug(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def __set_name__(self, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(explain, "run", lambda _: type("Created", (), {"attribute": Interrupted()}))
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", "explain"])
    assert entry.run() == 130
    assert capsys.readouterr().err == "protoc-gen-crd: interrupted\n"


# Interrupt the program when it imports a module: at once, or in a callback whose exceptions Python ignores.
INTERRUPTED_IMPORT = """
import signal, sys, weakref

class Finder:
    @staticmethod
    def find_spec(name, *_):
        if name == "protoc_gen_crd.cli.main":
            interrupt = lambda *_: signal.raise_signal(signal.SIGINT)
            weakref.ref(Finder(), interrupt) if IGNORED else interrupt()

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder)
from protoc_gen_crd.__main__ import main
sys.argv = ["protoc-gen-crd", "explain"]
main()
"""


@pytest.mark.parametrize("is_ignored", [False, True])
def test_an_interrupted_import_prints_one_line(*, is_ignored: bool) -> None:
    program = INTERRUPTED_IMPORT.replace("IGNORED", str(is_ignored))
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (130, "protoc-gen-crd: interrupted\n")


INTERRUPTED_START = """
import signal, sys

class Finder:
    @staticmethod
    def find_spec(name, *_):
        if name == "protoc_gen_crd.__main__":
            ERROR

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder)
sys.argv = ["PROGRAM"]
import protoc_gen_crd.__main__
"""


@pytest.mark.parametrize(
    ("program", "error", "status", "has_traceback"),
    [
        ("/usr/bin/protoc-gen-crd", "signal.raise_signal(signal.SIGINT)", -2, False),
        ("-m", "signal.raise_signal(signal.SIGINT)", -2, False),
        ("/usr/bin/protoc-gen-crd", "1 / 0", 1, True),
        ("other", "signal.raise_signal(signal.SIGINT)", -2, True),
    ],
)
def test_an_interrupt_before_the_program_starts_has_no_traceback(
    program: str, error: str, status: int, *, has_traceback: bool
) -> None:
    text = INTERRUPTED_START.replace("PROGRAM", program).replace("ERROR", error)
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (result.returncode, "Traceback" in result.stderr) == (status, has_traceback)
    assert has_traceback or result.stderr == ""


def test_the_entry_point_imports_nothing_before_it_handles_interrupts() -> None:
    program = "import sys; old = {*sys.modules}; import protoc_gen_crd.__main__; print(*sorted({*sys.modules} - old))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["__future__", "errno", "protoc_gen_crd", "protoc_gen_crd.__main__"]


def test_out_of_memory_is_no_bug(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr(explain, "run", exhausted)
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", "explain"])
    assert entry.run() == 2
    assert capsys.readouterr().err == "protoc-gen-crd: out of memory\n"


def test_a_bug_prints_a_traceback_and_asks_for_a_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> int:
        raise ZeroDivisionError("by us")

    monkeypatch.setattr(explain, "run", broken)
    monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", "explain"])
    assert entry.run() == 3
    error = capsys.readouterr().err
    assert "ZeroDivisionError: by us" in error
    assert f"This is a bug of protoc-gen-crd {__version__}" in error
    assert "dump_request=FILE" in error


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_help_are_valid(name: str) -> None:
    command, *action = name.split()
    for line, _ in EXAMPLES[name]:
        if line.startswith(name):
            arguments = shlex.split(line)[1 + len(action) :]
            parser = ArgumentParser()
            import_module(f"protoc_gen_crd.cli.{command}").configure(parser)
            _, rest = parser.parse_known_args([*action, *arguments])
            assert rest == []


def test_every_command_has_an_example() -> None:
    assert [name for name in COMMANDS if name not in EXAMPLES] == []


def test_help_groups_name_options() -> None:
    assert [name for name in GROUPS if name not in OPTIONS and name != "out"] == []


def test_options_for_proto_input_are_in_the_full_help(capsys: pytest.CaptureFixture[str]) -> None:
    results = {}
    for flag in ("--help", "--help-all"):
        with pytest.raises(SystemExit):
            main(["validate", flag])
        results[flag] = capsys.readouterr().out
    assert "--int64-as" not in results["--help"]
    assert "--int64-as" in results["--help-all"]
    assert "--kubernetes" in results["--help"]


def test_help_on_a_full_disk_fails() -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "protoc_gen_crd", "--help"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (run.returncode, b"No space left on device" in run.stderr) == (2, True)


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_prints_shell_code(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "protoc-gen-crd" in capsys.readouterr().out


def test_a_shell_completes_commands_and_options(tmp_path: Path) -> None:
    def complete(line: str) -> set[str]:
        result = tmp_path / "completions"
        variables = {
            "_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(result), "COMP_LINE": line,
            "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n",
        }  # fmt: skip
        subprocess.run([sys.executable, "-m", "protoc_gen_crd"], env=os.environ | variables, check=True)
        return {line.strip() for line in result.read_text().splitlines()}

    assert {"generate", "validate"} <= complete("protoc-gen-crd ")
    assert complete("protoc-gen-crd validate --kubern") == {"--kubernetes"}
    assert {"json", "sarif"} <= complete("protoc-gen-crd validate --format-findings ")


def do_nothing() -> None:
    pass


def count_page_faults(depth: int = 200) -> int:
    """Return the page faults of calls of a function that does nothing, from each of these depths."""
    before = getrusage(RUSAGE_SELF).ru_minflt
    for _ in range(20):
        do_nothing()
    return getrusage(RUSAGE_SELF).ru_minflt - before + (count_page_faults(depth - 1) if depth else 0)


def test_repeated_calls_map_no_memory() -> None:
    assert entry._call_with_large_frame(count_page_faults) < 20
