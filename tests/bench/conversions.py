"""How many objects of 2 KB a generated module converts in a second, with ten steps and with three of CEL."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings

_SECONDS = 0.5
_ROUNDS = 5
_RENAMED = ("alpha", "beta", "gamma", "delta")


def api(cel: int) -> str:
    """Four renames, two moves, a default, an enum by a table, a list of one item, renamed fields of items."""
    fields = [f"string {name} = {at} [{_until}];" for at, name in enumerate(_RENAMED, 1)]
    fields += [
        f'string new_{name} = {at} [{_FIELD} = {{since: "v2" conversion: {{renamed_from: "{name}"}}}}];'
        for at, name in enumerate(_RENAMED, 11)
    ]
    fields += [_moved.format(name=name, at=at) for at, name in ((21, "first"), (22, "last"))]
    fields += [f"string text{at} = {at};" for at in range(40, 60)]
    fields += [
        f'int64 size{at} = {60 + at} [(protoc_gen_crd.v1.field) = {{since: "v2" conversion: {{'
        f'renamed_from: "long{at}" cel: {{from: "self + 1" to: "self - 1"}}}}}}];\n'
        f"int64 long{at} = {70 + at} [{_until}];"
        for at in range(cel)
    ]
    return _HEAD + "\n".join(fields) + _REST


_until = '(protoc_gen_crd.v1.field).until = "v1"'
_FIELD = "(protoc_gen_crd.v1.field)"
_moved = """string {name} = {at} [(protoc_gen_crd.v1.field) = {{
  until: "v1" conversion: {{moved_from: "spec.name.{name}"}}
}}];"""
_HEAD = """syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";
message Machine {
option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2"] storage_version: "v2"};
"""
_REST = """
Name name = 30 [(protoc_gen_crd.v1.field).since = "v2"];
string mode = 31 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {default: "auto"}}];
string size = 32 [(protoc_gen_crd.v1.field) = {until: "v1" enum: "S" enum: "L"}];
string dimension = 33 [(protoc_gen_crd.v1.field) = {since: "v2" enum: "SMALL" enum: "LARGE"
  conversion: {renamed_from: "size" values: {there: "S" here: "SMALL"} values: {there: "L" here: "LARGE"}}}];
string host = 34 [(protoc_gen_crd.v1.field).until = "v1"];
repeated string hosts = 35 [(protoc_gen_crd.v1.field) = {
  since: "v2" conversion: {renamed_from: "host" one_item: true}
}];
repeated Port ports = 36;
}
message Name { string first = 1; string last = 2; }
message Port {
string label = 1 [(protoc_gen_crd.v1.field).until = "v1"];
string name = 2 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {renamed_from: "label"}}];
int32 number = 3;
string note = 4;
}
"""


def sample(cel: int) -> dict[str, Any]:
    spec: dict[str, Any] = {name: f"value of {name}" for name in (*_RENAMED, "first", "last")}
    spec |= {f"text{at}": f"some text of the field {at}, for the sake of its size" for at in range(40, 60)}
    spec |= {"size": "L", "host": "a.example", **{f"long{at}": at for at in range(cel)}}
    spec["ports"] = [{"label": f"port-{at}", "number": at, "note": "a note on the port"} for at in range(5)]
    metadata = {"name": "machine", "namespace": "default", "uid": "0c5f9a0e-5d5c-4c8f-a2bb-2f3a6ff0a7c1"}
    return {"apiVersion": "acme.example/v1", "kind": "Machine", "metadata": metadata, "spec": spec}


def conversions(folder: Path) -> Iterator[tuple[str, float, float, float]]:
    """What is measured: its name, a second's count, the least that it must be, and the goal."""
    for cel, least, goal in ((0, 15_000, 40_000), (3, 3_000, 8_000)):
        (folder / "api.proto").write_text(api(cel))
        (crd,) = generate_crds([str(folder)], Settings(), {}, Problems())
        problems = Problems()
        plan = build_plan(crd, problems)
        assert plan is not None
        assert problems.findings == []
        convert = load_converter(plan)
        old = sample(cel)
        new = convert(old, "v2")
        size = len(json.dumps(old))
        assert 1_900 < size < 2_400, size
        assert convert(new, "v1") == old
        for what, obj, version in ((f"{10 + cel} steps up", old, "v2"), (f"{10 + cel} steps down", new, "v1")):
            rates = sorted(_rate(convert, obj, version) for _ in range(_ROUNDS))
            yield f"convert, {what}", rates[_ROUNDS // 2], least, goal
        if not cel:
            start = time.process_time()
            assert not any(proof.violations for proof in Prover(1_000, 0).prove(plan, convert))
            yield "prove, 2,000 a pair, seconds", time.process_time() - start, 1.6, 1.0


def _rate(convert: Any, obj: dict[str, Any], version: str) -> float:
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < _SECONDS:
        for _ in range(100):
            convert(obj, version)
        count += 100
    return count / spent
