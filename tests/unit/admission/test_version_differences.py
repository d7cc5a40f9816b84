from __future__ import annotations

import pytest

from protoc_gen_crd.admission import version_differences
from protoc_gen_crd.admission.version_differences import ALL, JSON_VALUES, RATCHETING
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches, Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, Switch


def test_a_switch_is_on_from_its_version_on() -> None:
    assert [minor for minor in range(OLDEST, NEWEST + 1) if JSON_VALUES in Switches.from_minor(minor)] == [
        34,
        35,
        36,
        37,
    ]


@pytest.mark.parametrize("minor", [OLDEST - 1, NEWEST + 1])
def test_unsupported_versions(minor: int) -> None:
    with pytest.raises(ValueError, match=rf"1\.25 to 1\.37 are known, not 1\.{minor}"):
        Switches.from_minor(minor)


def test_the_switches_of_a_version_are_created_once() -> None:
    assert Switches.from_minor(30) is Switches.from_minor(30)
    assert repr(Switches.from_minor(30)) == "Switches(1.30)"


@pytest.mark.parametrize(
    "name", [name for name, value in vars(version_differences).items() if isinstance(value, Switch)]
)
def test_every_switch_separates_versions_and_has_a_source(name: str) -> None:
    switch = vars(version_differences)[name]
    assert switch.name == name.lower().replace("_", "-")
    assert OLDEST < switch.since <= NEWEST
    assert switch.since < switch.until
    assert switch.source
    assert switch in ALL


def test_versions_agree_on_the_recorded_switches() -> None:
    watched = RecordingSwitches(34)
    assert watched.contains(OLDEST)
    assert JSON_VALUES in watched
    assert not watched.contains(33)
    assert watched.contains(37)


def test_off_is_an_answer_too() -> None:
    watched = RecordingSwitches(29)
    assert RATCHETING not in watched
    assert repr(RATCHETING) == "Switch(ratcheting)"
    assert not watched.contains(30)
    assert watched.contains(25)
