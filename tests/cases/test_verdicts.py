"""Recorded verdicts of API servers on every CRD of the goldens; see tests/judges/servers."""

from __future__ import annotations

import pytest

from tests.cases.test_generate import CASES
from tests.support.verdicts import COMPAT, Example, digest, documents, examples, recorded

SHOWN = 400  # minimum number of characters of a message that a report shows
AGAIN = "put them to the servers again: tests/judges/servers/README.md"


def test_every_crd_is_recorded_as_it_is() -> None:
    by_name = {name: digest(text) for name, text in documents().items()}
    assert by_name == {name: verdict["digest"] for name, verdict in recorded().items()}, AGAIN


# Messages of servers that lack a newer feature: file -> version -> a word of the messages.
NOT_YET = {
    "resource-option/expected/shop.acme.com_orders.yaml": {"1.29": "selectableFields"},
    "resource-option/expected/shop.acme.com_parcels.yaml": {"1.29": "selectableFields"},
}


def test_servers_accept_the_output_of_default_mode() -> None:
    for name, verdict in recorded().items():
        if COMPAT not in name:
            assert verdict["said"].keys() == NOT_YET.get(name, {}).keys(), name
            for version, texts in verdict["said"].items():
                assert all(NOT_YET[name][version] in text for text in texts), name


def test_compat_mode_warns_of_crds_that_servers_reject() -> None:
    """The Go tool determines these CRDs, and servers reject some; the warnings include every message of 1.37."""
    rejected = {name: verdict["said"].get("1.37", []) for name, verdict in recorded().items() if COMPAT in name}
    assert any(rejected.values())
    for name, texts in rejected.items():
        warnings = CASES / name.partition("/")[0] / "expected" / "warnings.txt"
        reported = warnings.read_text() if warnings.exists() else ""
        assert [text for text in texts if text[:SHOWN] not in reported] == [], name


@pytest.mark.parametrize("example", examples(), ids=lambda one: one["crd"].partition("/")[0])
def test_a_crd_takes_the_objects_that_it_should(example: Example) -> None:
    assert example["digest"] == digest((CASES / example["crd"]).read_text()), AGAIN
    assert (not example["said"]) == example["valid"], example["said"]
