"""Rules whose costs differ between Kubernetes versions."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects import crd_handler
from protoc_gen_crd.kubernetes.shared_results import RequestSwitches
from protoc_gen_crd.library import Validator

RANGE = "1.25..1.37"
RULE = " && ".join(["self.all(name, name.startsWith('a'))"] * 6)  # older servers charge the length of the whole name


def make_crd() -> dict[str, Any]:
    names = {
        "type": "array",
        "maxItems": 2000,
        "items": {"type": "string", "maxLength": 2000},
        "x-kubernetes-validations": [{"rule": RULE, "message": "no"}],
    }
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"names": names}}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.acme.example"},
        "spec": {
            "group": "acme.example",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def make_widget(count: int, length: int) -> dict[str, Any]:
    names = ["a" * length] * count
    return {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"names": names}}


def list_verdicts(versions: str, widget: dict[str, Any]) -> dict[str, list[str]]:
    validator = Validator([make_crd()], versions)
    return {
        version: [cause.message for cause in verdict.causes]
        for verdict in validator.validate(widget)
        for version in verdict.kubernetes
    }


@pytest.mark.parametrize(("count", "length"), [(1200, 1600), (1, 1600), (1200, 1)])
def test_verdicts_of_a_range_are_those_of_its_versions(count: int, length: int) -> None:
    widget = make_widget(count, length)
    together = list_verdicts(RANGE, widget)
    assert len(together) == 13
    for version, messages in together.items():
        assert list_verdicts(version, widget) == {version: messages}


def test_only_some_versions_reject_the_cost_of_the_large_object() -> None:
    verdicts = list_verdicts(RANGE, make_widget(1200, 1600))
    assert verdicts["1.37"] == []
    assert "cost limit exceeded" in verdicts["1.25"][0]


def test_an_object_far_below_the_limit_is_validated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    validated: list[int] = []
    validate = crd_handler.CrdHandler._validate_object

    def count_validations(self: Any, body: Any, old_body: Any, resources: Any, *, status: bool) -> Any:
        validated.append(resources.switches.minor)
        return validate(self, body, old_body, resources, status=status)

    monkeypatch.setattr(crd_handler.CrdHandler, "_validate_object", count_validations)
    list_verdicts(RANGE, make_widget(2, 100))
    assert validated == [37]


def test_costs_matter_once_a_limit_can_be_exceeded() -> None:
    switches = RequestSwitches(37)
    switches.record_cost(10, 1 << 25)
    assert not switches.contains(25)  # not settled
    switches.settle_costs(90, 100)
    assert switches.contains(25)
    switches.record_cost(-5, 1 << 26)
    switches.settle_costs(91, 100)
    assert [switches.contains(minor) for minor in (25, 26, 27)] == [False, False, True]
    switches.settle_costs(1, 100)
    assert not switches.contains(25)  # an earlier evaluation could exceed the limit
    switches.start_request()
    assert switches.contains(25)
