"""Messages that several kinds of a package share are in a file of the package."""

from __future__ import annotations

import re
from typing import Any

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.importer.crd_import import import_crds
from protoc_gen_crd.importer.structure_keys import StructureKeys
from tests.support.imports import import_equal, make_crd

Json = dict[str, Any]
_STRING: Json = {"type": "string"}
_PORT: Json = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "protocol": {**_STRING, "enum": ["TCP", "UDP"]}},
}
_OTHER_PORT: Json = {"type": "object", "properties": {"number": _STRING}}


def _list_messages(text: str) -> list[str]:
    return re.findall(r"message (\w+)", text)


def test_kinds_share_equal_messages() -> None:
    files = import_equal(make_crd("Server", {"port": _PORT}), make_crd("Proxy", {"port": _PORT, "target": _STRING}))
    assert _list_messages(files["example/acme/v1/shared_types.proto"]) == ["Port"]
    assert _list_messages(files["example/acme/v1/server.proto"]) == ["Server", "Spec"]
    assert 'import "example/acme/v1/shared_types.proto";' in files["example/acme/v1/proxy.proto"]


def test_a_shared_spec_has_the_name_of_the_shortest_kind() -> None:
    files = import_equal(make_crd("ClusterIssuer", {"port": _PORT}), make_crd("Issuer", {"port": _PORT}))
    assert _list_messages(files["example/acme/v1/shared_types.proto"]) == ["IssuerSpec", "Port"]
    assert "IssuerSpec spec = 1;" in files["example/acme/v1/clusterissuer.proto"]


def test_different_messages_are_not_shared() -> None:
    files = import_equal(
        make_crd("Server", {"port": _PORT}),
        make_crd("Proxy", {"port": _OTHER_PORT}),
        make_crd("Gate", {"port": {**_PORT, "properties": {**_PORT["properties"], "number": {"type": "number"}}}}),
        make_crd("Guard", {"port": _PORT}, "v2"),
    )
    assert set(files) == {f"example/acme/{name}.proto" for name in ("v1/server", "v1/proxy", "v1/gate", "v2/guard")}


def test_names_of_kinds_messages_and_enums_are_taken() -> None:
    files = import_equal(
        make_crd("Port", {"port": _PORT, "a": _STRING}),
        make_crd("Server", {"port": _PORT, "b": _STRING}),
    )
    assert _list_messages(files["example/acme/v1/shared_types.proto"]) == ["SpecPort"]
    mode = {"type": "object", "properties": {"size": _STRING}}
    files = import_equal(
        make_crd("Lamp", {"mode": mode, "a": _STRING}),
        make_crd("Clock", {"mode": mode, "b": _STRING}),
        make_crd("Radio", {"mode": {**_STRING, "enum": ["On", "Off"]}}),
    )
    assert _list_messages(files["example/acme/v1/shared_types.proto"]) == ["LampMode"]


def test_the_options_of_a_shared_message_are_part_of_it() -> None:
    limited = {"type": "object", "properties": {"size": {**_STRING, "maxLength": 3}}, "minProperties": 1}
    plain = {"type": "object", "properties": {"size": _STRING}}
    files = import_equal(
        make_crd("Lamp", {"mode": limited, "size": plain, "a": _STRING}),
        make_crd("Clock", {"mode": limited, "size": plain, "b": _STRING}),
        make_crd("Radio", {"mode": {**limited, "maxProperties": 2}}),
    )
    assert _list_messages(files["example/acme/v1/shared_types.proto"]) == ["LampMode", "Size"]
    assert _list_messages(files["example/acme/v1/radio.proto"]) == ["Radio", "Spec", "Mode"]
    plain_files = import_equal(
        make_crd("Lamp", {"size": plain, "a": _STRING}), make_crd("Clock", {"size": plain, "b": _STRING})
    )
    assert "options.proto" not in plain_files["example/acme/v1/shared_types.proto"]


def test_an_error_in_a_shared_message_is_reported_once() -> None:
    wrong = {"type": "object", "properties": {"size": {"type": "integer", "minimum": 3, "maximum": 1}}}
    problems = Problems()
    import_crds((make_crd("Lamp", {"a": wrong, "b": _PORT}), make_crd("Clock", {"a": wrong, "c": _PORT})), problems)
    (finding,) = problems.findings
    assert finding.rule == "marker-contradiction"
    assert finding.message.startswith("example.acme.v1.A.size: ")


def test_messages_are_not_shared_if_the_crds_would_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two spellings of one type are equal here, so that the CRDs with the second one differ."""
    get_key = StructureKeys.get_key
    monkeypatch.setattr(
        StructureKeys, "get_key", lambda keys, value: get_key(keys, {} if value == {"max_length": 3} else value)
    )
    mode = {"type": "object", "properties": {"size": _STRING}}
    limited = {"type": "object", "properties": {"size": {**_STRING, "maxLength": 3}}}
    files = import_equal(
        make_crd("Lamp", {"mode": mode, "port": _PORT, "a": _STRING}),
        make_crd("Clock", {"mode": limited, "port": _PORT, "b": _STRING}),
        make_crd("Radio", {"port": _PORT, "c": _STRING}),
    )
    assert "max_length" in files["example/acme/v1/clock.proto"]
    assert _list_messages(files["example/acme/v1/shared_types.proto"]) == ["Port"]


def test_kubernetes_types_have_their_names() -> None:
    """Their messages have no descriptions, unlike the schemas of most CRDs. Metadata without properties has none."""
    time = {**_STRING, "format": "date-time"}
    condition = {
        "type": "object",
        "properties": {
            "lastTransitionTime": time,
            **dict.fromkeys(("message", "reason", "status", "type"), _STRING),
            "observedGeneration": {"type": "integer", "format": "int64"},
        },
    }
    template = {"type": "object", "properties": {"metadata": {"type": "object", "description": "The metadata."}}}
    files = import_equal(
        make_crd(
            "Lamp", {"conditions": {"type": "array", "items": condition}, "template": template, "metadata": _STRING}
        )
    )
    assert "repeated Condition conditions = 1;" in files["example/acme/v1/lamp.proto"]
    assert "apis.meta.v1.ObjectMeta metadata = 1;" in files["example/acme/v1/lamp.proto"]
