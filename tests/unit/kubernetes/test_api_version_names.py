"""Names of API versions, as the conventions of Kubernetes and of languages spell them."""

from __future__ import annotations

import pytest

from protoc_gen_crd.kubernetes.api_version_names import (
    is_at_least_as_stable,
    is_version_name,
    list_next_names,
    replace_version,
)


@pytest.mark.parametrize("name", ["v1", "v10", "v2alpha1", "v1beta12"])
def test_names(name: str) -> None:
    assert is_version_name(name)


@pytest.mark.parametrize(
    "name", ["", "1", "v0", "v01", "v1beta", "v1beta0", "v1gamma1", "V1", "v1beta1 ", "v1.0", "v1é"]
)
def test_other_names(name: str) -> None:
    assert not is_version_name(name)


@pytest.mark.parametrize(
    ("versions", "names"),
    [
        ([], ["v1alpha1"]),
        (["v1alpha1"], ["v1alpha2", "v1beta1"]),
        (["v1beta1", "v1alpha3"], ["v1beta2", "v1"]),
        (["v1", "v1beta9"], ["v2alpha1"]),
        (["v1", "v2alpha1", "other"], ["v2alpha2", "v2beta1"]),
        (["v9", "v10"], ["v11alpha1"]),
    ],
)
def test_the_next_names_follow_the_newest_version(versions: list[str], names: list[str]) -> None:
    assert list_next_names(versions) == names


@pytest.mark.parametrize(
    ("text", "old", "new", "replaced"),
    [
        ("acme.io/api/v1beta1;widgetsv1beta1", "v1beta1", "v1", "acme.io/api/v1;widgetsv1"),
        ("Acme.Widgets.V1Beta1", "v1beta1", "v1beta2", "Acme.Widgets.V1Beta2"),
        ("Acme\\Widgets\\V1beta1", "v1beta1", "v1alpha2", "Acme\\Widgets\\V1alpha2"),
        ("Acme::V1", "v1", "v2alpha1", "Acme::V2alpha1"),
        ("acme.v1beta1.v1beta10", "v1beta1", "v1beta2", "acme.v1beta2.v1beta10"),
        ("acme.v1.v1beta1.v10", "v1", "v2", "acme.v2.v1beta1.v10"),
        ("ACME_V1BETA1", "v1beta1", "v1beta2", "ACME_V1BETA2"),
    ],
)
def test_a_version_is_replaced_in_its_spelling(text: str, old: str, new: str, replaced: str) -> None:
    assert replace_version(text, old, new) == replaced


def test_stages_are_compared_without_numbers() -> None:
    stable = [("v1", "v2"), ("v1", "v2beta1"), ("v1beta1", "v2beta2"), ("v1alpha1", "other")]
    assert all(is_at_least_as_stable(*pair) for pair in stable)
    assert not is_at_least_as_stable("v2alpha1", "v1")


def test_a_stage_after_a_capital_is_capital_on_request() -> None:
    assert replace_version("Acme.V1", "v1", "v2beta1", title=True) == "Acme.V2Beta1"
