"""`version add`, `deprecate`, and `remove` for gRPC API groups: packages, and annotated services."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT

GROUPS = ROOT / "testdata" / "groups"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [proto]\nout: gen\ngroups: groups\n")
    shutil.copytree(GROUPS / "storage", tmp_path / "proto/storage")
    (tmp_path / "proto/shop").mkdir()
    shutil.copy(GROUPS / "annotated/shop.proto", tmp_path / "proto/shop")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_a_package_is_copied(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = run(capsys, "version", "add", "v2alpha1", "--from", "v1", "--kind", "storage")
    assert status == 0, output
    assert output.startswith("wrote proto/storage/v2alpha1/api.proto\n")
    old, new = (folder / f"proto/storage/{name}/api.proto" for name in ("v1", "v2alpha1"))
    assert new.read_text() == old.read_text().replace("storage.v1;", "storage.v2alpha1;")
    assert run(capsys, "generate", "-q")[0] == 0
    assert "v2alpha1" in (folder / "gen/groups/storage/registry.py").read_text()


@pytest.mark.parametrize(("added", "source", "versions", "untils"), [
    ("v2alpha1", "v1", '["v1", "v2alpha1", "v1alpha1", "v1beta1"]', 'until = "v1alpha1"'),
    ("v1alpha2", "v1alpha1", '["v1", "v1alpha1", "v1alpha2", "v1beta1"]', 'until = "v1alpha2"'),
])  # fmt: skip
def test_an_annotated_service_gets_a_version(
    folder: Path, capsys: pytest.CaptureFixture[str], added: str, source: str, versions: str, untils: str
) -> None:
    status, output = run(capsys, "version", "add", added, "--from", source, "--kind", "shop")
    assert status == 0, output
    text = (folder / "proto/shop/shop.proto").read_text()
    assert f"versions: {versions}" in text
    assert text.count(untils) == 2
    assert run(capsys, "generate", "-q")[0] == 0
    assert added in (folder / "gen/groups/shop/registry.py").read_text()


@pytest.mark.parametrize(("arguments", "message"), [
    (("add", "v1beta2", "--from", "v1", "--kind", "storage"), "storage already has a version v1beta2"),
    (("add", "v1x", "--from", "v1", "--kind", "storage"), '"v1x" is not the name of an API version'),
    (
        ("add", "v1beta2", "--from", "v1alpha1", "--kind", "shop"),
        'range with "until" v1alpha1 cannot be extended to treat v1beta2',
    ),
    (("remove", "v1", "--kind", "shop"), "version v1 of shop is defined by an annotated service"),
    (("remove", "v1beta9", "--kind", "storage"), 'no version "v1beta9" in storage'),
    (("remove", "v1beta1", "--kind", "storage"), "the API would have errors, so nothing is changed"),
])  # fmt: skip
def test_an_impossible_change_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*.proto")}
    status, output = run(capsys, "version", *arguments)
    assert (status, message in output) == (1, True), output
    assert {path: path.read_bytes() for path in folder.rglob("*.proto")} == before


@pytest.mark.parametrize(("arguments", "hint"), [
    (("add", "1.12", "--from", "1.11"), 'set maximum of the option microversions to "1.12"'),
    (("deprecate", "1.10"), 'set deprecated_until of the option microversions to "1.10"'),
    (("remove", "1.9"), "set minimum of the option microversions to the next number"),
])  # fmt: skip
def test_a_microversion_is_edited_in_the_option_of_the_service(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], hint: str
) -> None:
    shutil.copytree(GROUPS / "microversions", folder / "proto/job")
    status, output = run(capsys, "version", *arguments)
    assert status == 1
    assert f"hint: {hint}" in output


@pytest.mark.parametrize("form", ["entries", "members", "marker"])
def test_a_version_of_an_annotated_service_is_deprecated(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    path = folder / "proto/shop/shop.proto"
    option = 'option (protoc_gen_crd.v1.service) = {versions: ["v1", "v1alpha1", "v1beta1"]};'
    forms = {
        "entries": option,
        "members": option.replace(" = {versions: ", ".versions = ").replace("};", ";"),
        "marker": "",
    }
    if form == "members":
        forms[form] = "".join(
            f'option (protoc_gen_crd.v1.service).versions = "{item}";' for item in ("v1", "v1alpha1", "v1beta1")
        )
    text = path.read_text().replace(option, forms[form])
    if form == "marker":
        text = text.replace(
            "// Sells things.", '// Sells things.\n// +protoc-gen-crd:versions=["v1", "v1alpha1", "v1beta1"]'
        )
    path.write_text(text)
    status, output = run(capsys, "version", "deprecate", "v1alpha1", "--kind", "shop", "--replacement", "v1")
    assert status == 0, output
    assert "deprecated_versions" in path.read_text()
    assert run(capsys, "generate", "-q")[0] == 0
    assert (
        'deprecated("version v1alpha1 of shop is deprecated: Use v1.")'
        in (folder / "gen/groups/shop/v1alpha1/client.py").read_text()
    )
    assert "version v1 of shop is deprecated" not in (folder / "gen/groups/shop/v1/client.py").read_text()
    protos = folder / "gen/groups/proto/shop"
    notice = "// Sells things.\n//\n// Deprecated: Use v1.\nservice Shop {\n  option deprecated = true;\n"
    assert notice in (protos / "v1alpha1/shop.proto").read_text()
    assert "// Sells things.\nservice Shop {\n  // Places an order.\n" in (protos / "v1/shop.proto").read_text()


def test_a_deprecated_version_exists(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "proto/shop/shop.proto"
    path.write_text(path.read_text().replace('"v1beta1"]}', '"v1beta1"] deprecated_versions: {version: "v1alpha2"}}'))
    status, output = run(capsys, "generate", "-q")
    assert (status, 'deprecated_versions names "v1alpha2", which group "shop" does not have' in output) == (1, True)
    assert output.count("deprecated_versions names") == 1
    assert "proto/shop/shop.proto:10:" in output


def test_a_version_is_deprecated_and_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = run(capsys, "version", "remove", "v1beta3", "--kind", "storage")
    assert (status, "no release is recorded, so the deprecation period of " in output) == (1, True)
    assert run(capsys, "history", "record", "1.0", "--date", "2026-01-01")[0] == 0
    status, output = run(capsys, "version", "remove", "v1beta3", "--kind", "storage", "--date", "2026-02-01")
    assert (status, "it was never deprecated" in output) == (1, True), output
    warning = "Use v1."
    command = ("version", "deprecate", "v1beta3", "--kind", "storage", "--warning", warning)
    status, output = run(capsys, *command)
    assert status == 0, output
    text = (folder / "proto/storage/v1beta3/api.proto").read_text()
    assert "// Deprecated: Use v1.\npackage storage.v1beta3;" in text
    for release, date in (("1.1", "2026-02-01"), ("1.2", "2026-06-01"), ("1.3", "2026-09-01")):
        assert run(capsys, "history", "record", release, "--date", date)[0] == 0
    status, output = run(capsys, "version", "remove", "v1beta3", "--kind", "storage", "--date", "2026-12-01")
    assert status == 0, output
    assert not (folder / "proto/storage/v1beta3").exists()
    assert run(capsys, "history", "check", "--date", "2026-12-01")[0] == 0
