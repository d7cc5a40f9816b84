"""The table of switches of CEL."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel import version_differences
from protoc_gen_crd.cel.version_differences import ALL, ALWAYS, NEVER
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, Switch

SWITCHES = {name: value for name, value in vars(version_differences).items() if isinstance(value, Switch)}
MINORS = range(OLDEST, NEWEST + 1)


@pytest.mark.parametrize("name", [name for name, value in SWITCHES.items() if value not in (ALWAYS, NEVER)])
def test_every_switch_distinguishes_versions_and_has_a_source(name: str) -> None:
    switch = SWITCHES[name]
    assert switch.name == name.lower().replace("_", "-")
    assert OLDEST < switch.since <= NEWEST
    assert switch.since < switch.until
    assert switch.source
    assert switch in ALL


@pytest.mark.parametrize("switch", ALL, ids=lambda switch: switch.name)
def test_a_range_has_the_versions_with_the_same_answer(switch: Switch) -> None:
    for minor in MINORS:
        versions_alike = RecordingSwitches(minor)
        assert (switch in versions_alike) is switch.is_on(minor)
        alike = [other for other in MINORS if versions_alike.contains(other)]
        assert minor in alike
        assert {switch.is_on(other) for other in alike} == {switch.is_on(minor)}
