"""The served kinds of CRDs, with their converters and validators from files and generated modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.conversion.converter_packages import ConverterModule, ConverterModules
from protoc_gen_crd.conversion.file_conversion import FileConverter, ignore_losses
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.webhook.review_types import Json, ServedKind, ValidateFunction

KindTable = dict[tuple[str, str], ServedKind]


def make_module_kinds(modules: ConverterModules) -> KindTable:
    """Return the kinds of converter modules, without validators."""
    return {key: ServedKind(*key, module.versions, module.convert) for key, module in modules.items()}


def load_kinds(documents: InputDocuments, modules: ConverterModules) -> KindTable:
    """Return the kinds of loaded documents and of modules. Findings are added to those of the documents."""
    ignore_losses(documents.problems)
    conversions = FileConverter(documents, modules, prefer_modules=True)
    kinds = make_module_kinds(modules)
    for definition in documents.definitions:
        crd = definition.crd
        if crd is not None:
            key = crd.group, crd.names.kind
            versions = tuple(version.name for version in crd.versions)
            _check_module_versions(crd, modules.get(key), documents.problems)
            kinds[key] = ServedKind(
                *key, versions, conversions.converters.get(key), _make_validate_function(definition, documents.minors)
            )
    return kinds


def _check_module_versions(crd: Crd, module: ConverterModule | None, problems: Problems) -> None:
    """Report versions of a CRD that its module does not support: requests for them fail."""
    unknown = [version.name for version in crd.versions if module and version.name not in module.versions]
    if module and unknown:
        problem = f"the converters of {crd.name} do not support {', '.join(unknown)}"
        hint = "generate the converters and the CRD in the same run"
        problems.report("conversion-outdated", problem, Location(module.file), path=crd.name, hint=hint)


def _make_validate_function(definition: CrdDefinition, minors: Sequence[int]) -> ValidateFunction:
    def validate(obj: Json, old: Json | None, status: bool) -> Verdict:  # noqa: FBT001 - the signature of ValidateFunction
        causes: dict[str, Cause] = {}
        if old is not None:
            obj = {**obj, "metadata": _drop_server_uid(obj.get("metadata"), old.get("metadata"))}
        warnings: dict[str, Cause] = {}
        for verdict in definition.validate(obj, old, minors, status=status):
            causes |= {cause.message: cause for cause in verdict.causes}
            warnings |= {cause.message: cause for cause in (*verdict.warnings, *verdict.unknown_fields)}
        return Verdict(tuple(minors), tuple(causes.values()), tuple(warnings.values()))

    return validate


def _drop_server_uid(new: Any, old: Any) -> Any:
    """Return the metadata of an update without the uid of the server, since the validator generates its own."""
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    return {name: value for name, value in new.items() if name != "uid" or value != old.get(name)}
