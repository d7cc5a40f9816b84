"""Records of groups and of protos that lack members, or have others than a recording writes."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from protoc_gen_crd.comparison.api_summary import parse_summary
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.comparison.groups.group_api import parse_groups
from protoc_gen_crd.comparison.protos.proto_summary import ProtoType, parse_protos
from protoc_gen_crd.comparison.protos.service_comparison import compare_services
from tests.conftest import ROOT

_FIELD = {"number": 1, "type": "int64"}
_PROTOS: Any = {
    "format": 1,
    "files": {"a.proto": {"package": "a", "syntax": "proto3"}},
    "messages": {"a.M": {"file": "a.proto", "fields": {"f": _FIELD}}},
    "enums": {"a.E": {"file": "a.proto", "values": {"A": {"number": 0}}}},
    "services": {"a.S": {"file": "a.proto", "methods": {"R": {"request": "a.M", "response": "a.M"}}}},
    "kinds": {"a.example/M.v1": {"spec": "a.M"}},
}
_ENUM = {"element": "enum", "enum": ["A"], "numbers": [0], "uses": ["request"]}
_RPC = {"element": "RPC", "request": "M", "response": "M", "streams": ["response"]}
_GROUP_FIELDS = {"S": {"element": "service"}, "S.R": _RPC, "M": {"element": "message"}, "M.f": _FIELD, "E": _ENUM}
_GROUPS: Any = {
    "format": 1,
    "kinds": {"work": {"facts": {}, "versions": {"v1": {"facts": {}, "fields": _GROUP_FIELDS}}}},
}


def _change(plain: Any, path: str, value: object = None) -> str:
    """Return a record without a member, or with another value."""
    changed = copy.deepcopy(plain)
    parent = changed
    *parents, last = path.split("/")
    for name in parents:
        parent = parent[name]
    if value is None:
        del parent[last]
    else:
        parent[last] = value
    return json.dumps(changed)


def test_complete_records_are_read() -> None:
    assert parse_protos(json.dumps(_PROTOS)).types["a.M"].members == {"f": _FIELD}
    assert parse_protos(json.dumps(_PROTOS)).kinds == _PROTOS["kinds"]
    assert parse_protos(_change(_PROTOS, "kinds")).kinds == {}  # of an older version of this tool
    assert parse_groups(json.dumps(_GROUPS))["work"].versions["v1"].fields == _GROUP_FIELDS
    for record in sorted(ROOT.glob("testdata/history/*/expected/history/*/protos.json")):
        assert parse_protos(record.read_text()).files


@pytest.mark.parametrize(
    "path",
    [
        "format", "files", "messages", "enums", "files/a.proto/package", "files/a.proto/syntax", "messages/a.M/file",
        "messages/a.M/fields", "messages/a.M/fields/f/number", "messages/a.M/fields/f/type", "enums/a.E/file",
        "enums/a.E/values", "enums/a.E/values/A/number", "services/a.S/file", "services/a.S/methods",
        "services/a.S/methods/R/request", "services/a.S/methods/R/response",
    ],
)  # fmt: skip
def test_protos_without_a_member_are_rejected(path: str) -> None:
    with pytest.raises(ValueError, match=rf"missing field '{path.rpartition('/')[2]}'"):
        parse_protos(_change(_PROTOS, path))


@pytest.mark.parametrize("path", ["S.R/request", "S.R/response", "M.f/number", "M.f/type", "E/enum", "E/numbers"])
def test_groups_without_a_member_are_rejected(path: str) -> None:
    with pytest.raises(ValueError, match=rf"missing field '{path.rpartition('/')[2]}'"):
        parse_groups(_change(_GROUPS, f"kinds/work/versions/v1/fields/{path}"))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("E/numbers", [0, 1], "an enum has not as many numbers as values"),
        ("S.R/policy", {"months": -1}, "cannot unmarshal number -1"),
        ("S.R/policy", {"releases": 2**32}, "cannot unmarshal number 4294967296"),
        ("S.R/oneOf", 5, "cannot unmarshal number"),
        ("S.R/streams", ["both"], 'an RPC streams neither requests nor responses, but "both"'),
    ],
)
def test_elements_that_no_recording_writes_are_rejected(path: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_groups(_change(_GROUPS, f"kinds/work/versions/v1/fields/{path}", value))


@pytest.mark.parametrize(("name", "value"), [("deprecated", True), ("deprecatedValues", ["A"]), ("channel", "beta")])
def test_facts_of_other_elements_at_a_kind_are_rejected(name: str, value: object) -> None:
    for parse, kind in ((parse_groups, "work"), (parse_summary, "acme.example/Thing")):
        plain = {"format": 1, "kinds": {kind: {"facts": {name: value}, "versions": {}}}}
        with pytest.raises(ValueError, match=f'a kind has the fact "{name}" of another element'):
            parse(json.dumps(plain))


def test_kinds_and_groups_are_not_confused() -> None:
    with pytest.raises(ValueError, match='"work" is not the name of a kind'):
        parse_summary(json.dumps(_GROUPS))
    kinds = {"acme.example/Thing": _GROUPS["kinds"]["work"]}
    with pytest.raises(ValueError, match=r'"acme\.example/Thing" is not the name of an API group'):
        parse_groups(_change(_GROUPS, "kinds", kinds))


@pytest.mark.parametrize(
    ("old", "new", "change_class"),
    [
        ("IDEMPOTENT", "SAFE", ChangeClass.SEMANTIC),
        ("SAFE", "IDEMPOTENT", ChangeClass.LOOSEN),
        ("SAFE", "IDEMPOTENCY_UNKNOWN", ChangeClass.LOOSEN),
    ],
)
def test_unknown_idempotency_promises_nothing(old: str, new: str, change_class: ChangeClass) -> None:
    method = {"request": "a.M", "response": "a.M"}
    before, after = (ProtoType("service", {}, {"R": {**method, "idempotency": level}}) for level in (old, new))
    ((_, difference),) = compare_services(before, after, str)
    assert difference.change_class == change_class
