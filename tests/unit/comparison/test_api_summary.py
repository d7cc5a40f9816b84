"""Summaries of releases: round trip, and rejection of other input."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from protoc_gen_crd.comparison.api_summary import ApiSummary, format_summary, parse_summary

_FIELDS = {
    "spec": {"type": "object", "x-kubernetes-validations": [{"rule": "has(self.kind)"}]},
    "spec.kind": {"enum": ["A", "B"], "deprecatedValues": ["B"], "channelValues": {"A": "beta"}, "required": True},
}
_VERSION = {"facts": {"served": True}, "root": {"scale": {"specReplicasPath": ".spec.a"}}, "fields": _FIELDS}
_PLAIN = {
    "format": 1,
    "kinds": {"acme.example/Thing": {"facts": {"plural": "things"}, "versions": {"v1": _VERSION}}},
}


_KNOWN = parse_summary(json.dumps(_PLAIN))


@pytest.mark.parametrize("known", [None, _KNOWN])
def test_round_trip(known: ApiSummary | None) -> None:
    assert json.loads(format_summary(parse_summary(json.dumps(_PLAIN), known))) == _PLAIN


def test_equal_facts_of_a_known_summary_are_shared() -> None:
    plain = copy.deepcopy(_PLAIN)
    version: Any = plain["kinds"]["acme.example/Thing"]["versions"]["v1"]  # type: ignore[index]
    version["fields"] |= {"spec.kind": {"enum": ["A"]}, "spec.new": {"type": "string"}}
    fields = parse_summary(json.dumps(plain), _KNOWN)["acme.example/Thing"].versions["v1"].fields
    assert fields["spec"] is _KNOWN["acme.example/Thing"].versions["v1"].fields["spec"]
    assert fields == version["fields"]


@pytest.mark.parametrize("known", [None, _KNOWN])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("fields",), []),
        (("fields", "spec"), 7),
        (("fields", "spec", "type"), ["object"]),
        (("fields", "spec", "x-kubernetes-validations"), [{"rule": {}}]),
        (("fields", "spec.kind", "enum"), "A"),
        (("fields", "spec.kind", "channelValues"), ["A"]),
        (("fields", "spec.kind", "required"), ["a"]),
        (("facts",), "served"),
        (("facts",), None),
        (("facts", "served"), None),
        (("root",), None),
        (("fields", "spec"), None),
        (("fields", "spec.kind", "enum"), None),
        (("fields", "spec.kind", "deprecatedValues"), [None]),
        (("fields", "spec.kind", "channelValues"), {"A": None}),
        (("fields", "spec", "oneOf"), [None]),
        (("fields", "spec", "allOf"), [{"oneOf": None}]),
        (("fields", "spec", "not"), {"anyOf": [{"not": None}]}),
        (("fields", "spec", "x-kubernetes-validations"), [{"rule": None}]),
        (("root", "scale"), ".spec.a"),
    ],
)
def test_member_of_another_type_is_rejected(path: tuple[str, ...], value: object, known: ApiSummary | None) -> None:
    plain = copy.deepcopy(_PLAIN)
    parent: Any = plain["kinds"]["acme.example/Thing"]["versions"]["v1"]  # type: ignore[index]
    for name in path[:-1]:
        parent = parent[name]
    parent[path[-1]] = value
    with pytest.raises(ValueError, match=r"cannot unmarshal|all its members"):
        parse_summary(json.dumps(plain), known)


@pytest.mark.parametrize("facts", [{"enum": [None]}, {"default": {"a": [None]}}])
def test_null_in_a_value_is_part_of_it(facts: dict[str, object]) -> None:
    plain = copy.deepcopy(_PLAIN)
    version: Any = plain["kinds"]["acme.example/Thing"]["versions"]["v1"]  # type: ignore[index]
    version["fields"]["spec.kind"] = facts
    assert parse_summary(json.dumps(plain))["acme.example/Thing"].versions["v1"].fields["spec.kind"] == facts


@pytest.mark.parametrize("name", ["default", "unknownFact"])
def test_null_of_any_type_counts_as_absent(name: str) -> None:
    plain = copy.deepcopy(_PLAIN)
    version: Any = plain["kinds"]["acme.example/Thing"]["versions"]["v1"]  # type: ignore[index]
    version["fields"]["spec.kind"] = {"type": "string", name: None}
    fields = parse_summary(json.dumps(plain))["acme.example/Thing"].versions["v1"].fields
    assert fields["spec.kind"] == {"type": "string"}
