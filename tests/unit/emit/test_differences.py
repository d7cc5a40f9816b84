from __future__ import annotations

from protoc_gen_crd.crd.types import Crd, Names, Version
from protoc_gen_crd.emit.differences import differences
from protoc_gen_crd.schema.types import VALIDATIONS, Rule, Schema

NAMES = Names("Widget", "widgets", "widget", "WidgetList", (), ())


def crd(*versions: Version, scope: str = "Namespaced") -> Crd:
    return Crd("acme.example", NAMES, scope, versions, {}, {})


def spec(*, storage: bool = True, **keywords: object) -> Version:
    return Version("v1", Schema({"type": "object", **keywords}), storage=storage)


def test_equal_crds() -> None:
    assert differences([crd(spec())], [crd(spec())]) == "widgets.acme.example v1: no difference\n"


def test_what_belongs_to_the_kind_and_what_to_a_version() -> None:
    assert differences([crd(spec(storage=False))], [crd(spec(maxProperties=3), scope="Cluster")]) == (
        "widgets.acme.example:\n"
        '  .spec.scope: "Namespaced" -> "Cluster"\n'
        "widgets.acme.example v1:\n"
        "  .schema.openAPIV3Schema.maxProperties: nothing -> 3\n"
        "  .storage: false -> true\n"
    )


def test_long_values_are_shown_from_where_they_differ() -> None:
    one, other = (
        Version("v1", Schema({VALIDATIONS: (Rule("a"), Rule(f"{'x' * 100} {end}"))})) for end in ("< 1", "> 1")
    )
    path, _, shown = differences([crd(one)], [crd(other)]).splitlines()[1].partition(": ")
    assert path == "  .schema.openAPIV3Schema.x-kubernetes-validations[1].rule"
    assert shown == f'...{"x" * 19} < 1" -> ...{"x" * 19} > 1"'


def test_descriptions_are_counted() -> None:
    found = differences([crd(spec(description="A."))], [crd(spec(description="A.\nB."))])
    assert found.splitlines()[1:] == ["  descriptions that differ, being the whole comment: 1"]


def test_what_only_one_of_them_has() -> None:
    assert differences([crd(spec())], []) == "widgets.acme.example: only in compat=istio\n"
    more = crd(spec(), Version("v2", Schema({})))
    assert differences([crd(spec())], [more]).splitlines()[-1] == "widgets.acme.example v2: only in default mode"
