"""What is served: the kinds of CRDs with what converts and judges their objects, from files and generated modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.testing.conversions import Conversions, forget_losses
from protoc_gen_crd.testing.definitions import Definition
from protoc_gen_crd.testing.packages import Modules, Written
from protoc_gen_crd.testing.session import Session
from protoc_gen_crd.webhook.review import Json, Judge, Judgement, Kind

Table = dict[tuple[str, str], Kind]


def converting(modules: Modules) -> Table:
    """The kinds of modules, which nothing judges."""
    return {key: Kind(*key, module.versions, module.convert) for key, module in modules.items()}


def kinds(session: Session, modules: Modules) -> Table:
    """The kinds of a run that has been loaded, and of modules. What is wrong with them is reported to the session."""
    forget_losses(session.problems)
    conversions = Conversions(session, modules, trusted=True)
    found = converting(modules)
    for definition in session.definitions:
        crd = definition.crd
        if crd is not None:
            key = crd.group, crd.names.kind
            versions = tuple(version.name for version in crd.versions)
            _check_known(crd, modules.get(key), session.problems)
            found[key] = Kind(*key, versions, conversions.by_kind.get(key), _judge(definition, session.asked))
    return found


def _check_known(crd: Crd, module: Written | None, problems: Problems) -> None:
    """Report versions of a CRD that its module does not know: each request for them fails."""
    unknown = [version.name for version in crd.versions if module and version.name not in module.versions]
    if module and unknown:
        problem = f"converters should know all versions of {crd.name}, found none of {', '.join(unknown)}"
        hint = "generate the converters and the CRD together"
        problems.report("conversion-outdated", problem, Location(module.file), path=crd.name, hint=hint)


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
