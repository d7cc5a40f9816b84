"""Comparison of the supported markers with the cases of testdata/markers/*.yaml, in both directions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

import pytest

from protoc_gen_crd.markers.cue_gen_tags import KEYS
from protoc_gen_crd.markers.ignored_markers import INERT
from protoc_gen_crd.markers.marker_aliases import ALIASES, OLDER_VERSION_HINT
from protoc_gen_crd.markers.option_declarations import get_message_options
from tests.support.marker_cases import FAMILY, FOLDER, all_cases, names_of

MESSAGES = ("Schema", "Resource", "Package", "EnumValue", "Oneof", "Rule", "FieldSet", "ExternalDocs", "Scale",
            "PrinterColumn", "Deprecation")  # fmt: skip

# Markers that are valid for no element of a .proto file, with the reason; they still have a case of wrong use.
NO_CORRECT_USE = {
    "+kubebuilder:validation:items:* T": "a type of a .proto file is an object or a text, and has no items",
    "+listMapKey T": "a type of a .proto file is no list of objects",
    "+k8s:listMapKey T": "a type of a .proto file is no list of objects",
}
# Definitions of controller-tools that are no aliases here, with the reason.
NO_ALIASES = {
    "+k8s:enum F": "controller-tools itself rejects it on fields",
    "+k8s:enum T": "an alias on enums only: a message is not among the types that controller-tools takes it on",
}
# Aliases that controller-tools does not define.
NOT_OF_CONTROLLER_TOOLS = {
    "+k8s:enum E": "stands for the definition on types",
    "+kubebuilder:altName F": "is Istio's",
    "+kubebuilder:object:root T": "is read by the generator of objects of controller-tools",
    **{f"+{name} O": "Go has no oneofs" for name in ("k8s:optional", "k8s:required", "optional", "required")},
    **{f"+kubebuilder:validation:{name} O": "Go has no oneofs" for name in ("Optional", "Required")},
}
# Options that are only messages with other options, or for which every value is valid.
NO_WRONG_USE = {
    "Schema.description": "takes any text",
    "ExternalDocs.description": "takes any text",
    "PrinterColumn.description": "takes any text",
    "PrinterColumn.format": "takes any text",
}


def aliases() -> set[str]:
    return {f"+{name} {target}" for name, target in ALIASES}


def options() -> set[str]:
    return {f"{message}.{name}" for message in MESSAGES for name in get_message_options(message)}


def everything() -> set[str]:
    """Return all names that a case can have as its subject."""
    return {
        *aliases(),
        *options(),
        *[f"+cue-gen:*:{key}" for key in KEYS],
        *[f"+protoc-gen-crd:{word}" for word in FAMILY],
        *[f"+{name}" for name in INERT],
    }


def about(*, good: bool) -> set[str]:
    return {name for case in all_cases().values() if (case.gives is not None) == good for name in case.about}


def excused(name: str, excuses: Iterable[str]) -> bool:
    return any(re.fullmatch(re.escape(excuse).replace(r"\*", ".*"), name) for excuse in excuses)


def missing(names: Iterable[str], covered: set[str], excuses: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name not in covered and not excused(name, excuses))


def test_every_marker_has_a_case_of_correct_use() -> None:
    assert missing(everything(), about(good=True), NO_CORRECT_USE) == []


def test_every_marker_has_a_case_of_wrong_use() -> None:
    inert = [f"+{name}" for name in INERT]
    assert missing(everything(), about(good=False), [*inert, *NO_WRONG_USE]) == []


def test_a_missing_case_is_found() -> None:
    assert missing(["+new F", "+old F"], {"+old F"}, ["+items:* T"]) == ["+new F"]


def test_cases_are_about_markers_that_exist() -> None:
    free = {"comments", "json_name"}  # cases without a particular marker
    assert sorted(about(good=True) - everything() - free) == []


def test_excuses_are_needed() -> None:
    assert [
        marker
        for marker in NO_CORRECT_USE
        if not missing(aliases(), about(good=True), NO_CORRECT_USE.keys() - {marker})
    ] == []
    assert [marker for marker in NO_WRONG_USE if marker in about(good=False) or marker not in everything()] == []


def registered(version: str) -> Iterator[str]:
    """The definitions of controller-tools, as recorded."""
    rows = json.loads((FOLDER / f"controller-tools-{version}.json").read_text("utf-8"))
    yield from (f"+{row['name']} {row['target'][0].upper()}" for row in rows)


@pytest.mark.parametrize("version", ["0.20.1", "0.23.0"])
def test_every_definition_of_controller_tools_is_an_alias_or_has_a_reason(version: str) -> None:
    assert sorted(set(registered(version)) - aliases() - NO_ALIASES.keys()) == []


def test_every_alias_is_a_definition_of_controller_tools_or_has_a_reason() -> None:
    assert sorted(aliases() - set(registered("0.23.0"))) == sorted(NOT_OF_CONTROLLER_TOOLS)
    assert sorted(set(registered("0.23.0")) - aliases()) == sorted(NO_ALIASES)


def test_our_older_spellings_are_those_of_the_cases() -> None:
    assert sorted(
        re.split("[:=]", spelling)[-1].replace("none", "duration-validation") for spelling in OLDER_VERSION_HINT
    ) == sorted(FAMILY)


def test_names_of_lines() -> None:
    assert list(names_of("+kubebuilder:validation:XValidation:rule=x", "F")) == [
        "+kubebuilder:validation:XValidation F"
    ]
    assert list(names_of("+k8s:enum", "E")) == ["+k8s:enum E"]
    assert list(names_of("+kubebuilder:title=x", "E")) == ["+kubebuilder:title T"]
    assert list(names_of("+cue-gen:Kind:versions:v1", "T")) == ["+cue-gen:*:versions"]
    assert list(names_of("+genclient:noStatus", "T")) == ["+genclient"]
    assert list(names_of("+protoc-gen-crd:map-value-validation:MaxLength=3", "F")) == [
        "+protoc-gen-crd:map-value-validation"
    ]
