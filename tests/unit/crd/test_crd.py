from __future__ import annotations

from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.findings.finding import Location

ONE, TWO, THREE = (Location("a.proto", line) for line in (1, 2, 3))


def test_name_is_plural_and_group() -> None:
    crd = Crd("example.com", Names("Thing", "things"), "Cluster", ())
    assert crd.name == "things.example.com"
    assert crd.replace(metadata={"name": "other"}).name == "other"
    assert crd.replace(metadata={"name": ""}).name == ""


def test_member_without_a_place_has_that_of_its_parent() -> None:
    marks = {"names": TWO, "names.kind": THREE}
    crd = Crd("example.com", Names("Thing", "things"), "Cluster", (), origin=ONE, marks=marks)
    assert [crd.get_place(path) for path in ("names.kind", "names.plural", "scope")] == [THREE, TWO, ONE]


def test_places_of_a_version() -> None:
    version = CrdVersion("v1", origin=ONE, marks={"deprecationWarning": TWO})
    assert (version.get_place("deprecationWarning"), version.get_place("name")) == (TWO, ONE)
