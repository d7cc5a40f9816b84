from __future__ import annotations

import pytest

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.settings.toml_reader import Path, TomlDocument

TEXT = """\
[project]
name = "x"

[tool.protoc-gen-crd]
out = "crds"
  inputs = [
  "a",
]
"quoted key" . below = 1

[[tool.protoc-gen-crd.findings]]
rule = "a"

[[tool.protoc-gen-crd.findings]]
rule = "b"
inline = { c = 1 }
[tool.protoc-gen-crd.findings.sub]
d = 1
"""
TABLE = ("tool", "protoc-gen-crd")


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("project",), 1, 1),
        ((*TABLE, "out"), 5, 1),
        ((*TABLE, "inputs"), 6, 3),
        ((*TABLE, "inputs", 0), 6, 3),
        ((*TABLE, "quoted key", "below"), 9, 1),
        ((*TABLE, "findings", 0, "rule"), 12, 1),
        ((*TABLE, "findings", 1), 14, 1),
        ((*TABLE, "findings", 1, "inline", "c"), 16, 1),
        ((*TABLE, "findings", 1, "sub", "d"), 18, 1),
        ((*TABLE, "unknown"), 4, 1),
        (("unknown",), 1, 1),
    ],
)
def test_a_key_has_the_place_of_its_line(path: Path, line: int, column: int) -> None:
    assert TomlDocument(TEXT, "p.toml").get_place(path) == Location("p.toml", line, column)


def test_the_value_is_that_of_the_standard_library() -> None:
    document = TomlDocument(TEXT, "p.toml")
    assert document.error == ""
    assert document.value["tool"]["protoc-gen-crd"]["findings"][1]["sub"] == {"d": 1}


def test_an_error_has_its_place() -> None:
    document = TomlDocument('a = 1\nb = "x\n', "p.toml")
    assert (document.error, document.at) == ("Illegal character '\\n'", Location("p.toml", 2, 7))
    assert document.value == {}


def test_an_error_at_the_end_names_the_file() -> None:
    assert TomlDocument("a = [", "p.toml").at == Location("p.toml")
