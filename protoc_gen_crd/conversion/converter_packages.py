"""Import generated conversion packages that the user has named.

Importing a package runs its code. So only the settings and the command line can name packages.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import ModuleType

from protoc_gen_crd.base.input_files import check_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.conversion.codegen.handwritten_functions import get_converters_folder
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.runtime.runtime import ConversionError, Object
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import Settings

_PACKAGE = "__init__.py"
_NUMBERS = count(1)


class ConverterModule(Record):
    """The conversion of a kind by a module: versions, function and file."""

    versions: tuple[str, ...]
    convert: Convert
    file: str


ConverterModules = Mapping[tuple[str, str], ConverterModule]  # by group and kind


def find_packages(paths: Iterable[str], settings: Settings) -> list[Path]:
    """Return the packages to import: those of `--converter-package`, and that of the settings if it is in the paths."""
    named = [resolve_links(folder) for folder in settings.converter_packages]
    own = resolve_links(get_converters_folder(settings))
    if settings.converters and (own / _PACKAGE).is_file() and any(_contains(path, own) for path in paths):
        named.append(own)
    return list(dict.fromkeys(named))


def _contains(path: str, folder: Path) -> bool:
    return folder.is_relative_to(resolve_links(path))


def shorten_path(path: str | Path) -> str:
    """Return a path below the current folder relative to it, and any other path as it is."""
    here = Path.cwd()
    return str(Path(path).relative_to(here) if Path(path).is_relative_to(here) else path)


def load_converters(folders: Sequence[Path], problems: Problems) -> ConverterModules:
    """Import packages and return their converters; a second converter of a kind is reported and ignored."""
    converters: dict[tuple[str, str], ConverterModule] = {}
    for folder in folders:
        package = _import_package(folder, f"protoc_gen_crd_served_{next(_NUMBERS)}")
        for key, convert in package.CONVERTERS.items():
            if key in converters:
                message = f"another module converts {'/'.join(filter(None, key))} already"
                problems.report("crd-repeated", message, Location(shorten_path(folder)))
            module = sys.modules[convert.__module__]
            function = _translate_errors(convert, package.ConversionError)
            converter = ConverterModule(tuple(module.VERSIONS), function, shorten_path(str(module.__file__)))
            converters.setdefault(key, converter)
    return converters


def _translate_errors(convert: Convert, package_error: type[Exception]) -> Convert:
    """Wrap a function so that it raises our ConversionError."""

    def convert_object(source: Object, version: str) -> Object:
        try:
            return convert(source, version)
        except package_error as error:
            raise ConversionError(str(error)) from error.__cause__

    return convert_object


def _check_files(folder: Path) -> None:
    """Raise ImportError for a folder that cannot be read, and for a module that is a special file or very large."""
    for file in (folder, *sorted(folder.glob("*.py"))):
        try:
            check_file(file)
        except OSError as error:
            raise ImportError(f"{file} cannot be imported: {error.strerror}") from None


def _import_package(folder: Path, name: str) -> ModuleType:
    path = folder.absolute()  # Python keeps finders of relative paths after a change of the working folder
    spec = importlib.util.spec_from_file_location(name, path / _PACKAGE, submodule_search_locations=[str(path)])
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} cannot be imported")
    _check_files(folder)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    wrote_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # the folder is the user's
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - functions written by hand may raise anything
        raise ImportError(f"{folder} cannot be imported: {type(error).__name__}: {error}") from None
    finally:
        sys.dont_write_bytecode = wrote_bytecode
    return module
