"""Example values by the names of properties."""

from __future__ import annotations

import pytest

from protoc_gen_crd.samples.format_examples import FORMAT_EXAMPLES
from protoc_gen_crd.samples.property_examples import (
    get_booleans,
    get_entry,
    get_numbers,
    get_strings,
    is_unspecified,
    qualify_name,
    singularize,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("host", "example.com"),
        ("hosts", "example.com"),
        ("serverURL", "https://example.com/"),
        ("policies", "Default"),
        ("secretName", "example-secret"),
        ("name", "example"),
        ("colour", "example"),
        ("paletteColour", "palette-colour"),
    ],
)
def test_strings(name: str, expected: str) -> None:
    assert get_strings(name)[0] == expected


def test_name_of_the_parent_adds_context() -> None:
    assert get_numbers(qualify_name("listeners.port", "number")) == (8080,)
    assert get_numbers("number") == (1,)
    assert get_strings(qualify_name("spec", "colour"))[:2] == ("example", "colour")


def test_maps() -> None:
    assert get_entry("matchLabels") == ("app", "name")
    assert get_entry("parts") == ("example", "part")
    assert singularize("replicas") == "replica"


def test_booleans_that_a_sample_should_set_to_false() -> None:
    assert get_booleans("insecureSkipVerify") == (False, True)
    assert get_booleans("enabled") == (True, False)


@pytest.mark.parametrize(
    ("choice", "unspecified"),
    [("MODE_UNSPECIFIED", True), ("UNKNOWN", True), ("", True), ("None", True), ("RED", False), (1, False)],
)
def test_unspecified_enum_values(choice: object, unspecified: bool) -> None:
    assert is_unspecified(choice) is unspecified


def test_formats_are_named_as_servers_do() -> None:
    assert all(name == name.lower().replace("-", "") for name in FORMAT_EXAMPLES)
