"""The finder of the modules of this package finds what Python's own finders find."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path

import pytest

import protoc_gen_crd
from protoc_gen_crd.base.module_finder import ModuleFinder

FOLDER = Path(protoc_gen_crd.__file__).parent
NAMES = [
    f"protoc_gen_crd.{'.'.join(file.relative_to(FOLDER).with_suffix('').parts)}".removesuffix(".__init__")
    for file in sorted(FOLDER.rglob("*.py"))
    if file != FOLDER / "__init__.py"
]


def find_folders(name: str) -> list[str]:
    return [str(FOLDER.joinpath(*name.split(".")[1:-1]))]


def describe(spec: ModuleSpec | None) -> object:
    assert spec is not None
    assert isinstance(spec.loader, SourceFileLoader)
    loader = spec.loader.name, spec.loader.path
    return spec.name, spec.origin, spec.cached, spec.has_location, spec.submodule_search_locations, loader


def test_every_module_is_found_as_python_finds_it() -> None:
    found = [describe(ModuleFinder.find_spec(name, find_folders(name))) for name in NAMES]
    assert found == [describe(PathFinder.find_spec(name, find_folders(name))) for name in NAMES]


def test_all_modules_are_source_files() -> None:
    """A module in another format would need Python's own finders, and a folder without `__init__.py` too."""
    modules = {module.name for module in pkgutil.walk_packages([str(FOLDER)], "protoc_gen_crd.")}
    assert modules <= set(NAMES)
    assert len(NAMES) > 500


def test_other_modules_are_left_to_python() -> None:
    assert ModuleFinder.find_spec("json.decoder", [str(FOLDER)]) is None
    assert ModuleFinder.find_spec("protoc_gen_crd", None) is None
    assert ModuleFinder.find_spec("protoc_gen_crd.base.absent", find_folders("protoc_gen_crd.base.absent")) is None


def test_a_missing_module_is_an_import_error() -> None:
    code = (
        "from protoc_gen_crd.base.module_finder import install_module_finder\n"
        "install_module_finder()\n"
        "install_module_finder()\n"
        "import sys\n"
        "assert [getattr(finder, '__name__', '') for finder in sys.meta_path].count('ModuleFinder') == 1\n"
        "import protoc_gen_crd.base.absent\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'protoc_gen_crd.base.absent'"


@pytest.mark.parametrize("flags", [[], ["-O"], ["-X", "pycache_prefix=elsewhere"]])
def test_bytecode_is_where_python_expects_it(flags: list[str]) -> None:
    code = (
        "from protoc_gen_crd.base.module_finder import install_module_finder\n"
        "install_module_finder()\n"
        "from importlib.util import cache_from_source\n"
        "from protoc_gen_crd.base import escapes\n"
        "assert escapes.__spec__.cached == cache_from_source(escapes.__file__)\n"
    )
    subprocess.run([sys.executable, "-B", *flags, "-c", code], check=True)
