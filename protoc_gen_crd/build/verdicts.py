"""What API servers say of the Crds that were made, as findings at the markers that caused it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.cel import Cel
from protoc_gen_crd.admission.crd.survey import HAS_RULE, Survey
from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.admission.server import Server, Verdict
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import nearest, suggestion
from protoc_gen_crd.base.versions import minors_of, worded
from protoc_gen_crd.build.later import stages
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.celnames import cel_name

if TYPE_CHECKING:  # it knows markers, and with them protobuf, which commands on CRDs do without
    from protoc_gen_crd.build.rewritten import Rewritten

_TEXT_COSTLY = (
    "bound what the text is made of, with max_length, too; one that string() makes of a number counts as endless"
)
TOO_COSTLY = "rule cost"  # servers' words for rules that cost too much
# Words of a server -> the way out in a .proto, where the words do not tell it.
_WAYS_OUT = {
    "messageExpression cost": _TEXT_COSTLY,
    "messageExpression: Forbidden: contributed": _TEXT_COSTLY,
    TOO_COSTLY: "bound lists and maps around rules with max_items and max_properties",
    "it must have a default or be a required property": "mark the field +required, or give it a default",
    "must not be empty if x-kubernetes-list-type is map": "name what tells items apart: +listMapKey=<field>",
    'in body must be of type string: "integer"': "quote a text that looks like a number",
    "cannot be nullable when x-kubernetes-list-type is": "its items may be null: say that they are not, "
    "+protoc-gen-crd:items.nullable=false",
    "so it cannot be nullable": "a wrapper may be null: say that it is not, +protoc-gen-crd:nullable=false",
    "must be object if parent array's x-kubernetes-list-type is map": "+listType=set is for a list of scalars",
    "must be atomic as item of a list": "mark the message of the items +structType=atomic, or use +listType=map",
    "oldSelf cannot be used on the uncorrelatable portion": "let servers find the item that was: +listType=map and "
    "+listMapKey=<field> on the list around it, or leave the rule out there by +protoc-gen-crd:ignore_rules",
    "since the runtime complexity becomes quadratic": "+listType=set says the same of a list of scalars",
    "protected groups must have approval annotation": "+kubebuilder:metadata:annotations="
    '"api-approved.kubernetes.io=https://github.com/kubernetes/kubernetes/pull/<number>" names the approval',
    'spec.selectableFields: Invalid value: "": may only be set': "servers refuse those that all versions share while "
    'the schemas differ: give those of one version a range, as in during: {since: "v1" selectable_fields: ".spec.a"}',
    "must be one of boolean,date,integer,number,string": "give the column a type: type=string",
}
_ALIKE = 0.8  # as names of one field in a proto and in JSON are; the field may be of any object
_NO_HINTS: Mapping[str, str] = {}


def check_admission(
    crds: Sequence[Crd],
    kubernetes: str,
    problems: Problems,
    survey: Survey | None = None,
    *,
    rules: bool = True,
    hints: Mapping[str, str] = _NO_HINTS,
    rewritten: Rewritten | None = None,
) -> None:
    """Report what servers of these versions refuse or warn of; the same text once, with its versions.

    `survey` holds what is known of the schemas already. Without `rules`, CEL is neither compiled nor costed. `hints`
    are those of this API, by words of the servers; `rewritten` are its rules that are not as they were written.
    """
    asked = minors_of(kubernetes)
    survey = survey or Survey()
    server = Server(asked, _compiler(crds, survey) if rules else None, survey)
    for crd in crds:
        for verdicts in stages(crd, server):
            report_verdicts(crd, verdicts, len(asked), problems, {**hints, **_WAYS_OUT}, rewritten)


def _compiler(crds: Sequence[Crd], survey: Survey) -> Cel | None:
    schemas = [version.schema for crd in crds for version in crd.versions]
    if not any(survey.of(schema).bits & HAS_RULE for schema in schemas if schema is not None):
        return None
    from protoc_gen_crd.admission.crd.compiling import Compiler  # noqa: PLC0415 - many APIs have no rules

    return Compiler()


def report_verdicts(
    crd: Crd,
    verdicts: Sequence[Verdict],
    asked: int,
    problems: Problems,
    ways_out: Mapping[str, str] = _WAYS_OUT,
    rewritten: Rewritten | None = None,
) -> None:
    """Report what the verdicts on one CRD say, in the newest words; `asked` is how many versions were asked.

    `ways_out` are hints, by words of the server.
    """
    found: dict[object, tuple[_Said, list[int]]] = {}
    for verdict in sorted(verdicts, key=lambda verdict: max(verdict.minors), reverse=True):
        counts: dict[object, int] = {}
        for said in _said(crd, verdict):
            counts[said.key] = counts.get(said.key, 0) + 1
            found.setdefault((said.key, counts[said.key]), (said, []))[1].extend(verdict.minors)
    for said, minors in found.values():
        versions = "" if len(minors) == asked else f" of version {worded(sorted(minors))}"
        hint = _hint(said.text, ways_out) or _meant(said.text, crd)
        if rewritten and said.error and rewritten.report(said.error, versions, problems, hint):
            continue
        taken = f"must accept {crd.name}" if said.rule == "crd-refused" else f"should take {crd.name} without a warning"
        message = f"an API server{versions} {taken}, found {said.text}"
        path = (said.at.owner() if said.at else "") or crd.name
        problems.report(said.rule, message, said.at, path=path, hint=hint)


def _hint(text: str, ways_out: Mapping[str, str]) -> str:
    return next((way for words, way in ways_out.items() if words in text), "")


def _meant(text: str, crd: Crd) -> str:
    """A hint for a name that a rule does not know, or a field that it selects of something else than `self`."""
    unknown = re.search(r"undeclared reference to '([^']+)'", text)
    if unknown:
        meant = nearest(unknown[1], ("oldSelf", "self"))
        return f'did you mean "{meant}"?' if meant else ""
    listed = re.search(r'Unsupported value: "([^"]*)": supported values: (.*)', text)
    if listed:
        return suggestion(listed[1], re.findall('"([^"]*)"', listed[2]))
    found = re.search(r"undefined field '([^']+)'", text)
    if not found:
        return ""
    names: set[str] = set()
    seen: set[int] = set()
    left = [version.schema for version in crd.versions if version.schema is not None]
    while left:
        schema = left.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            names.update(schema.properties)
            left += [child for _, child in schema.children()]
    name = nearest(found[1], map(cel_name, names - {found[1]}), _ALIKE)
    return f'did you mean "{name}"?' if name else ""


class _Said(Record):
    """Something that a verdict holds; servers of other versions may say it in other words, but with the same key."""

    rule: str
    text: str
    at: Place | None
    key: object
    error: FieldError | None = None


def _said(crd: Crd, verdict: Verdict) -> Iterator[_Said]:
    for error in verdict.errors:
        at = _place(crd, error) or crd.origin
        yield _Said("crd-refused", verdict.text(error), at, (error.type, error.path), error)
    for notice in (*verdict.strict, *verdict.warnings):
        yield _Said("crd-warning", notice.text, notice.origin or crd.origin, notice.text)


def _place(crd: Crd, error: FieldError) -> Place | None:
    """Where what an error is about was set; of a bad label or annotation servers tell the map and the text."""
    if not error.path.startswith("metadata."):
        return error.origin
    entries = {"metadata.labels": crd.labels, "metadata.annotations": crd.annotations}.get(error.path, {})
    key = next((key for key, value in entries.items() if error.value in (key, value)), None)
    return crd.place(error.path if key is None else f"{error.path}[{key}]")
