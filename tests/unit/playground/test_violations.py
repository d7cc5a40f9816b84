"""Parts of findings: the field, the constraint, and the message without what the heading repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.playground.test_playground_verdicts import SERVER, WIDGET, make_playground


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def list_violations(example: str, manifest: str) -> list[dict[str, str]]:
    return [finding["violation"] for finding in make_playground(example).validate(manifest)["findings"]]


def test_an_error_has_its_field_and_constraint() -> None:
    (violation,) = list_violations("conversion", SERVER.replace("7", "often"))
    assert violation == {
        "path": "spec.retries",
        "detail": 'Invalid value: "string": spec.retries in body must be of type integer: "string"',
        "constraint": "type: integer",
        "cel": "",
        "field": "spec.retries",
    }


def test_items_have_the_field_of_the_list() -> None:
    (violation,) = list_violations("conversion", SERVER.replace("other", "3"))
    assert (violation["path"], violation["field"]) == ("spec.backends[1]", "spec.backends")


def test_a_missing_field_is_named() -> None:
    required = [v for v in list_violations("evolving", DATABASE) if v["constraint"].startswith("required")]
    assert [(v["path"], v["constraint"], v["detail"]) for v in required] == [
        ("spec.owner", "required: owner", "Required value")
    ]


def test_an_unknown_field_is_reported_without_the_object() -> None:
    (unknown,) = [v for v in list_violations("evolving", DATABASE) if not v["path"] and v["field"]]
    assert (unknown["detail"], unknown["field"]) == ('unknown field "spec.storage"', "spec")


def test_names_of_objects_have_no_field_in_the_explorer() -> None:
    violations = list_violations("widget", WIDGET.replace("big", "BIG_ONE"))
    assert [v["field"] for v in violations if v["path"] == "metadata.name"] == [""]


DATABASE = """\
apiVersion: platform.acme.example/v1
kind: Database
metadata: {name: orders}
spec: {engine: POSTGRES, storage: 3}
"""
