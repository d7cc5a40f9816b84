"""Generated code of groups is clean under mypy and ruff, whatever names and comments the protos have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.groups import generate_package, import_package

GROUPS = ROOT / "testdata" / "groups"
FOLDERS = ("annotated", "microversions", "names", "storage")


@pytest.fixture(scope="module", params=FOLDERS)
def generated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Generate the package of a folder of protos."""
    source, folder = GROUPS / request.param, tmp_path_factory.mktemp(request.param)
    prefix = "" if request.param == "names" else f"{request.param}/"
    protos = {f"{prefix}{path.relative_to(source).as_posix()}": path.read_text() for path in source.rglob("*.proto")}
    name, findings = generate_package(protos, folder)
    assert {finding.rule for finding in findings} <= {"group-enum"}
    return folder, name


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_mypy_accepts_the_code(generated: tuple[Path, str], mypy_cache: Path) -> None:
    folder, name = generated
    arguments = ("--strict", "--config-file=", "--no-error-summary", "--cache-dir", str(mypy_cache))
    assert run(folder, "mypy", *arguments, str(folder / name)) == ""


def test_ruff_accepts_the_code(generated: tuple[Path, str]) -> None:
    folder, name = generated
    assert run(folder, "ruff", "check", "--isolated", name) == "All checks passed!\n"


def test_names_are_escaped(tmp_path: Path) -> None:
    """Convert messages whose names are keywords, names of types, or names in the generated modules."""
    source = GROUPS / "names"
    protos = {path.relative_to(source).as_posix(): path.read_text() for path in source.rglob("*.proto")}
    package, _ = generate_package(protos, tmp_path)
    with import_package(tmp_path, package, "nasty") as nasty:
        hub, messages, conversions = [nasty.load(name) for name in ("hub", "v1.messages", "v1.conversions")]
        inner = messages.Outer.Inner(self=messages.Outer.Inner(), outer=messages.Outer(), e=0)
        expected = hub.OuterInner(hub.OuterInner(), hub.Outer(), hub.OuterInnerE.X)
        assert conversions.outer_inner_to_hub(inner) == expected
        target = messages.Outer()
        conversions.outer_from_hub(hub.Outer(expected), target)
        assert target.Outer == inner
        assert [name for name in dir(nasty.load("api").Server) if not name.startswith("_")] == [
            "class_", "get", "get_http_server2_info", "import_", "import_2", "x",
        ]  # fmt: skip
    with import_package(tmp_path, package, "other_group") as other:
        message = other.load("v1.messages").Req(a=0, b=0, e=3)
        converted = other.load("v1.conversions").req_to_hub(message)
        assert (converted.a, converted.b, converted.e) == (0, 0, 3)
