"""What properties of a name hold."""

from __future__ import annotations

import pytest

from protoc_gen_crd.samples.words import (
    FORMATS,
    entry_for,
    inside,
    numbers_for,
    singular,
    switches_for,
    texts_for,
    untold,
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
    assert texts_for(name)[0] == text


def test_what_is_around_tells_more() -> None:
    assert numbers_for(inside("listeners.port", "number")) == (8080,)
    assert numbers_for("number") == (1,)
    assert texts_for(inside("spec", "colour"))[:2] == ("example", "colour")


def test_maps() -> None:
    assert entry_for("matchLabels") == ("app", "name")
    assert entry_for("parts") == ("example", "part")
    assert singular("replicas") == "replica"


def test_switches_that_a_sample_should_not_have_on() -> None:
    assert switches_for("insecureSkipVerify") == (False, True)
    assert switches_for("enabled") == (True, False)


@pytest.mark.parametrize(
    ("choice", "says_nothing"),
    [("MODE_UNSPECIFIED", True), ("UNKNOWN", True), ("", True), ("None", True), ("RED", False), (1, False)],
)
def test_members_of_enums_that_say_nothing(choice: object, says_nothing: bool) -> None:
    assert untold(choice) is says_nothing


def test_formats_are_named_as_servers_do() -> None:
    assert all(name == name.lower().replace("-", "") for name in FORMATS)
