"""Names and options with hostile strings: they are reported or mean what they say, and nothing is run."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd import Validator
from protoc_gen_crd.base.escapes import proto_string
from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.foreign_strings import HARMLESS, HOSTILE, counted, yaml_tree
from tests.support.yaml_data import load_yaml

FOLDER = ROOT / "testdata" / "injection"
# protoc rejects surrogates, U+0085 is an error at the option, and a blank message is left out.
STRINGS = [
    item
    for item in HOSTILE
    if item.strip() and not any(char == "\x85" or "\ud800" <= char <= "\udfff" for char in item)
]
IMPORTS = (
    "protoc_gen_crd/v1/options.proto", "validate/validate.proto", "buf/validate/validate.proto",
    "google/api/resource.proto", "protoc-gen-openapiv2/options/annotations.proto", "gogoproto/gogo.proto",
)  # fmt: skip
INCLUDES = (ROOT / "testdata" / "include", ROOT / "testdata" / "generate" / "vocabularies-unread")
# An option with a string, and whether a field accepts this string, and another one.
RULES = {
    "const = {}": (True, False), "in = {}": (True, False), "prefix = {}": (True, False), "suffix = {}": (True, False),
    "contains = {}": (True, False), "not_contains = {}": (False, True), "not_in = {}": (False, True),
}  # fmt: skip
TEXTS = (
    "(grpc.gateway.protoc_gen_openapiv2.options.openapiv2_field) = {{title: {0} description: {0}}}",
    "(grpc.gateway.protoc_gen_openapiv2.options.openapiv2_field) = {{enum: [{0}, 'x']}}",
    "(google.api.resource_reference) = {{type: {0} child_type: {0}}}",
    "(gogoproto.jsontag) = {0}",
    "(buf.validate.field).cel = {{id: {0} message: {0} expression: \"this != 'q'\"}}",
    "(buf.validate.field).cel = {{id: {0} expression: \"this == 'q' ? '' : 'x'\"}}",
)


@pytest.fixture(autouse=True)
def _copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER, tmp_path / "in")
    monkeypatch.chdir(tmp_path / "in")


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (["convert", "a.proto", "--prove", "--count", "100"], "a.proto:7:3"),
        (["convert", "traceback-newline.proto", "--prove", "--count", "100"], "traceback-newline.proto:7:3"),
        (["convert", "y", "--to", "v2", "--diff"], "y/crd.yaml:1:829"),
        (["convert", "y", "--to", "v2", "--diff"], "y/rules.yaml:1:171"),
        (["generate", "a.proto", "--converters", "converters"], "a.proto:7:3"),
    ],
)
def test_a_line_break_in_a_name_is_reported_and_not_run(
    arguments: list[str], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = time.process_time()
    assert main(arguments) == 0
    assert time.process_time() - start < 2
    assert not Path("PWNED").exists()
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith(f"{place}: warning: ") and line.endswith("[name-control]") for line in lines)


def _generate(options: list[str]) -> str:
    """Return the CRD of a kind with a field for each option."""
    fields = "".join(f"  optional string f{index} = {index + 1} [{option}];\n" for index, option in enumerate(options))
    resource = 'option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1"]};'
    head = "".join(f'import "{item}";\n' for item in IMPORTS)
    Path("api.proto").write_text(f'syntax = "proto3";\npackage a;\n{head}message Thing {{\n  {resource}\n{fields}}}\n')
    includes = [argument for folder in INCLUDES for argument in ("--import-path", str(folder))]
    assert main(["generate", "api.proto", "--import-path", ".", *includes, "--out", "out"]) == 0
    return Path("out/acme.example_things.yaml").read_text()


def _accepts(validator: Validator, field: int, value: str) -> bool:
    thing: dict[str, Any] = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}}
    return all(verdict.accepted for verdict in validator.validate({**thing, "spec": {f"f{field}": value}}))


@pytest.mark.parametrize("vocabulary", ["validate.rules", "buf.validate.field"])
@pytest.mark.parametrize("rule", RULES)
def test_a_string_in_a_rule_means_itself(vocabulary: str, rule: str) -> None:
    options = [f"({vocabulary}).string.{rule.format(proto_string(string))}" for string in STRINGS]
    validator = Validator([load_yaml(_generate(options))])
    for field, own in enumerate(STRINGS):
        assert (_accepts(validator, field, own), _accepts(validator, field, "zz")) == RULES[rule], own


@pytest.mark.parametrize("option", TEXTS)
def test_a_string_in_an_option_stays_a_string(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    harmless = _generate([option.format(proto_string(HARMLESS))] * len(STRINGS))
    crd = _generate([option.format(proto_string(string)) for string in STRINGS])
    assert yaml_tree(crd) == yaml_tree(harmless)
    assert counted(capsys.readouterr().err) == {}


@pytest.mark.parametrize("rule", RULES)
def test_a_line_break_that_yaml_replaces_is_an_error(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AssertionError):
        _generate([f"(validate.rules).string.{rule.format(proto_string('a' + chr(0x85)))}"])
    assert "contains U+0085, which YAML reads as a line break" in capsys.readouterr().err
