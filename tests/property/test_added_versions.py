"""A version that is added to a random API has the schema of its source, and no other version changes.

The CRDs are generated before and after by `generate`, and compared as YAML. A change that is rejected leaves all files
as they were.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main
from tests.support.goldens import read_folder
from tests.support.yaml_data import load_yaml

AGES = ("v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2")
OF_VERSION = ("name", "served", "storage", "deprecated", "deprecationWarning")
SEEDS = range(10)
SETTINGS = """inputs: [api]
findings:
- {rule: version-loss, severity: "off"}
- {rule: version-differs, severity: "off"}
- {rule: version-range-unused, severity: "off"}
"""


class RandomApi:
    """A kind with random versions, ranges and constraints, in one message or in packages."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.is_packaged = seed % 3 == 0
        self.versions = sorted(self.random.sample(AGES[:-1], self.random.randint(1, 4)), key=AGES.index)
        self.storage = self.random.choice(self.versions)
        self.source = self.random.choice(self.versions)
        self.version = self.random.choice([name for name in AGES if name not in self.versions])
        self.end = self.random.choice(["\n", "\r\n"])
        self.tab = self.random.choice(["  ", "\t"])

    def make_files(self) -> dict[str, str]:
        if not self.is_packaged:
            listed = ", ".join(f'"{name}"' for name in self.versions)
            return {"api/widget.proto": self._make_proto("acme.widgets", f"versions: [{listed}]", ranged=True)}
        return {
            f"api/acme/{name}/widget.proto": self._make_proto(f"acme.{name}", "", ranged=False)
            for name in self.versions
        }

    def _make_proto(self, package: str, listed: str, *, ranged: bool) -> str:
        syntax = self.random.choice(['syntax = "proto3";', 'edition = "2023";'])
        option = f'group: "acme.example" {listed} storage_version: "{self.storage}"'
        separator = self.random.choice([" ", f"{self.end}{self.tab}{self.tab}"])
        lines = [
            syntax, f"package {package};", 'import "protoc_gen_crd/v1/options.proto";', "// A widget of v1.",
            *self._make_rules(ranged=ranged), "message Widget {",
            f"{self.tab}option (protoc_gen_crd.v1.resource) = {{{separator}{option}{separator}}};",
            *self._make_fields("Part", ranged=ranged), "}",
            "message Part {", *self._make_fields("Color", ranged=ranged), "}",
            "enum Color {", f"{self.tab}NONE = 0;", *self._make_value(ranged=ranged), "}",
        ]  # fmt: skip
        return self.end.join(lines) + self.end

    def _make_rules(self, *, ranged: bool) -> list[str]:
        prefix = self._make_prefix() if ranged else ""
        return [f"// +protoc-gen-crd:{prefix}kubebuilder:validation:MinProperties=1"] if prefix else []

    def _make_value(self, *, ranged: bool) -> list[str]:
        bounds = self._choose_bounds() if ranged else {}
        ends = ", ".join(f'(protoc_gen_crd.v1.enum_value).{end} = "{name}"' for end, name in bounds.items())
        return [f"{self.tab}RED = 1{f' [{ends}]' if ends else ''};"]

    def _make_fields(self, inner: str, *, ranged: bool) -> list[str]:
        lines = []
        for number in range(1, self.random.randint(2, 5)):
            bounds = self._choose_bounds() if ranged else {}
            form = self.random.choice(["option", "comment", "during"])
            kind = inner if number == 1 else "string"
            if form == "comment":
                lines += [f"{self.tab}// +protoc-gen-crd:{end}={name}" for end, name in bounds.items()]
                lines.append(f"{self.tab}{kind} f{number} = {number};")
                continue
            ends = " ".join(f'{end}: "{name}"' for end, name in bounds.items())
            value = f"{{during: {{{ends} title: 'x'}}}}" if form == "during" else f"{{{ends}}}"
            options = f"{self.tab}[(protoc_gen_crd.v1.field) = {value}]" if bounds else ""
            lines.append(f"{self.tab}{kind} f{number} = {number}{options};")
        return [*lines, f"{self.tab}string always = 10;"]

    def _make_prefix(self) -> str:
        return "".join(f"{end}({name}):" for end, name in self._choose_bounds().items())

    def _choose_bounds(self) -> dict[str, str]:
        chosen = sorted(self.random.choices(self.versions, k=2), key=AGES.index)
        bounds = dict(zip(("since", "until"), chosen, strict=True))
        return {end: name for end, name in bounds.items() if self.random.random() < 0.4}


def generate() -> dict[str, dict[str, Any]]:
    """Return the versions of the generated CRD by name."""
    assert main(["generate", "--quiet", "--fail-on", "error"]) == 0
    crd = load_yaml(Path("crds/acme.example_widgets.yaml").read_text("utf-8"))
    return {entry["name"]: entry for entry in crd["spec"]["versions"]}


def make_api(seed: int, folder: Path) -> RandomApi:
    """Write a random API that can be generated; ranges may remove everything from a version."""
    api = RandomApi(seed)
    for name, text in {**api.make_files(), "protoc-gen-crd.yaml": SETTINGS}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return api


@pytest.mark.parametrize("seed", SEEDS)
def test_an_added_version_is_a_copy(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    api = make_api(seed, tmp_path)
    before = generate()
    files = read_folder(tmp_path / "api")
    status = main(["version", "add", api.version, "--from", api.source])
    errors = capsys.readouterr().err
    if status:
        assert read_folder(tmp_path / "api") == files
        assert "[edit-source]" in errors, errors
        return
    after = generate()
    new = after.pop(api.version)
    assert after == before
    shared, expected = (
        {key: entry[key] for key in entry if key not in OF_VERSION} for entry in (new, before[api.source])
    )
    assert shared == expected
    assert (new["served"], new["storage"]) == (True, False)


def test_most_random_versions_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fail for a command that rejects everything, which the other tests would accept."""
    added = 0
    for seed in SEEDS[:5]:
        folder = tmp_path / str(seed)
        (folder / ".git").mkdir(parents=True)
        monkeypatch.chdir(folder)
        api = make_api(seed, folder)
        added += main(["version", "add", api.version, "--from", api.source]) == 0
    capsys.readouterr()
    assert added >= 3
