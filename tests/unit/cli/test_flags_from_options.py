from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.merged_options import list_options
from protoc_gen_crd.settings.plugin_parameters import format_parameter, parse_parameter
from protoc_gen_crd.settings.settings import Settings


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def settings(*arguments: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_flags(parser, "generate")
    problems = Problems()
    result = read_command_settings(parser.parse_args(arguments), problems)
    assert problems.findings == []
    return result


def test_without_flags_all_options_have_their_defaults() -> None:
    assert settings() == Settings()


def test_a_former_flag_sets_its_option_and_is_reported() -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser, "convert")
    arguments = parser.parse_args(["--converters", "old", "--converter-package", "new"])
    changed = read_command_settings(arguments, problems := Problems())
    assert changed.converter_packages == ("old", "new")
    assert [(finding.rule, finding.message, finding.hint) for finding in problems.findings] == [
        ("option-renamed", 'flag "--converters" is renamed to "--converter-package"',
         'replace "--converters" with "--converter-package"'),
    ]  # fmt: skip
    assert "--converters" not in parser.format_help()


def test_flags_of_every_type() -> None:
    assert settings(
        "--no-include-description", "--node-limit", "7", "-I", "a", "--import-path", "b", "--target", "x*", "--check",
        "--compat", "istio", "--max-description-length=0", "--enum-as-int-or-string", "--header", "a,b",
    ) == Settings(
        include_description=False, node_limit=7, import_paths=("a", "b"), targets=("x*",), check=True, compat="istio",
        max_description_length=0, enum_as_int_or_string=True, header="a,b",
    )  # fmt: skip


def test_flags_stand_over_the_settings_file() -> None:
    Path("pyproject.toml").write_text('[tool.protoc-gen-crd]\nformat = "json"\nout = "x"\nimport_paths = ["p"]\n')
    command_settings = settings("--out", "y")
    assert command_settings.replace(places={}) == Settings(
        settings="pyproject.toml", format="json", out="y", import_paths=("p",)
    )  # fmt: skip
    assert sorted(command_settings.places) == ["format", "import_paths", "import_paths[0]"]


def test_every_flag_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser, "generate")
    text = parser.format_help()
    flags = {name for name, option in list_options("flag").items() if "generate" in option.commands}
    assert all(f"--{name.replace('_', '-')}" in text for name in flags - {"import_paths", "targets"})
    assert "--jobs" not in text
    assert "-I PATH, --import-path PATH" in text


def test_settings_are_a_parameter_again() -> None:
    expected = Settings(
        compat="istio", header="a, b", include_description=False, max_description_length=0, ignored_options=("a", "b")
    )
    assert parse_parameter(format_parameter(expected), problems := Problems()) == expected
    assert problems.findings == []
    assert format_parameter(Settings(out="x", dump_request="y")) == ""
