"""Findings about CRDs and rule files name both versions, and their hints use YAML."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from tests.support.conversion import crd, fields, listed, rules

Json = dict[str, Any]
STRING: Json = {"type": "string"}
STRINGS: Json = {"type": "array", "items": STRING}
EMPTY: tuple[tuple[str, str, list[Json]], ...] = (("v1", "v2", []), ("v2", "v1", []))


def find_problems(kind: Json, conversion: Json) -> list[Finding]:
    """Return the findings on a CRD and a rule file."""
    problems = Problems()
    known = decode(kind, lambda _: Location("crd.yaml", 1)).crd
    assert known is not None
    file = RuleReader(lambda _: Location("rules.yaml", 1), problems).read(conversion)
    build_plan(known, problems, [file.replace(name=known.name)])
    return problems.findings


NAMED = {"type": "object", "additionalProperties": fields(a=STRING)}
TO_LIST = {"field": "spec.m[key]", "destination": "spec.m[]", "transformation": {"id": "key"}}
TO_MAP = {"field": "spec.m[]", "destination": "spec.m[key]", "key": "self.id"}
CASES: list[tuple[Json, Json, Json, str]] = [
    (
        fields(a=STRINGS),
        fields(a=listed(b=STRING)),
        rules(*EMPTY),
        (
            'compute the value in a rule of each direction: {field: "spec.a", destination: "spec.a", transformation: '
            'CEL}, or its items, "spec.a[i]" and "spec.a[]"'
        ),
    ),
    (
        fields(a={**STRING, "enum": ["A", "B"]}),
        fields(a={**STRING, "enum": ["B"]}),
        rules(*EMPTY),
        "compute the value in a rule of each direction: transformation: \"self == 'A' ? 'B' : self\"",
    ),
    (
        fields(a=STRING),
        fields(a=STRING) | {"required": ["a"]},
        rules(*EMPTY),
        (
            'add a rule with a default, {field: "spec.a", destination: "spec.a", default: ...}, and a rule back, or '
            "require its source fields"
        ),
    ),
    (
        fields(m=NAMED),
        fields(m=listed(id=STRING, a=STRING)),
        rules(("v1", "v2", [TO_LIST]), ("v2", "v1", [TO_MAP])),
        "add x-kubernetes-list-type: map and x-kubernetes-list-map-keys: [id] to the list",
    ),
    (
        fields(a={**STRING, "format": "password"}),
        fields(),
        rules(*EMPTY, preserve=["spec.a"]),
        'add a field for it to v2, or name it in "drop": annotations are not secret',
    ),
]


@pytest.mark.parametrize(("old", "new", "conversion", "hint"), CASES, ids=[case[-1][:30] for case in CASES])
def test_hints_use_yaml(old: Json, new: Json, conversion: Json, hint: str) -> None:
    hints = [finding.hint for finding in find_problems(crd(v1=old, v2=new), conversion)]
    assert hint in hints
    assert not any("conversion {" in hint or "+list" in hint or "_from" in hint for hint in hints)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            STRINGS,
            listed(b=STRING),
            'cannot convert between "spec.a" (list of strings) of v1 and "spec.a" (list of objects) of v2',
        ),
        ({"type": "number"}, {"type": "integer"}, 'cannot convert "spec.a" (number) of v1 to "spec.a" (integer) of v2'),
        (
            {"type": "object", "additionalProperties": STRINGS},
            {"type": "object", "additionalProperties": STRING},
            'cannot convert between "spec.a" (map of lists of strings) of v1 and "spec.a" (map of strings) of v2',
        ),
    ],
)
def test_type_errors_name_the_direction_and_the_difference(old: Json, new: Json, message: str) -> None:
    problems = find_problems(crd(v1=fields(a=old), v2=fields(a=new)), rules(*EMPTY))
    assert message in [finding.message for finding in problems]


FIRST = {"field": "spec.names[0]", "destination": "spec.name"}
PICKED = {"field": "spec.sizes['x']", "destination": "spec.size"}


@pytest.mark.parametrize("member", ["preserve", "drop"])
@pytest.mark.parametrize(
    ("old", "path", "rule", "value"),
    [
        (fields(names=STRINGS), "spec.names[]", FIRST, {"names": ["a", "b"]}),
        (
            fields(sizes={"type": "object", "additionalProperties": STRING}),
            "spec.sizes[key]",
            PICKED,
            {"sizes": {"x": "a", "y": "b"}},
        ),
    ],
)
def test_lists_and_maps_are_kept_by_the_path_of_their_items(
    old: Json, path: str, rule: Json, value: Json, member: str
) -> None:
    target = rule["destination"]
    kind = crd(v1=old, v2=fields(**{target.rpartition(".")[2]: STRING}))
    conversion = rules(("v1", "v2", [rule]), ("v2", "v1", []))
    conversion["spec"]["conversions"][1]["drop"] = [target]
    assert f'field "{path}" of v1 has no counterpart in v2 and would be lost' in [
        finding.message for finding in find_problems(kind, conversion)
    ]
    conversion["spec"]["conversions"][0][member] = [path]
    convert = Converter(kind, conversion)
    result = convert.convert({"apiVersion": "acme.example/v1", "kind": "Thing", "spec": value}, "v2")
    assert result["spec"] == {target.rpartition(".")[2]: "a"}
    assert convert.convert(result, "v1")["spec"] == (value if member == "preserve" else {})
