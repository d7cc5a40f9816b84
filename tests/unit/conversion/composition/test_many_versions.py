"""Kinds with many versions: fields are not traced through pairs of versions that declare nothing about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.composition import version_graph
from protoc_gen_crd.conversion.composition.declared_links import DeclaredLinks
from protoc_gen_crd.conversion.composition.direct_conversions import DirectConversions
from protoc_gen_crd.conversion.composition.field_reach import FieldReach
from protoc_gen_crd.conversion.plan.plan import Plan, VersionPair
from protoc_gen_crd.conversion.plan_builder import Direct, build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleFile
from protoc_gen_crd.conversion.rule_files.rule_derivation import derive_pair
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.settings.settings import Settings
from tests.support.conversion import Case, cases

CASES = cases()
PROTO = """syntax = "proto3";
package example.v1;
import "protoc_gen_crd/v1/options.proto";
message Widget {{
  option (protoc_gen_crd.v1.resource) = {{group: "example.io" storage_version: "{hub}" versions: [{versions}]}};
{fields}}}
"""


def widget(folder: Path, count: int, hub: int, option: str) -> Crd:
    """Return a CRD with a new field in each version."""
    fields = [
        f'  string f{at} = {at} [(protoc_gen_crd.v1.field) = {{since: "v{at}" {option if at > 1 else ""}}}];\n'
        for at in range(1, count + 1)
    ]
    versions = ", ".join(f'"v{at}"' for at in range(1, count + 1))
    text = PROTO.format(hub=f"v{hub}", versions=versions, fields="".join(fields))
    (folder / f"{count}").mkdir(exist_ok=True)
    (folder / f"{count}" / "a.proto").write_text(text, "utf-8")
    (crd,) = generate_crds([str(folder / f"{count}")], Settings(), {}, Problems())
    return crd


@pytest.mark.parametrize("option", ["", "conversion: {preserved: true}"])
@pytest.mark.parametrize("is_oldest", [True, False])
def test_pairs_grow_with_versions(
    option: str, is_oldest: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    derived: list[tuple[str, str]] = []

    def derive(names: tuple[str, str], *rest: Any) -> VersionPair:
        derived.append(names)
        return derive_pair(names, *rest)

    monkeypatch.setattr(version_graph, "derive_pair", derive)
    for count in (6, 12):
        crd = widget(tmp_path, count, 1 if is_oldest else count, option)
        derived.clear()
        build_plan(crd, Problems(), direct=Direct.NONE)
        assert len(derived) < 2 * count  # those of the hub, and those of neighbors


def test_an_object_with_data_of_another_hub_needs_few_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    derived: set[frozenset[str]] = set()
    find = DirectConversions._find

    def find_pair(self: DirectConversions, spoke: str, other: str) -> Any:
        derived.add(frozenset((spoke, other)))
        return find(self, spoke, other)

    count = 12
    crds = [widget(tmp_path, count, hub, "conversion: {preserved: true}") for hub in (1, count)]
    plans = [build_plan(crd, Problems(), direct=Direct.ON_DEMAND) for crd in crds]
    converters = [load_converter(plan) for plan in plans if plan is not None]
    obj = {"apiVersion": "example.io/v8", "kind": "Widget", "spec": {"f1": "a", "f4": "b", "f8": "c"}}
    moved = converters[0](obj, "v4")
    monkeypatch.setattr(DirectConversions, "_find", find_pair)
    result = converters[1](moved, "v8")
    assert result["spec"] == obj["spec"]
    assert 0 < len(derived) < count


@pytest.mark.parametrize("case", [case for case in CASES if "versions" in case.name or case.name.startswith("chains")])
def test_skipped_pairs_and_traces_lead_nowhere(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [case.rules] if case.rules else []
    for crd in (case.crd.replace(hub=version.name) for version in case.crd.versions):
        with monkeypatch.context() as patches:
            patches.setattr(DeclaredLinks, "select_versions", lambda *arguments: arguments[-1])
            patches.setattr(FieldReach, "can_reach", lambda *_: True)
            expected = [plan(crd, []), plan(crd, rules)]
        assert [plan(crd, []), plan(crd, rules)] == expected


def plan(crd: Crd, rules: list[RuleFile]) -> tuple[Plan | None, list[Finding]]:
    """Return the plan of a CRD and its findings."""
    problems = Problems()
    return build_plan(crd, problems, rules), problems.findings
