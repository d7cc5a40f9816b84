from __future__ import annotations

import pytest

from protoc_gen_crd.admission.name_checks import (
    mask_trailing_dash,
    validate_dns1035_label,
    validate_dns1123_label,
    validate_dns1123_subdomain,
    validate_label_key,
    validate_label_value,
    validate_path_segment,
)
from protoc_gen_crd.kubernetes.shared_results import Switches

OLD, NEW = Switches.from_minor(34), Switches.from_minor(35)


@pytest.mark.parametrize(
    ("text", "count"), [("a", 0), ("a-1", 0), ("1a", 1), ("A", 1), ("a.b", 1), ("", 1), ("a" * 64, 1)]
)
def test_1035_labels(text: str, count: int) -> None:
    assert len(validate_dns1035_label(text)) == count


@pytest.mark.parametrize(("text", "count"), [("a.b-c.1", 0), ("a..b", 1), ("-a", 1), ("a." * 127, 2), ("é", 1)])
def test_subdomains(text: str, count: int) -> None:
    assert len(validate_dns1123_subdomain(text)) == count


def test_1123_labels_say_of_dots() -> None:
    assert validate_dns1123_label("a.b", Switches.from_minor(27)) == ["must not contain dots"]
    assert (
        validate_dns1123_label("a.b", Switches.from_minor(26))
        == validate_dns1123_label("A", Switches.from_minor(26))
        == validate_dns1123_label("A", NEW)
    )
    assert validate_dns1123_label("1", NEW) == []


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("a", []),
        ("example.com/A_b.c", []),
        ("a/b/c", ["a valid label key must consist"]),
        ("/a", ["prefix part must be non-empty"]),
        ("A/a", ["prefix part a lowercase RFC 1123 subdomain"]),
        ("", ["name part must be non-empty", "name part must consist"]),
        ("é" * 32, ["name part must be no more than 63 bytes", "name part must consist"]),
    ],
)
def test_label_keys(text: str, starts: list[str]) -> None:
    faults = validate_label_key(text, NEW)
    assert len(faults) == len(starts)
    assert all(fault.startswith(start) for fault, start in zip(faults, starts, strict=True))


def test_label_keys_had_other_words() -> None:
    assert validate_label_key("a/b/c", OLD)[0].startswith("a qualified name must consist")
    assert validate_label_key("a" * 64, OLD) == ["name part must be no more than 63 characters"]


def test_label_values() -> None:
    assert validate_label_value("", NEW) == validate_label_value("a.B-1", NEW) == []
    assert validate_label_value("a" * 64, NEW) == ["must be no more than 63 bytes"]
    assert len(validate_label_value("a b", NEW)) == 1


@pytest.mark.parametrize(
    ("text", "faults"),
    [("a", []), ("..", ["may not be '..'"]), ("a/%", ["may not contain '/'", "may not contain '%'"])],
)
def test_path_segments(text: str, faults: list[str]) -> None:
    assert validate_path_segment(text) == faults


def test_a_start_may_be_dots() -> None:
    assert validate_path_segment("..", prefix=True) == []


def test_starts_are_masked() -> None:
    assert [mask_trailing_dash(text) for text in ("ab-", "-", "ab", "")] == ["aa", "-", "ab", ""]
