"""JSON Schemas for editors accept what API servers accept, and reject the common mistakes."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft7Validator

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.objects.crd_handler import NotServedError, find_version
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.emit.editor_schema_keywords import is_portable
from protoc_gen_crd.emit.editor_schemas import make_editor_schemas, make_kind_schema
from tests.property.workloads.draws import draw_input, make_crd, make_version

SEEDS = 500


def _decode_crd(spec: dict[str, Any]) -> Crd:
    crd = decode(make_crd({**make_version("v1", spec), "storage": True})).crd
    assert crd is not None
    return crd


def _list_errors(spec: dict[str, Any], value: object, **members: object) -> list[str]:
    crd = _decode_crd(spec)
    obj = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": value, **members}
    return _validate(crd, obj)


def _validate(crd: Crd, obj: Mapping[str, Any]) -> list[str]:
    version = find_version(crd, obj)
    assert version is not None
    schema = make_kind_schema(crd, version)
    Draft7Validator.check_schema(schema)
    return [error.message for error in Draft7Validator(schema).iter_errors(obj)]


def _drop_nulls(value: Any) -> Any:
    """Nulls that servers drop before they validate; anyOf, oneOf and not still see them in an editor."""
    if isinstance(value, dict):
        return {key: _drop_nulls(member) for key, member in value.items() if member is not None}
    return [_drop_nulls(item) for item in value] if isinstance(value, list) else value


def _compare(server: AdmissionServer, seed: int) -> tuple[str, list[str]]:
    """The verdict of API servers on a random object, and the errors of the JSON Schema."""
    drawn = draw_input(seed)
    crds = [verdict.object for verdict in server.admit_data(drawn["crd"]) if verdict.accepted]
    if not crds or drawn.get("old") is not None or not isinstance(drawn["obj"], dict):
        return "", []
    obj = {key: _drop_nulls(member) for key, member in drawn["obj"].items() if key != "status"}
    try:
        verdicts = server.validate(crds[0], obj, None, status=False)
        errors = _validate(crds[0], obj)
    except (NotServedError, AssertionError):
        return "", []
    accepted = all(not verdict.causes and not verdict.unknown_fields for verdict in verdicts)
    return ("accepted" if accepted else "rejected"), errors


def test_objects_that_servers_accept_have_no_errors() -> None:
    server = AdmissionServer((37,), RuleCompiler())
    counts: Counter[tuple[str, bool]] = Counter()
    for seed in range(SEEDS):
        verdict, errors = _compare(server, seed)
        counts[verdict, not errors] += 1
        assert verdict != "accepted" or not errors, (seed, errors)
    assert counts["accepted", True] > SEEDS // 20, counts
    assert counts["rejected", False] > counts["rejected", True], counts


@pytest.mark.parametrize(
    ("spec", "value", "error"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, {"b": "x"}, "'b' was unexpected"),
        ({"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}}, {"a": "y"}, "'y' is not one of"),
        ({"type": "integer", "maximum": 3, "exclusiveMaximum": True}, 3, "3 is greater than or equal to"),
        ({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}, {}, "'a' is a required"),
        ({"type": "string", "pattern": "^a+$"}, "b", "'b' does not match"),
        ({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}, ["a", "a"], "non-unique"),
        ({"x-kubernetes-int-or-string": True}, True, "True is not of type"),
    ],
)
def test_a_mistake_is_an_error(spec: dict[str, Any], value: object, error: str) -> None:
    (message,) = _list_errors(spec, value)
    assert error in message


def test_the_api_version_selects_the_schema() -> None:
    (message,) = _list_errors({"type": "object"}, {}, other=1)
    assert "'other' was unexpected" in message


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        # a required field with a default
        ({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "default": "x"}}}, {}),
        # a null that servers drop
        ({"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}}, {"a": None}),
        ({"type": "object", "properties": {"a": {"type": "string", "not": {"enum": ["x"]}}}}, {"a": None}),
        # oneOf reads a field that a default sets
        (
            {
                "type": "object",
                "properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "string"}},
                "oneOf": [{"properties": {"a": {"enum": ["x"]}}}, {"required": ["b"]}],
            },
            {"b": "y"},
        ),
        # formats that JSON Schema validators check more strictly
        ({"type": "string", "format": "uri"}, "/path"),
        ({"type": "string", "format": "date-time"}, "2026-01-02T03:04:05"),
    ],
)
def test_what_servers_accept_after_defaulting_is_no_error(spec: dict[str, Any], value: object) -> None:
    assert not _list_errors(spec, value)


def test_descriptions_contain_the_rules() -> None:
    rule = {"rule": "self.size() > 1", "message": "must be long"}
    crd = _decode_crd({"type": "string", "description": "A name.", "x-kubernetes-validations": [rule]})
    (file,) = make_editor_schemas([crd])
    assert file.name == "example.com/thing_v1.json"
    assert json.loads(file.text)["properties"]["spec"]["description"] == "A name.\n\nRules:\n- must be long"


@pytest.mark.parametrize(
    ("pattern", "portable"),
    [
        (r"^[a-z]([-a-z0-9]*[a-z0-9])?$", True),
        (r"^\d+\.\d+$", True),
        (r"^(?:a|b)\\z$", True),
        (r"(?i)abc", False),
        (r"abc\z", False),
        (r"[[:alpha:]]", False),
        (r"(?P<name>a)", False),
        (r"\pL", False),
        (r"[]a]", False),
    ],
)
def test_patterns_that_javascript_reads_differently_are_left_out(pattern: str, portable: bool) -> None:
    assert is_portable(pattern) is portable


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("Name of the room.\n\nDeprecated.", "This field is deprecated."),
        ("Deprecated.", "This field is deprecated."),
        (
            "Name of the room.\n\nDeprecated: use `place`.\nIt is gone in v2.",
            "Deprecated: use `place`.\nIt is gone in v2.",
        ),
        (
            "Deprecated in favor of `place`.\n\nName of the room.",
            "Deprecated in favor of `place`.\n\nName of the room.",
        ),
        ("Name of the room.", None),
    ],
)
def test_the_deprecation_message_is_the_deprecated_part_of_a_description(description: str, message: str | None) -> None:
    room = {"type": "string", "description": description}
    crd = _decode_crd({"type": "object", "properties": {"room": room}})
    schema = make_kind_schema(crd, crd.versions[0])
    encoded = schema["properties"]["spec"]["properties"]["room"]
    assert encoded.get("deprecationMessage") == message
