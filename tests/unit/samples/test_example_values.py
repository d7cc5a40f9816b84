"""What properties of a name hold."""

from __future__ import annotations

import pytest

from protoc_gen_crd.samples.example_values import (
    FORMATS,
    get_booleans,
    get_entry,
    get_numbers,
    get_strings,
    is_unspecified,
    qualify_name,
    singularize,
)


@pytest.mark.parametrize(
    ("name", "text"),
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
def test_texts(name: str, text: str) -> None:
    assert get_strings(name)[0] == text


def test_what_is_around_tells_more() -> None:
    assert get_numbers(qualify_name("listeners.port", "number")) == (8080,)
    assert get_numbers("number") == (1,)
    assert get_strings(qualify_name("spec", "colour"))[:2] == ("example", "colour")


def test_maps() -> None:
    assert get_entry("matchLabels") == ("app", "name")
    assert get_entry("parts") == ("example", "part")
    assert singularize("replicas") == "replica"


def test_switches_that_a_sample_should_not_have_on() -> None:
    assert get_booleans("insecureSkipVerify") == (False, True)
    assert get_booleans("enabled") == (True, False)


@pytest.mark.parametrize(
    ("choice", "says_nothing"),
    [("MODE_UNSPECIFIED", True), ("UNKNOWN", True), ("", True), ("None", True), ("RED", False), (1, False)],
)
def test_members_of_enums_that_say_nothing(choice: object, says_nothing: bool) -> None:
    assert is_unspecified(choice) is says_nothing


def test_formats_are_named_as_servers_do() -> None:
    assert all(name == name.lower().replace("-", "") for name in FORMATS)
