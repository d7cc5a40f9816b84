"""The served kinds of CRDs, with their converters and validators from files and generated modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.converter_packages import ConverterModule, ConverterModules
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.testing.file_conversion import FileConverter, ignore_losses
from protoc_gen_crd.testing.session import Session
from protoc_gen_crd.webhook.review import AdmissionResult, Json, ServedKind, ValidateFunction

KindTable = dict[tuple[str, str], ServedKind]


def make_module_kinds(modules: ConverterModules) -> KindTable:
    """The kinds of modules, which nothing judges."""
    return {key: ServedKind(*key, module.versions, module.convert) for key, module in modules.items()}


def load_kinds(session: Session, modules: ConverterModules) -> KindTable:
    """The kinds of a run that has been loaded, and of modules. What is wrong with them is reported to the session."""
    ignore_losses(session.problems)
    conversions = FileConverter(session, modules, prefer_modules=True)
    found = make_module_kinds(modules)
    for definition in session.definitions:
        crd = definition.crd
        if crd is not None:
            key = crd.group, crd.names.kind
            versions = tuple(version.name for version in crd.versions)
            _check_module_versions(crd, modules.get(key), session.problems)
            found[key] = ServedKind(
                *key, versions, conversions.converters.get(key), _make_validate_function(definition, session.minors)
            )
    return found


def _check_module_versions(crd: Crd, module: ConverterModule | None, problems: Problems) -> None:
    """Report versions of a CRD that its module does not know: each request for them fails."""
    unknown = [version.name for version in crd.versions if module and version.name not in module.versions]
    if module and unknown:
        problem = f"the converters of {crd.name} do not support {', '.join(unknown)}"
        hint = "generate the converters and the CRD in the same run"
        problems.report("conversion-outdated", problem, Location(module.file), path=crd.name, hint=hint)


def _make_validate_function(definition: CrdDefinition, asked: Sequence[int]) -> ValidateFunction:
    def validate(obj: Json, old: Json | None, status: bool) -> AdmissionResult:  # noqa: FBT001 - the protocol of judges
        errors: dict[str, str] = {}
        if old is not None:
            obj = {**obj, "metadata": _drop_server_uid(obj.get("metadata"), old.get("metadata"))}
        warnings: dict[str, None] = {}
        for answer in definition.validate(obj, old, asked, status=status):
            errors |= {said.text: said.path for said in answer.errors}
            warnings |= dict.fromkeys((*answer.warnings, *answer.unknown_fields))
        return AdmissionResult(tuple((path, text) for text, path in errors.items()), tuple(warnings))

    return validate


def _drop_server_uid(new: Any, old: Any) -> Any:
    """Metadata of an update without what the server gave the object, for which the validator has its own."""
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    return {name: value for name, value in new.items() if name != "uid" or value != old.get(name)}
