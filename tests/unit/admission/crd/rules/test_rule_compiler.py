"""Rules of CRDs compiled: where errors stand and with which texts."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer


def list_errors(schema: dict[str, Any], minor: int = 37, old: dict[str, Any] | None = None) -> list[str]:
    """Return the errors of a CRD, with paths relative to the schema."""
    verdict = AdmissionServer((minor,), RuleCompiler()).admit_data(crd(schema), None if old is None else crd(old))[0]
    return [error.message.replace("spec.validation.openAPIV3Schema", "") for error in verdict.causes]


def crd(schema: dict[str, Any]) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]},
    }


def ruled(schema: dict[str, Any], *rules: dict[str, Any] | str) -> dict[str, Any]:
    encoded = [{"rule": rule} if isinstance(rule, str) else rule for rule in rules]
    return {**schema, "x-kubernetes-validations": encoded}


def spec(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": schema}}


NUMBER = {"type": "integer"}
AT = ".properties[spec].x-kubernetes-validations[0]"


@pytest.mark.parametrize("rule", ["self > 1", "self == oldSelf", {"rule": "self > 1", "messageExpression": "'no'"}])
def test_taken(rule: dict[str, Any] | str) -> None:
    assert list_errors(spec(ruled(NUMBER, rule))) == []


@pytest.mark.parametrize(
    ("rule", "place", "detail"),
    [
        ("self", "rule", "cel expression must evaluate to a bool"),
        ("dyn(self)", "rule", "cel expression must evaluate to a bool"),
        ("self.a == 1", "rule", "compilation failed: ERROR: <input>:1:5: type 'int' does not support field selection"),
        ({"rule": "self > 1", "messageExpression": "1"}, "messageExpression", "must evaluate to a string"),
        ({"rule": "self > 1", "messageExpression": "("}, "messageExpression", "messageExpression compilation failed: "),
        ({"rule": "self > 1", "optionalOldSelf": True}, "optionalOldSelf", "may not be set if oldSelf is not used"),
    ],
)
def test_rejected_rules(rule: dict[str, Any] | str, place: str, detail: str) -> None:
    (text,) = list_errors(spec(ruled(NUMBER, rule)))
    assert text.startswith(f"{AT}.{place}: Invalid value: ")
    assert detail in text


def test_a_message_is_compiled_only_where_the_rule_is_sound() -> None:
    assert len(list_errors(spec(ruled(NUMBER, {"rule": "self", "messageExpression": "1"})))) == 1


def test_old_values_of_items_have_no_place() -> None:
    items = {"type": "array", "items": ruled(NUMBER, "self == oldSelf")}
    (text,) = list_errors(spec(items))
    assert text.endswith("cannot be used on the uncorrelatable portion of the schema within .properties[spec]")


def test_an_untyped_node_has_no_rules() -> None:
    untyped = ruled({"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}}, "true")
    (text,) = list_errors(spec(untyped))
    assert "unable to convert structural schema to CEL declarations" in text
    assert text.startswith(".properties[spec].x-kubernetes-validations: Internal error: ")


@pytest.mark.parametrize(("above", "errors"), [(["true"], 0), ([], 1)])
def test_metadata_is_what_the_node_above_with_rules_sees(above: list[str], errors: int) -> None:
    metadata = ruled({"type": "object"}, "self.name != ''")
    texts = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
    whole = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {**texts, "metadata": metadata}}
    assert len(list_errors(spec(ruled(whole, *above)))) == errors


def test_what_is_stored_may_use_more_than_what_is_new() -> None:
    schema = spec(ruled(NUMBER, "[self].includes(1)"))
    (text,) = list_errors(schema)
    assert "undeclared reference to 'includes'" in text
    assert list_errors(schema, old=schema) == []


def test_versions_that_compile_alike_are_one_class() -> None:
    compiler = RuleCompiler()
    assert compiler.get_equivalence_key(35) == compiler.get_equivalence_key(36)
    assert compiler.get_equivalence_key(36) != compiler.get_equivalence_key(37)
    assert compiler.get_equivalence_key(25) != compiler.get_equivalence_key(
        26
    )  # where results of functions have no sizes


def test_a_default_without_a_cel_type() -> None:
    rule = ruled({"x-kubernetes-preserve-unknown-fields": True, "default": "x"}, "self == 1")
    detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
    assert list_errors(spec(rule)) == [f'.properties[spec].default: Invalid value: "": {detail}']


TEXT = {"type": "string"}
LIMIT = "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are"


def forbidden(place: str, what: str, factor: str) -> str:
    return f"{place}: Forbidden: {what} cost exceeds budget by factor of {factor} ({LIMIT} declared)"


# Each of these was put to a server: contains costs 314,573 for ten characters of its argument, self costs 1.


@pytest.mark.parametrize(
    ("argument", "factor"),
    [(310, None), (320, "1.006634x"), (470, "1.478493x"), (480, "1.5x"), (2000, "6.3x")],
)
def test_an_expensive_rule(argument: int, factor: str | None) -> None:
    rule = f"self.contains('{'a' * argument}')"
    expected = [] if factor is None else [forbidden(f"{AT}.rule", "estimated rule", factor)]
    assert list_errors(spec(ruled(TEXT, rule))) == expected


def test_an_expensive_message_expression() -> None:
    expensive = {"rule": "true", "messageExpression": f"self.contains('{'a' * 320}') ? string(self.size()) : ''"}
    assert list_errors(spec(ruled(TEXT, expensive))) == [
        forbidden(f"{AT}.messageExpression", "estimated messageExpression", "1.006634x")
    ]


def test_an_unchanged_schema_may_stay_expensive() -> None:
    schema = spec(ruled(TEXT, f"self.contains('{'a' * 320}')"))
    assert list_errors(schema, old=schema) == []
    assert len(list_errors(schema, 28, old=schema)) == 1
    assert len(list_errors({**schema, "description": "new"}, old=schema)) == 1
    several = spec(ruled(TEXT, *[f"self.contains('{'a' * 310}') || self == '{index}'" for index in range(12)]))
    whole = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of"
    assert [text for text in list_errors(several, old=several) if whole in text]
    assert len(list_errors(several)) == 5


def test_a_text_that_is_no_message_is_still_a_rule_elsewhere() -> None:
    server, flag = AdmissionServer((37,), RuleCompiler()), {"type": "boolean", "default": True}
    wrong = crd(spec(ruled(flag, {"rule": "self == true", "messageExpression": "self"})))
    assert not server.admit_data(wrong)[0].accepted
    assert server.admit_data(crd(spec(ruled(flag, "self"))))[0].accepted
