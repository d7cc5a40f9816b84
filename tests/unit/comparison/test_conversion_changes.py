"""Changes of spec.conversion: the smallest changed member, and what servers and controllers add."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import ChangeClass
from tests.unit.admission import crd_factory

SERVICE = {"namespace": "acme", "name": "webhook"}


def _make_conversion(service: dict[str, Any], **config: Any) -> dict[str, Any]:
    client = {"service": {**SERVICE, **service}, **config}
    return {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": client}}


def _compare(old: dict[str, Any] | None, new: dict[str, Any] | None) -> list[tuple[ChangeClass, str]]:
    crd = crd_factory.crd()
    changes = compare_apis([crd.replace(conversion=old)], [crd.replace(conversion=new)])
    assert {change.rule for change in changes} <= {"change-conversion"}
    return [(change.change_class, change.message) for change in changes]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_make_conversion({}), _make_conversion({"port": 443})),
        (_make_conversion({}), _make_conversion({"path": "/"})),
        (_make_conversion({"path": ""}), _make_conversion({"port": None})),
        (_make_conversion({}), _make_conversion({}, caBundle="YQ==")),
        (_make_conversion({}), _make_conversion({"port": 443}, caBundle="YQ==", url=None)),
        (None, {"strategy": "None"}),
    ],
)
def test_defaults_and_inserted_bundles_are_no_change(old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
    assert _compare(old, new) == _compare(new, old) == []


REVIEWS = "conversion.webhook.conversionReviewVersions"
CONFIG = "conversion.webhook.clientConfig"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (_make_conversion({}), _make_conversion({"port": 8443}), f"{CONFIG}.service.port 443 is now 8443"),
        (_make_conversion({}), _make_conversion({"path": "/a"}), f'{CONFIG}.service.path "/" is now "/a"'),
        (
            _make_conversion({}, caBundle="YQ=="),
            _make_conversion({"name": "other"}),
            f'{CONFIG}.service.name "webhook" is now "other"',
        ),
        (
            {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1beta1"], "clientConfig": {}}},
            {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {}}},
            f'{REVIEWS} no longer has "v1beta1"; {REVIEWS} now has "v1"',
        ),
        (None, _make_conversion({}), "conversion strategy None is now Webhook"),
    ],
)
def test_the_message_names_the_changed_member(old: dict[str, Any] | None, new: dict[str, Any], expected: str) -> None:
    assert _compare(old, new) == [(ChangeClass.SEMANTIC, expected)]


def test_several_changed_members_are_one_change_of_their_parent() -> None:
    ((_, message),) = _compare(_make_conversion({}), _make_conversion({"name": "other", "port": 8443}))
    assert message.startswith(f"{CONFIG}.service {{")


def test_another_bundle_has_no_effect_on_objects() -> None:
    ((change_class, message),) = _compare(_make_conversion({}, caBundle="YQ=="), _make_conversion({}, caBundle="Yg=="))
    assert change_class is ChangeClass.NONE
    assert message == f'{CONFIG}.caBundle "YQ==" is now "Yg=="'
