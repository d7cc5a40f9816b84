"""The GitHub Action, the hooks, the workflows, and the pinned requirements agree with the program and each other."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import COMMANDS
from tests.conftest import ROOT
from tests.support.yaml_data import load_yaml

ACTION = load_yaml((ROOT / "action.yml").read_text("utf-8"))
HOOKS = load_yaml((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
# A program that prints its folder and its arguments, one per line.
PROGRAM = '#!/bin/sh\npwd\nprintf "%s\\n" "$@"\n'
PIN = re.compile(r"^([\w.-]+)==(\S+)(?: ; .*)? \\$", re.MULTILINE)


def list_steps(path: Path) -> list[dict[str, Any]]:
    """Return the steps of all jobs of a workflow."""
    return [step for job in load_yaml(path.read_text("utf-8"))["jobs"].values() for step in job["steps"]]


STEPS = [*ACTION["runs"]["steps"], *(step for path in WORKFLOWS for step in list_steps(path))]
RUN = next(step for step in ACTION["runs"]["steps"] if step.get("name") == "Run")


def run_action(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the script of the action with a program that prints its arguments."""
    program = folder / "protoc-gen-crd/bin/protoc-gen-crd"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    program.chmod(0o755)
    defaults = {name.upper().replace("-", "_"): value["default"] for name, value in ACTION["inputs"].items()}
    environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(folder), **defaults, **inputs}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", RUN["run"]]
    return subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_action_uses_its_inputs_and_no_others() -> None:
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", str(ACTION["runs"])))
    assert used == set(ACTION["inputs"])


def test_scripts_contain_no_expressions() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) > 5
    assert [script for script in scripts if "${{" in script] == []


def test_other_actions_are_pinned_by_a_tag() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) > 5
    assert [name for name in used if not re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", name)] == []


@pytest.mark.parametrize("command", ["generate", "validate", "changes", "lint"])
def test_the_action_and_a_hook_run_the_command(command: str, tmp_path: Path) -> None:
    assert command in COMMANDS
    assert command in ACTION["inputs"]["command"]["description"]
    assert [hook["id"] for hook in HOOKS if shlex.split(hook["entry"])[:2] == ["protoc-gen-crd", command]] != []
    done = run_action(tmp_path, COMMAND=command)
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, command)


def test_arguments_of_the_action_are_not_code(tmp_path: Path) -> None:
    arguments = "--old \r\n$(touch a)\n`touch b`; touch c\n\n'*'\n  --out=a b"
    done = run_action(tmp_path, COMMAND="changes", ARGUMENTS=arguments)
    options = ["changes", "--format-findings", "github", "--fail-on", "error"]
    expected = [str(tmp_path), *options, "--old", "$(touch a)", "`touch b`; touch c", "'*'", "--out=a b"]
    assert done.stdout.splitlines() == expected
    assert [path.name for path in tmp_path.iterdir()] == ["protoc-gen-crd"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"COMMAND": "serve"}, "unknown command"),
        ({"COMMAND": "lint\n::warning::injected"}, "unknown command"),
        ({"FAIL_ON": "never"}, "unknown severity in fail-on"),
        ({"FOLDER": "missing"}, "the input folder does not exist"),
        ({"ARGUMENTS": "--old history"}, "an option and its value are in one line"),
    ],
)
def test_the_action_rejects_wrong_inputs(inputs: dict[str, str], message: str, tmp_path: Path) -> None:
    done = run_action(tmp_path, **inputs)
    assert done.returncode == 2
    assert done.stdout.startswith(f"::error::{message}")
    assert "injected" not in done.stdout


def test_only_a_tag_starts_a_release() -> None:
    release = load_yaml((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    assert release[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads the key "on" as true
    assert release["permissions"] == {}
    assert release["jobs"]["build"]["permissions"] == {"contents": "read"}


def test_workflows_limit_permissions() -> None:
    allowed: list[dict[str, str]] = [{}, {"contents": "read"}]
    assert all(load_yaml(path.read_text("utf-8"))["permissions"] in allowed for path in WORKFLOWS)


def test_templates_are_yaml() -> None:
    templates = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    assert len(templates) == 2
    for template in templates:
        assert {"name", "description", "body"} <= set(load_yaml(template.read_text("utf-8")))


def normalize(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def list_dependencies(name: str) -> set[str]:
    """Return the distributions that a distribution needs without extras, and what they need."""
    dependencies: set[str] = set()
    pending = [name]
    while pending:
        for requirement in requires(pending.pop()) or []:
            dependency = normalize(re.split(r"[^\w.-]", requirement)[0])
            if ";" not in requirement and dependency not in dependencies:
                dependencies.add(dependency)
                pending.append(dependency)
    return dependencies


def test_the_requirements_pin_all_dependencies_by_hash() -> None:
    text = (ROOT / "requirements.txt").read_text("utf-8")
    pins = {normalize(name): version for name, version in PIN.findall(text)}
    assert set(pins) == list_dependencies("protoc-gen-crd"), "run `make requirements`"
    assert len(re.findall(r"== ?\S+.*\\\n    --hash=sha256:[0-9a-f]{64}", text)) == len(pins)
    assert [line for line in text.splitlines() if not re.match(r"$|#|[\w.-]+==|    --hash=sha256:", line)] == []


def test_the_requirements_agree_with_the_constraints() -> None:
    constraints = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    pinned = {normalize(name): version for name, version in constraints}
    pins = PIN.findall((ROOT / "requirements.txt").read_text("utf-8"))
    assert pins != []
    assert [name for name, version in pins if pinned.get(normalize(name)) != version] == [], "run `make requirements`"
