"""Packages of generated modules: discovery, import, and problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.conversion.converter_packages import find_packages, load_converters
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.webhook.served_kinds import load_kinds
from tests.unit.conversion.test_file_conversion import CRD, RULES

PACKAGE = """from collections.abc import Callable
from . import things
class ConversionError(ValueError): ...
CONVERTERS: dict[tuple[str, str], Callable] = {("acme.example", "Thing"): things.convert}
"""
MODULE = """VERSIONS = ("v1", "v2")
def convert(source, version):
    from . import ConversionError
    raise ConversionError("spec: must be something")
"""


def package(folder: Path, module: str = MODULE) -> Path:
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "things.py").write_text(module)
    return folder


def test_only_packages_that_the_settings_or_the_command_line_name_are_imported(tmp_path: Path) -> None:
    own, other = package(tmp_path / "crds" / "converters"), package(tmp_path / "crds" / "other")
    assert find_packages([str(tmp_path), str(own), str(other)], Settings()) == []
    settings = Settings(out=str(tmp_path / "crds"), converters="converters")
    assert [find_packages([str(path)], settings) for path in (tmp_path, own, other)] == [[own], [own], []]
    imported = Settings(converter_packages=(str(other), str(other)))
    assert find_packages([str(tmp_path)], imported) == [other]
    assert find_packages([], settings.replace(converters="missing")) == []


def test_errors_of_a_package_are_ours(tmp_path: Path) -> None:
    kind = load_converters([package(tmp_path / "a")], Problems())["acme.example", "Thing"]
    assert kind.versions == ("v1", "v2")
    with pytest.raises(ConversionError, match="spec: must be something"):
        kind.convert({}, "v2")


def test_two_packages_with_one_kind(tmp_path: Path) -> None:
    problems = Problems()
    load_converters([package(tmp_path / "a"), package(tmp_path / "b")], problems)
    assert [finding.rule for finding in problems.findings] == ["crd-repeated"]


def test_a_package_that_breaks(tmp_path: Path) -> None:
    with pytest.raises(ImportError, match="/a cannot be imported: ZeroDivisionError: division by zero"):
        load_converters([package(tmp_path / "a", "1 / 0")], Problems())


@pytest.mark.parametrize("prefix", ["", "release."])
def test_rules_of_kinds_that_modules_convert_are_skipped(tmp_path: Path, prefix: str) -> None:
    (tmp_path / "crd.yaml").write_text(CRD)
    (tmp_path / "kcp.yaml").write_text(RULES.replace("name: thing.", f"name: {prefix}things."))
    modules = load_converters([package(tmp_path / "a")], problems := Problems())
    documents = InputDocuments(Settings(), [str(tmp_path / "crd.yaml"), str(tmp_path / "kcp.yaml")], problems)
    load_documents(documents)
    kind = load_kinds(documents, modules)["acme.example", "Thing"]
    assert (kind.convert, problems.findings) == (modules["acme.example", "Thing"].convert, [])


def test_versions_that_a_module_does_not_support_are_reported(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(CRD)
    modules = load_converters([package(tmp_path / "a", MODULE.replace('"v2"', '"v3"'))], problems := Problems())
    documents = InputDocuments(Settings(), [str(tmp_path / "crd.yaml")], problems)
    load_documents(documents)
    load_kinds(documents, modules)
    messages = [finding.message for finding in problems.findings if finding.rule == "conversion-outdated"]
    assert messages == ["the converters of things.acme.example do not support v2"]
