"""Costs of policies: suggested bounds, checked by evaluation with the largest objects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DYN
from protoc_gen_crd.cel.interpreter.program import Program, make_program
from protoc_gen_crd.cel.values.runtime_values import Map
from protoc_gen_crd.kubernetes.api_server_limits import CALL_COST
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from tests.support import plugin
from tests.support.yaml_data import load_yaml_stream

API = """
syntax = "proto3";
package a.v1;
import "protoc_gen_crd/v1/options.proto";
message Widget {{
  option (protoc_gen_crd.v1.resource).group = "a.example";
  {field}
}}
message Part {{
  {below}
}}
message Inner {{
  string weight = 1 [{name}(protoc_gen_crd.v1.field).channel = "extended"];
}}
"""
LIST, MAP = "repeated Inner parts = 1;", "map<string, Inner> parts = 1;"


def generated(folder: Path, field: str, below: str, name: str) -> dict[str, str]:
    (folder / "api.proto").write_text(API.format(field=field, below=below, name=name))
    return plugin.run(plugin.compiled(folder), "channel=stable", folder=folder)


def cost(expression: str, new: Any, old: Any) -> int:
    """Return the runtime cost of an update of spec.parts."""
    within = environment.get_new_environment(NEWEST)
    checked = compile_text(expression, within, {"object": DYN, "oldObject": DYN})
    assert isinstance(checked, CheckedAst)
    program = make_program(checked, within, ("object", "oldObject"))
    assert isinstance(program, Program)
    values = {"object": of({"spec": {"parts": new}}), "oldObject": of({"spec": {"parts": old}})}
    return program.evaluate(values, 100 * CALL_COST).cost


def of(plain: Any) -> Any:
    if isinstance(plain, dict):
        return Map.from_pairs([(key, of(value)) for key, value in plain.items()])
    return [of(item) for item in plain] if isinstance(plain, list) else plain


def parts(count: int, mapped: tuple[bool, ...], last: dict[str, str]) -> Any:
    """Return nested lists and maps of this size, of which the last item optionally uses the field."""
    if not mapped:
        return last
    item, end = (parts(count, mapped[1:], item) for item in ({}, last))
    if len(mapped) > 1:
        item, end = {"parts": item}, {"parts": end}
    values = [*[item] * (count - 1), end]
    return {f"k{number}": value for number, value in enumerate(values)} if mapped[0] else values


@pytest.mark.parametrize(
    ("field", "below", "mapped", "name"),
    [
        (LIST, "", (False,), ""),
        (LIST, "", (False,), 'json_name = "a-b", '),
        (MAP, "", (True,), ""),
        ("repeated Part parts = 1;", MAP, (False, True), ""),
    ],
)
def test_advised_bounds_fit(field: str, below: str, mapped: tuple[bool, ...], name: str, tmp_path: Path) -> None:
    files = generated(tmp_path, field, below, name)
    hint = re.search(r"hint: set (.*)", files["warnings.txt"])
    assert "[channel-cost]" in files["warnings.txt"]
    assert hint is not None
    most = int(re.findall("[0-9][0-9,]*", hint[1])[-1].replace(",", ""))
    (policy, _) = load_yaml_stream(files["a.example_widgets.stable.yaml"])
    new, old = (parts(most, mapped, last) for last in ({"a-b" if name else "weight": "a"}, {}))
    charged = cost(policy["spec"]["validations"][0]["expression"], new, old)
    assert CALL_COST * (0.4 if name else 0.85) < charged <= CALL_COST


def test_a_policy_within_the_limit_has_no_finding(tmp_path: Path) -> None:
    field = "repeated Inner parts = 1 [(protoc_gen_crd.v1.field).max_items = 40000];"
    assert "warnings.txt" not in generated(tmp_path, field, "", "")


def test_bounds_that_do_not_suffice_are_to_be_lowered(tmp_path: Path) -> None:
    field = "repeated Inner parts = 1 [(protoc_gen_crd.v1.field).max_items = 500000];"
    assert re.search(
        r"hint: set max_items of spec.parts to [0-9,]+\n", generated(tmp_path, field, "", "")["warnings.txt"]
    )


def test_a_policy_as_a_whole(tmp_path: Path) -> None:
    fields = "".join(f'string f{n} = {n} [(protoc_gen_crd.v1.field).channel = "extended"];' for n in range(1, 30))
    text = generated(tmp_path, "repeated Part parts = 1 [(protoc_gen_crd.v1.field).max_items = 40000];", fields, "")
    assert "error: " not in text["warnings.txt"]
    assert text["warnings.txt"].count("[channel-cost]") == 1
    assert "policy of Widget costs up to " in text["warnings.txt"]
