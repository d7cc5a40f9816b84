from __future__ import annotations

from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.emit.mode_differences import format_differences
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

NAMES = Names("Widget", "widgets", "widget", "WidgetList", (), ())


def crd(*versions: CrdVersion, scope: str = "Namespaced") -> Crd:
    return Crd("acme.example", NAMES, scope, versions, {}, {})


def spec(*, storage: bool = True, **keywords: object) -> CrdVersion:
    return CrdVersion("v1", Schema({"type": "object", **keywords}), storage=storage)


def test_equal_crds() -> None:
    assert format_differences([crd(spec())], [crd(spec())]) == "widgets.acme.example v1: no difference\n"


def test_changes_of_the_kind_and_of_versions() -> None:
    assert format_differences([crd(spec(storage=False))], [crd(spec(maxProperties=3), scope="Cluster")]) == (
        "widgets.acme.example:\n"
        '  spec.scope: "Namespaced" -> "Cluster"\n'
        "widgets.acme.example v1:\n"
        "  .: new maxProperties: 3\n"
        "  storage: false -> true\n"
    )


def test_places_are_those_of_an_object() -> None:
    def nested(**keywords: object) -> CrdVersion:
        leaf = Schema({"type": "string", **keywords})
        table = Schema({"type": "object", "additionalProperties": leaf})
        return spec(properties={"spec": Schema({"properties": {"list": Schema({"type": "array", "items": table})}})})

    result = format_differences([crd(nested(maxLength=3, title="a"))], [crd(nested(maxLength=4, format="x"))])
    assert result.splitlines()[1:] == [
        '  .spec.list[][*]: new format: "x"',
        "  .spec.list[][*]: maxLength 3 -> 4",
        '  .spec.list[][*]: removed title: "a"',
    ]


def test_equal_changes_are_reported_together() -> None:
    def fields(kind: str) -> CrdVersion:
        return spec(properties={name: Schema({"type": kind}) for name in "abcde"})

    result = format_differences([crd(fields("string"))], [crd(fields("integer"))])
    assert result.splitlines()[1:] == ['  .a, .b, .c and 2 more: type "string" -> "integer"']


def test_fields_come_and_go() -> None:
    first, other = spec(properties={"a": Schema({})}), spec(properties={"b": Schema({})})
    assert format_differences([crd(first)], [crd(other)]).splitlines()[1:] == [
        "  .a: removed field",
        "  .b: new field",
    ]


def test_long_values_are_shown_from_where_they_differ() -> None:
    first, other = (spec(pattern=f"{'x' * 100} {end}") for end in ("< 1", "> 1"))
    place, _, output = format_differences([crd(first)], [crd(other)]).splitlines()[1].partition(": ")
    assert place == "  ."
    assert output == f'pattern ...{"x" * 19} < 1" -> ...{"x" * 19} > 1"'


def test_rules_that_mean_the_same_are_counted() -> None:
    old = Schema({VALIDATIONS: (ValidationRule('self.a == "x"', "m"), ValidationRule("self.b", "gone"))})
    new = Schema({VALIDATIONS: (ValidationRule("self.a=='x'", "m"), ValidationRule("self.c", "new"))})
    assert format_differences([crd(CrdVersion("v1", old))], [crd(CrdVersion("v1", new))]).splitlines()[1:] == [
        "  .: removed rule: self.b",
        "  .: new rule: self.c",
        "  rules with another spelling and the same meaning: 1",
    ]


def test_the_order_of_required_fields_is_no_change_of_meaning() -> None:
    result = format_differences([crd(spec(required=["b", "a"]))], [crd(spec(required=["a", "b"]))])
    assert result.splitlines()[1:] == ["  .: order of required fields changed"]


def test_changes_of_descriptions_are_counted() -> None:
    def described(*texts: str) -> CrdVersion:
        return spec(properties={str(i): Schema({"description": text} if text else {}) for i, text in enumerate(texts)})

    result = format_differences(
        [crd(described("A.", "AB.", "A.", "", "A."))], [crd(described("A. B.", "A.", "B.", "A.", ""))]
    )
    assert result.splitlines()[1:] == ["  descriptions: 1 longer, 1 shorter, 1 reworded, 1 new, 1 removed"]


def test_changes_common_to_all_crds_are_reported_once() -> None:
    names = NAMES.replace(plural="gadgets")
    old, new = [crd(spec()), crd(spec()).replace(names=names)], crd(spec(nullable=True))
    more = crd(spec(nullable=True, title="x")).replace(names=names)
    assert format_differences(old, [new, more]) == (
        "every version of every CRD:\n"
        "  .: new nullable: true\n"
        "gadgets.acme.example v1:\n"
        '  .: new title: "x"\n'
        "widgets.acme.example v1: nothing else\n"
    )


def test_crds_and_versions_of_only_one_mode() -> None:
    assert format_differences([crd(spec())], []) == "widgets.acme.example: only in compat=istio\n"
    more = crd(spec(), CrdVersion("v2", Schema({})))
    assert format_differences([crd(spec())], [more]).splitlines()[-1] == "widgets.acme.example v2: only in default mode"
