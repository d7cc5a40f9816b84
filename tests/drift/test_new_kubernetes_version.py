"""The page on a new Kubernetes version: its rows add a fake 1.38, and it lists the modules of old versions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "new-kubernetes-version.md"
# The place of a row of the page: after this line of the file.
ANCHORS = {
    "protoc_gen_crd/kubernetes/supported_versions.py": "KUBERNETES_GO = {\n",
    "protoc_gen_crd/cel/version_differences.py": '\nNEVER = Switch("never", UNLIMITED, "what no server has")\n',
    "protoc_gen_crd/cel/library/declarations/strings.py": "\nOVERLOADS = (\n",
}
OPENING = ("{\n", "(\n")
IMPORT = "from protoc_gen_crd.cel.version_differences import SHOUT"
# Runs the command with other sources of these modules.
PROGRAM = """
import json, sys
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec

SOURCES = json.loads(sys.argv.pop(1))

class Loader(SourceLoader):
    def get_filename(self, name): return SOURCES[name][0]
    def get_data(self, path): return next(text for file, text in SOURCES.values() if file == path).encode()

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, Loader(), origin=SOURCES[name][0]) if name in SOURCES else None

sys.meta_path.insert(0, Finder)
from protoc_gen_crd.__main__ import run
sys.exit(run())
"""
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "name": {
                                "type": "string",
                                "maxLength": 9,
                                "x-kubernetes-validations": [{"rule": "self.shout() == 'ABC'"}],
                            }
                        },
                    }
                },
            }
        ],
    },
}


def read_rows() -> dict[str, str]:
    """Return the rows of the page by file."""
    blocks = re.findall(r"<!-- row of (\S+) -->\n *```python\n *(.*)\n *```", PAGE.read_text("utf-8"))
    return dict(blocks)


def edit_sources() -> dict[str, tuple[str, str]]:
    """Return file and source of each module that has a row, with that row."""
    sources = {}
    for file, row in read_rows().items():
        text, anchor = (ROOT / file).read_text("utf-8"), ANCHORS[file]
        assert text.count(anchor) == 1, file
        edited = text.replace(anchor, f"{anchor}{row}{',' if anchor.endswith(OPENING) else ''}\n")
        if "since=SHOUT" in row:
            start = "\nfrom protoc_gen_crd"
            edited = edited.replace(start, f"{start}.cel.version_differences import SHOUT{start}", 1)
        sources[file.removesuffix(".py").replace("/", ".")] = (str(ROOT / file), edited)
    return sources


def validate(folder: Path, name: str, *arguments: str) -> tuple[int, str]:
    """Validate the CRD and an object with this name by Kubernetes with the rows of the page."""
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "name": name}
    (folder / "all.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [CRD, widget]}))
    command = [sys.executable, "-c", PROGRAM, json.dumps(edit_sources()), "validate", "all.json", *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize("arguments", [("--kubernetes", "1.38"), ("--kubernetes", "1.38..1.38"), ()])
def test_a_new_version_needs_rows_alone(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Its function is known in it, it is the newest, and rules with the function are evaluated."""
    assert validate(tmp_path, "abc", *arguments)[0] == 0
    status, text = validate(tmp_path, "abd", *arguments)
    assert (status, "failed rule: self.shout() == 'ABC'" in text) == (1, True), text


def test_the_version_before_does_not_change(tmp_path: Path) -> None:
    status, text = validate(tmp_path, "abc", "--kubernetes", "1.37..1.38")
    assert status == 1
    assert "undeclared reference to 'shout'" in text
    assert "rejected by Kubernetes 1.37:" in text, text


def test_versions_after_the_newest_are_rejected(tmp_path: Path) -> None:
    status, text = validate(tmp_path, "abc", "--kubernetes", "1.39")
    assert (status, "a Kubernetes version from 1.25 to 1.38" in text) == (2, True), text


def test_the_page_names_the_supported_versions() -> None:
    assert f"supports Kubernetes 1.{OLDEST} to 1.{NEWEST}." in PAGE.read_text("utf-8")


def test_modules_of_old_versions_are_listed() -> None:
    """`parser_1_27.py` serves versions up to 1.27, so it is removed when 1.28 is the oldest."""
    rows = dict(re.findall(r"^\| 1\.(\d+) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
    package = ROOT / "protoc_gen_crd"
    for path in package.rglob("*_1_[0-9][0-9].py"):
        last = int(path.stem.rpartition("_")[2])
        assert path.relative_to(package).as_posix() in rows[str(last + 1)]
    for name in re.findall(r"`(cel/[a-z0-9_/]+\.py)`", "".join(rows.values())):
        assert (package / name).is_file(), name
