"""What is served: the kinds of CRDs with what converts and judges their objects, from files and generated modules."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.conversion.helpers.runtime import ConversionError
from protoc_gen_crd.testing.conversions import Conversions, forget_losses
from protoc_gen_crd.testing.definitions import Definition
from protoc_gen_crd.testing.session import Session
from protoc_gen_crd.webhook.review import Convert, Json, Judge, Judgement, Kind

_PACKAGE = "__init__.py"
_TABLE = "CONVERTERS: dict["  # in every package that `generate` writes, and in few others
_NUMBERS = count(1)

Table = dict[tuple[str, str], Kind]


def packages(paths: Iterable[str]) -> list[Path]:
    """The folders of generated modules in paths or below them."""
    inits = (file for path in paths if Path(path).is_dir() for file in sorted(Path(path).rglob(_PACKAGE)))
    found = [file.parent.resolve() for file in inits if _TABLE in file.read_text("utf-8", "replace")]
    return list(dict.fromkeys(found))


def converters(folders: Sequence[Path], problems: Problems) -> Table:
    """The kinds that modules of some folders convert; of one in two of them the first counts, with a finding."""
    found: Table = {}
    for folder in folders:
        package = _imported(folder, f"protoc_gen_crd_served_{next(_NUMBERS)}")
        for key, convert in package.CONVERTERS.items():
            if key in found:
                message = f"a kind must be converted by one module, found another of {'/'.join(filter(None, key))}"
                problems.report("crd-repeated", message, Location(str(folder)))
            versions = tuple(sys.modules[convert.__module__].VERSIONS)
            kind = Kind(key[0], key[1], versions, _telling(convert, package.ConversionError))
            found.setdefault(key, kind)
    return found


def _telling(convert: Convert, its_own: type[Exception]) -> Convert:
    """A function of a package that has errors of its own, with ours."""

    def told(source: Json, version: str) -> Json:
        try:
            return convert(source, version)
        except its_own as error:
            raise ConversionError(str(error)) from None

    return told


def _imported(folder: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, folder / _PACKAGE, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - functions written by hand may raise anything
        raise ImportError(f"{folder} cannot be imported: {type(error).__name__}: {error}") from None
    return module


def kinds(session: Session, modules: Table) -> Table:
    """The kinds of a run that has been loaded, and of modules. What is wrong with them is reported to the session."""
    forget_losses(session.problems)
    conversions = Conversions(session, beside=modules)
    found = dict(modules)
    for definition in session.definitions:
        crd = definition.crd
        if crd is not None:
            key = crd.group, crd.names.kind
            versions = tuple(version.name for version in crd.versions)
            convert = modules[key].convert if key in modules else conversions.by_kind.get(key)
            found[key] = Kind(*key, versions, convert, _judge(definition, session.asked))
    return found


def _judge(definition: Definition, asked: Sequence[int]) -> Judge:
    def judge(obj: Json, old: Json | None, status: bool) -> Judgement:  # noqa: FBT001 - the protocol of judges
        errors: dict[str, str] = {}
        if old is not None:
            obj = {**obj, "metadata": _unchanged(obj.get("metadata"), old.get("metadata"))}
        warnings: dict[str, None] = {}
        for answer in definition.answers(obj, old, asked, status=status):
            errors |= {said.text: said.path for said in answer.errors}
            warnings |= dict.fromkeys((*answer.warnings, *answer.strict))
        return Judgement(tuple((path, text) for text, path in errors.items()), tuple(warnings))

    return judge


def _unchanged(new: Any, old: Any) -> Any:
    """Metadata of an update without what the server gave the object, for which the validator has its own."""
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    return {name: value for name, value in new.items() if name != "uid" or value != old.get(name)}
