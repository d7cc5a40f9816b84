"""`explain`: one name is a finding, a marker or option, or a field of a kind."""

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.markers.ignored_markers import INERT
from protoc_gen_crd.markers.marker_aliases import NAMES
from protoc_gen_crd.markers.marker_descriptions import describe_marker, list_marker_names
from tests.conftest import ROOT

CRDS = str(ROOT / "examples/widget/crds")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _explain(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(NAMES | INERT.keys()))
def test_every_marker_has_a_description(name: str) -> None:
    described = describe_marker(name)
    assert all(marker.comment for marker in described)
    # The other spellings of an enum's values set no option, and items have the options of their type.
    assert described or ":items:" in name or name.endswith(("Enum", "object:root", "k8s:enum")), name


def test_every_listed_name_is_known() -> None:
    assert [name for name in list_marker_names() if not describe_marker(name) and name not in NAMES] == []


@pytest.mark.parametrize(
    "name", ["kubebuilder:validation:MaxLength", "+kubebuilder:validation:MaxLength=63", "max_length",
             "protoc-gen-crd:max_length", "(protoc_gen_crd.v1.field).max_length"],
)  # fmt: skip
def test_a_marker_is_known_in_every_spelling(capsys: pytest.CaptureFixture[str], name: str) -> None:
    explanation = _explain(capsys, name)
    assert explanation.startswith("max_length\n\nThe maximum length of a string")
    assert "schema keyword: maxLength" in explanation
    assert "  +kubebuilder:validation:MaxLength=N\n" in explanation


def test_members_of_resources_have_a_prefix(capsys: pytest.CaptureFixture[str]) -> None:
    assert "  +protoc-gen-crd:resource.scope\n" in _explain(capsys, "kubebuilder:resource:scope=Cluster")


@pytest.mark.parametrize("kind", ["widgets", "Widget", "widget", "widgets.acme.example"])
def test_a_field_is_explained(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    explanation = _explain(capsys, f"{kind}.spec.size", "--from", CRDS)
    assert ": spec.size\n  string, required\n" in explanation
    assert "  - one of " in explanation


def test_paths_lead_through_maps_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert ": spec.parts\n  map of object\n" in _explain(capsys, "widgets.spec.parts", "--from", CRDS)
    assert "fields:" in _explain(capsys, "widgets", "--from", CRDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["widgets.spec.sise", "--from", CRDS], 'widgets.spec of v1 has no field "sise"; did you mean "size"?'),
        (["MaxLenght"], 'unknown rule, marker, or kind "MaxLenght"; did you mean "kubebuilder:validation:MaxLength"?'),
        (["widgits", "--from", CRDS], 'unknown rule, marker, or kind "widgits"; did you mean "widgets"?'),
        (["zzz", "--from", CRDS], "known kinds: widgets"),
        (["widgets", "--from", CRDS, "--api-version", "v9"], 'does not serve version "v9"; served versions: v1'),
        (["kubebuilder:validation:MaxLenght"], 'did you mean "kubebuilder:validation:MaxLength"?'),
        (["+kubebuilder:validation:MaxLenght=3"], 'did you mean "kubebuilder:validation:MaxLength"?'),
    ],
)
def test_an_unknown_name_has_a_hint(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["explain", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_input_that_does_not_compile_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "wrong.proto").write_text('syntax = "proto3";\nmessage {\n')
    assert main(["explain", "widgets", "--from", "wrong.proto"]) == 1
    assert "[proto-compile]" in capsys.readouterr().err
