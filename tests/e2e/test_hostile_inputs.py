"""Inputs that once ended in a traceback, or took minutes or gigabytes: each ends in a finding or a result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.bench.documents import LEVELS, nested_crd
from tests.bench.requests import versions_text

PROGRAM = Path(sys.executable).with_name("protoc-gen-crd")
SECONDS, MEBIBYTES = 2.0, 150  # of processor time, and of memory at the peak

HEAD = """syntax = "proto3";
package acme.users;
import "protoc_gen_crd/v1/options.proto";
"""
EMPTY_VALUE = """message User {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2"] storage_version: "v1"};
  // +kubebuilder:validation:Enum="";a
  string mail = 1 [(protoc_gen_crd.v1.field).until = "v1"];
  // +kubebuilder:validation:Enum=b
  string email = 2 [(protoc_gen_crd.v1.field) =
      {since: "v2" conversion: {renamed_from: "mail" values: {there: "a" here: "b"}}}];
}
"""
QUOTED_NAME = """message User {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2"] storage_version: "v1"};
  Inner inner = 1 [json_name="in\\"ner"];
  string email = 2 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {moved_from: "spec.mail"}}];
}
message Inner { string mail = 1 [(protoc_gen_crd.v1.field).until = "v1"]; }
"""
RESOURCE = """message User {
  option (protoc_gen_crd.v1.resource).group = "acme.example";
"""
FIELD = """  // +kubebuilder:validation:XValidation:rule="{rule}"
  repeated string r{number} = {tag};
"""
UNROLLED = "self.unrollmap('{0}',250,i,self.unrollmap('y',250,j,i+j)).size()>0"
INDEXED = f"self.r{{0}}{'.index(1,a,b,c,d)' * 5}==1"


class Run(NamedTuple):
    """The exit status of a process, its output, and its resource usage."""

    status: int
    output: str
    seconds: float
    mebibytes: float


# A process of its own starts the program: the peak of a child counts what its parent holds.
STARTER = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
output = process.stdout.read()
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([process.returncode, output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]))
"""


def run(*arguments: str) -> Run:
    """Run the program, its findings and errors in one output."""
    command = [sys.executable, "-c", STARTER, str(PROGRAM), *arguments]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}  # both streams go to one pipe
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment, timeout=300)
    return Run(*json.loads(done.stdout))


def generate(folder: Path, text: str) -> Run:
    """Generate the CRDs of an API of one file."""
    (folder / "a.proto").write_text(text)
    return run("generate", str(folder / "a.proto"), "--out", str(folder / "crds"))


def bombs(rule: str, count: int) -> str:
    """An API with a macro bomb on every field."""
    fields = [FIELD.format(rule=rule.format(number), number=number, tag=number + 1) for number in range(count)]
    return f"{HEAD}{RESOURCE}{''.join(fields)}}}\n"


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        pytest.param(HEAD + EMPTY_VALUE, 'hint: add a pair with ""', id="an empty value of an enum"),
        pytest.param(HEAD + QUOTED_NAME, "[conversion-path]", id="a name with a quote"),
        pytest.param(bombs(UNROLLED, 100), "macro expansion size exceeds limit", id="100 unrolled lists"),
        pytest.param(bombs(INDEXED, 300), "macro expansion size exceeds limit", id="300 nested indices"),
        pytest.param(
            versions_text(200), '"spec.f50" of the storage version v196 is missing in v1 to v49: ', id="200 versions"
        ),
    ],
)
def test_a_hostile_api_ends_in_a_finding(text: str, finding: str, tmp_path: Path) -> None:
    result = generate(tmp_path, text)
    assert "Traceback" not in result.output
    assert finding in result.output
    assert result.status == 1
    assert result.seconds < SECONDS
    assert result.mebibytes < MEBIBYTES


@pytest.mark.parametrize(
    "comment",
    [
        pytest.param("+" * 60_000, id="pluses"),
        pytest.param("+kubebuilder validation" + " " * 60_000 + "x:y", id="blanks"),
        pytest.param("+protoc-gen-crd:enum=[" + "a ," * 1_000, id="a list without an end"),
    ],
)
def test_a_long_comment_is_read_in_linear_time(comment: str, tmp_path: Path) -> None:
    result = generate(tmp_path, f"{HEAD}{RESOURCE}  // {comment}\n  string a = 1;\n}}\n")
    assert "Traceback" not in result.output
    assert result.status in (0, 1)
    assert result.seconds < SECONDS


@pytest.mark.parametrize("depth", [800, 1600])
@pytest.mark.parametrize("schema", LEVELS)
def test_errors_deep_in_a_schema_take_little_memory(schema: str, depth: int, tmp_path: Path) -> None:
    file = tmp_path / "crd.json"
    file.write_text(nested_crd(schema, depth))
    result = run("validate", str(file))
    assert result.output.rstrip().endswith(f"{depth} errors" if schema == "nested allOf" else f"{depth + 1} errors")
    assert result.status == 1
    assert result.seconds < SECONDS
    assert result.mebibytes < 100


def test_deeply_nested_messages_take_little_memory(tmp_path: Path) -> None:
    """The names of the messages around one, and the indentation of the keys around a key, add up."""
    file, protos = tmp_path / "crd.json", tmp_path / "protos"
    crd = nested_crd("nested bad types", 400).replace('{"type": "foo"}', '{"type": "string"}')
    file.write_text(crd.replace('"foo"', '"object"'))
    for arguments in (
        ("import", str(file), "--out", str(protos)),
        ("generate", str(protos), "--out", str(tmp_path / "crds")),
    ):
        result = run(*arguments)
        assert result.status == 0, result.output
        assert result.seconds < SECONDS
        assert result.mebibytes < MEBIBYTES


@pytest.mark.parametrize(
    "option",
    ['example: "NaN"', 'default: "1e999"', 'enum: "-Infinity"', 'keywords: "{\\"maximum\\": 1e999}"', "minimum: nan"],
)
def test_a_number_that_json_cannot_represent(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.proto").write_text(f"{HEAD}{RESOURCE}  double a = 1 [(protoc_gen_crd.v1.field) = {{{option}}}];\n}}\n")
    done = run("generate", "a.proto", "--out", "o")
    assert done.status == 1
    assert "a.proto:6:17: error: " in done.output
    assert "Traceback" not in done.output
