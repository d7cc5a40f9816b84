"""The oldest Kubernetes version that accepts the rules of a CRD."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cel.environment import get_new_environment
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST

PROTO = """syntax = "proto3";
package example.v1;

// +protoc-gen-crd:resource={{group: "example.com"}}
message Widget {{
  // +kubebuilder:validation:MaxLength=45
  // +kubebuilder:validation:XValidation:rule="{rule}",message="m"
  string address = 1;
}}
"""


def generate(folder: Path, capsys: pytest.CaptureFixture[str], rule: str, *arguments: str) -> str:
    """Return the findings about versions of Kubernetes."""
    (folder / "widget.proto").write_text(PROTO.format(rule=rule))
    out = str(folder / "crds")
    main(["generate", str(folder / "widget.proto"), "--import-path", str(folder), "--out", out, *arguments])
    lines = capsys.readouterr().err.splitlines()
    return "".join(line for line in lines if "[kubernetes-unset]" in line)


@pytest.mark.parametrize(
    ("rule", "name", "minor"),
    [
        ("isIP(self)", "isIP", 31),
        ("!format.dns1123Label().validate(self).hasValue()", "validate", 32),
        ("isIP(self) && isSemver(self)", "isSemver", 34),
        ("[self].all(i, v, v == self)", "two variables", 33),
        ("{'a': isQuantity(self)}['a']", "isQuantity", 29),
    ],
)
def test_the_function_of_the_newest_version_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str, name: str, minor: int
) -> None:
    result = generate(tmp_path, capsys, rule)
    assert f"so API servers before Kubernetes 1.{minor} reject the CRD" in result
    assert name in result


def test_no_function_exists_only_between_the_oldest_and_the_newest_version() -> None:
    functions = [get_new_environment(minor).functions.keys() for minor in range(OLDEST, NEWEST + 1)]
    assert set().union(*functions) <= functions[0] | functions[-1]


@pytest.mark.parametrize("rule", ["self.size() > 1", "self.contains('a')", "self.", "unknown(self)"])
def test_other_rules_are_not_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str) -> None:
    assert generate(tmp_path, capsys, rule) == ""


def test_versions_that_are_set_are_validated_instead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate(tmp_path, capsys, "isIP(self)", "--kubernetes", "1.31..1.37") == ""
