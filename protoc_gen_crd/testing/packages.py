"""Packages that `generate` has written: found below folders, imported, and which kinds they convert."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import ModuleType

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.helpers.runtime import ConversionError, Object
from protoc_gen_crd.conversion.proof.laws import Convert

_PACKAGE = "__init__.py"
_TABLE = "CONVERTERS: dict["  # in every package that `generate` writes, and in few others
_NUMBERS = count(1)


class Written(Record):
    """A kind as a module converts it: its versions, the function, and the file."""

    versions: tuple[str, ...]
    convert: Convert
    file: str


Modules = Mapping[tuple[str, str], Written]  # by group and kind


def packages(paths: Iterable[str]) -> list[Path]:
    """The folders of generated modules in paths or below them; hidden folders hold none of the user's."""
    inits = (file for path in paths for file in _inits(path))
    found = [file.parent.resolve() for file in inits if _TABLE in file.read_text("utf-8", "replace")]
    return list(dict.fromkeys(found))


def _inits(path: str) -> Iterator[Path]:
    for here, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if _PACKAGE in files:
            yield Path(here, _PACKAGE)


def converters(folders: Sequence[Path], problems: Problems) -> Modules:
    """The kinds that modules of some folders convert; of one in two of them the first counts, with a finding."""
    found: dict[tuple[str, str], Written] = {}
    for folder in folders:
        package = _imported(folder, f"protoc_gen_crd_served_{next(_NUMBERS)}")
        for key, convert in package.CONVERTERS.items():
            if key in found:
                message = f"a kind must be converted by one module, found another of {'/'.join(filter(None, key))}"
                problems.report("crd-repeated", message, Location(str(folder)))
            module = sys.modules[convert.__module__]
            made = Written(tuple(module.VERSIONS), _telling(convert, package.ConversionError), str(module.__file__))
            found.setdefault(key, made)
    return found


def _telling(convert: Convert, its_own: type[Exception]) -> Convert:
    """A function of a package that has errors of its own, with ours."""

    def told(source: Object, version: str) -> Object:
        try:
            return convert(source, version)
        except its_own as error:
            raise ConversionError(str(error)) from error.__cause__

    return told


def _imported(folder: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, folder / _PACKAGE, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # the folder is the user's
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - functions written by hand may raise anything
        raise ImportError(f"{folder} cannot be imported: {type(error).__name__}: {error}") from None
    finally:
        sys.dont_write_bytecode = before
    return module
