"""The cases of testdata/vocabularies: options of other vocabularies, and values that servers accept or reject.

The cases of a file become resources of one .proto file, which is compiled and validated once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from protoc_gen_crd.findings.finding import Finding, Problems, Severity
from protoc_gen_crd.library import Validator
from protoc_gen_crd.pipeline import generate_files
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT
from tests.support.plugin import INCLUDE
from tests.support.yaml_data import load_yaml

FOLDER = ROOT / "testdata" / "vocabularies"
_HEAD = """syntax = "proto3";
package cases.v1;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "protoc_gen_crd/v1/options.proto";
%s
enum Color { RED = 0; GREEN = 1; BLUE = 2; }
message Part { string name = 1; int32 size = 2; }
"""
_RESOURCE = 'option (protoc_gen_crd.v1.resource) = {group: "case.example" kind: "%s" plural: "%ss" versions: "v1"};'


@dataclass(frozen=True)
class Case:
    """One case: the body of a message, and specs that servers accept or reject; `finds` are ids of findings."""

    file: str
    name: str
    row: str
    body: str
    good: tuple[Any, ...]
    bad: tuple[Any, ...]
    updates: tuple[tuple[Any, Any], ...]
    finds: tuple[str, ...]
    whole: bool  # specs are whole objects without the fields that all objects have
    declared: str  # declaration of the message as a resource
    declarations: str
    differs: str  # reason why the vocabulary's own implementation has another result

    @property
    def id(self) -> str:
        return f"{self.file}-{self.name}-{self.row}"


def _specs(case: dict[str, Any], key: str) -> tuple[Any, ...]:
    values = case.get(key) or ()
    return tuple(values) if "body" in case else tuple({} if value is None else {"value": value} for value in values)


def _body(case: dict[str, Any]) -> str:
    return str(case["body"]) if "body" in case else f"{case['field']} value = 1 [{case['option']}];"


def _cases(path: Path) -> Iterator[Case]:
    content = load_yaml(path.read_text("utf-8"))
    number = 0
    for entry in content["cases"]:
        for kind in entry.get("kinds", [""]):
            name = f"Case{number}"
            words = {"KIND": kind, "SHORT": content.get("short", ""), "CASE": name, "LOWER": name.lower()}
            case = _replaced(entry, words)
            yield Case(
                path.stem,
                name,
                case["row"].partition(":")[0],
                _body(case),
                _specs(case, "good"),
                _specs(case, "bad"),
                tuple((old, new) for old, new in case.get("updates", ())),
                tuple(case.get("finds", ())),
                bool(case.get("whole")),
                _declared(case, name),
                case.get("declarations", ""),
                case.get("differs", ""),
            )
            number += 1


def _replaced(value: Any, words: dict[str, str]) -> Any:
    """Return a value with names replaced in all its strings."""
    if isinstance(value, dict):
        return {key: _replaced(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, words) for inner in value]
    if isinstance(value, str):
        for word, by in words.items():
            value = value.replace(word, by)
    return value


def _declared(case: dict[str, Any], name: str) -> str:
    """Return the native option, unless a vocabulary declares the resource, or its names."""
    if case.get("bare"):
        return ""
    return (
        'option (protoc_gen_crd.v1.resource).versions = "v1";'
        if case.get("plain")
        else _RESOURCE % (name, name.lower())
    )


@cache
def cases(file: str) -> tuple[Case, ...]:
    """The cases of a file."""
    return tuple(_cases(FOLDER / f"{file}.yaml"))


def files() -> list[str]:
    """The names of the files, one for each vocabulary."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def proto(file: str) -> str:
    """The cases of a file as one proto."""
    content = load_yaml((FOLDER / f"{file}.yaml").read_text("utf-8"))
    text = _HEAD % "\n".join(f'import "{name}";' for name in content["imports"])
    for case in cases(file):
        text += f"{case.declarations}\nmessage {case.name} {{\n  {case.declared}\n  {case.body}\n}}\n"
    return text


class Outcome:
    """The results of the cases of a file: a validator for each, and the findings."""

    def __init__(self, file: str, folder: Path) -> None:
        (folder / "cases.proto").write_text(proto(file), "utf-8")
        problems = Problems()
        request = compile_files({"cases.proto": str(folder / "cases.proto")}, [str(folder), str(INCLUDE)], problems)
        assert request.proto_file, [f"{finding.at}: {finding.message}" for finding in problems.findings]
        parsed = Request.from_message(request, problems)
        assert parsed is not None
        self._files = {
            output.name: output.text for output in generate_files(parsed, Settings(kubernetes="1.37"), problems)
        }
        self._findings = problems.findings
        self._validators: dict[str, Validator] = {}

    def findings(self, case: Case) -> list[Finding]:
        """Return the findings of a case."""
        owner = f"cases.v1.{case.name}"
        plural = f"{case.name.lower()}s.case.example"
        return [
            finding
            for finding in self._findings
            if finding.path in (owner, plural) or finding.path.startswith(f"{owner}.")
        ]

    def accepts(self, case: Case, spec: Any, old: Any = None) -> bool:
        """Return true if every Kubernetes version that has the functions accepts an object."""
        if case.name not in self._validators:
            crds = [load_yaml(text) for text in self._files.values() if f"kind: {case.name}\n" in text]
            assert crds, f"no CRD was made of {case.name}"
            self._validators[case.name] = Validator(crds, "1.32..1.37")
        return all(
            verdict.accepted
            for verdict in self._validators[case.name].validate(
                _object(case, spec), _object(case, old) if old else None
            )
        )


def _object(case: Case, spec: Any) -> dict[str, Any]:
    head = {"apiVersion": "case.example/v1", "kind": case.name, "metadata": {"name": "x", "namespace": "default"}}
    return {**head, **spec} if case.whole else {**head, "spec": spec}


def list_rule_ids(findings: list[Finding]) -> list[str]:
    """Return the rule ids of findings other than notes."""
    return sorted({finding.rule for finding in findings if finding.severity is not Severity.NOTE})
