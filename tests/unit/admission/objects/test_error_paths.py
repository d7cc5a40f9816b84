from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects.error_paths import resolve_path

DATA: dict[str, Any] = {
    "metadata": {"labels": {"a.b/c": 1, "a": {"b/c": 2}, "x[0]": 3}},
    "spec": {"ports": [{"name": "a"}, {"": 1}], "portsMore": 1, "1": {"2": 3}},
    "": {"empty": 1},
}


@pytest.mark.parametrize(
    ("path", "steps", "rest"),
    [
        ("spec.ports[0].name", ("spec", "ports", 0, "name"), ""),
        ("spec.ports[7].name", ("spec", "ports"), "[7].name"),
        ("spec.portsMore", ("spec", "portsMore"), ""),
        ("spec.missing.more", ("spec",), "missing.more"),
        ("metadata.labels.a.b/c", ("metadata", "labels", "a.b/c"), ""),
        ("metadata.labels[a.b/c]", ("metadata", "labels", "a.b/c"), ""),
        ("metadata.labels.a.b", ("metadata", "labels", "a"), "b"),
        ("metadata.labels.x[0]", ("metadata", "labels", "x[0]"), ""),
        ("spec.1.2", ("spec", "1", "2"), ""),
        ("<nil>", (), "<nil>"),
        ("", (), ""),
        ("spec.ports[1].", ("spec", "ports", 1), ""),
        ("spec[", ("spec",), "["),
    ],
)
def test_a_path_is_followed_as_far_as_it_goes(path: str, steps: tuple[str | int, ...], rest: str) -> None:
    assert resolve_path(DATA, path) == (steps, rest)
