"""The schema and the values that a rule is evaluated on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.objects.defaulting import apply_defaults
from protoc_gen_crd.admission.objects.pruning import Pruner
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import find_nearest, suggest
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.playground.inferred_schemas import infer_schema
from protoc_gen_crd.playground.schema_paths import SchemaNode, SchemaPathError, find_node, find_property, select_values
from protoc_gen_crd.schema.schema import Schema

MAX_VALUES = 100  # values of a list or map that a rule is evaluated on
_REFERENCE = re.compile(r"(?:(?P<group>[^/\[{]+)/)?(?P<kind>[^.\[{/]+)\.?(?P<path>.*)", re.DOTALL)

_REFERENCE_END = re.compile(r"[.\[{]")  # the end of the first name


class RuleSubject(Record):
    """The values of a rule: those at a schema node in an object, or with `is_value` a single value of the node."""

    schema: SchemaNode
    value: Any
    is_value: bool = False


def find_subject(value: Any, crds: Sequence[Crd], reference: str = "") -> RuleSubject:
    """Return the values of a rule at a reference such as `Widget.spec.backends[]`, or `spec.backends[]` in an object.

    An object of the kind contains the values; any other value is the one at the path. Without a reference, the rule
    applies to the object; without CRDs, the schema has the types of the value.

    Args:
        value: An object, or a value of the schema.
        crds: The known CRDs.
        reference: `KIND.PATH`, `GROUP/KIND.PATH`, `PATH` in the kind of the object, or empty.

    Raises:
        SchemaPathError: The kind or the path does not exist.
    """
    members = value if isinstance(value, dict) else {}
    kind, api_version = (
        member if isinstance(member := members.get(key), str) else "" for key in ("kind", "apiVersion")
    )
    group, _, version = api_version.rpartition("/")
    if not reference:
        if not crds or not (kind and api_version):
            return RuleSubject(find_node(infer_schema(value), ""), value, is_value=True)
        crd = _find_crd(crds, kind, group)
        return RuleSubject(find_node(_find_schema(crd, version), ""), value)
    own = next((crd for crd in crds if (crd.group, crd.names.kind) == (group, kind)), None)
    name = _REFERENCE_END.split(reference, maxsplit=1)[0]
    kinds = {crd.names.kind for crd in crds}
    if own is not None and name not in kinds:
        schema = _find_schema(own, version)
        if find_property(schema, reference):
            return RuleSubject(find_node(schema, reference), value)
        if find_nearest(name, (*kinds, *schema.properties)) in schema.properties:
            raise SchemaPathError(f'no field "{name}" in kind "{kind}"; {suggest(name, schema.properties)}')
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise SchemaPathError(f'invalid location "{reference}"; expected KIND.PATH, such as Widget.spec.replicas')
    crd = _find_crd(crds, match["kind"], match["group"])
    is_object = (crd.group, crd.names.kind) == (group, kind)
    schema = _find_schema(crd, version if is_object else "")
    return RuleSubject(find_node(schema, match["path"]), value, is_value=not is_object)


def read_values(subject: RuleSubject) -> Iterator[tuple[str, Any]]:
    """Yield the pruned and defaulted values that the rule applies to, with their paths; nulls have no rules."""
    schema = subject.schema
    node: Schema = schema.node if subject.is_value else schema.ancestors[0][0]
    structural = StructuralNodes().get_node(node, resource=schema.is_root or not subject.is_value)
    value = Pruner(nulls=True).prune_value(structural, subject.value, "")
    apply_defaults(value, structural)
    selected = [("", value)] if subject.is_value else select_values(value, schema.steps)
    yield from ((path, part) for path, part in selected if part is not None)


def _find_crd(crds: Sequence[Crd], kind: str, group: str | None) -> Crd:
    """Return the CRD of a kind, of any group for None."""
    matching = [crd for crd in crds if crd.names.kind == kind and group in (None, crd.group)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        names = ", ".join(f"{crd.group}/{kind}" for crd in matching)
        raise SchemaPathError(f'kind "{kind}" is in several groups: use one of {names}')
    kinds = {crd.names.kind for crd in crds}
    hint = suggest(group or "", [crd.group for crd in crds]) if kind in kinds else suggest(kind, kinds)
    where = f' in group "{group}"' if group else ""
    raise SchemaPathError(f'no CRD found for kind "{kind}"{where}' + (f"; {hint}" if hint else ""))


def _find_schema(crd: Crd, version: str) -> Schema:
    """Return the schema of a version, of the preferred one for an empty name."""
    served = sorted([v for v in crd.versions if v.served], key=lambda v: get_priority_key(v.name))
    crd_version: CrdVersion | None = next((v for v in served if version in ("", v.name)), None)
    if crd_version is None or crd_version.schema is None:
        names = ", ".join(v.name for v in served) or "none"
        raise SchemaPathError(f'kind "{crd.names.kind}" does not serve version "{version}" (served: {names})')
    return crd_version.schema
