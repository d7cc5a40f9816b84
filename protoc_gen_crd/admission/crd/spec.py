"""All of a CRD: its parts in order, on creation and on update.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go,
pkg/registry/customresourcedefinition strategy.go, k8s.io/apiserver pkg/registry/rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata
from protoc_gen_crd.admission.crd import names, versions
from protoc_gen_crd.admission.crd.held import Held, Part
from protoc_gen_crd.admission.crd.options import Options, bits, of_creation
from protoc_gen_crd.admission.crd.survey import HAS_DEFAULT
from protoc_gen_crd.admission.crd.validation import Stages
from protoc_gen_crd.admission.errors import INVALID, FieldError
from protoc_gen_crd.admission.names import dns1123_subdomain, masked, path_segment
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.crd.types import Crd, Names


def name_of(crd: Crd) -> str:
    """The name, generated if one is to be: the server's five characters of chance are all x here."""
    start: str = crd.metadata.get("generateName") or ""
    return crd.name or (f"{start}xxxxx" if start else "")


def created(held: Held, name: str, stages: Stages, switches: Switches) -> Iterator[FieldError]:
    """What is said of a new CRD of this name."""

    def faults(text: str, *, prefix: bool = False) -> list[str]:
        wanted = f"{held.crd.names.plural}.{held.crd.group}"
        known = dns1123_subdomain(masked(text) if prefix else text)
        return known if text == wanted else [*known, 'must be spec.names.plural+"."+spec.group']

    meta = {**_meta(held.crd), "name": name, "generation": 1}
    for error in metadata.once(metadata.created(meta, "metadata", switches, faults), switches):
        yield error.replace(origin=held.crd.place(error.path.partition("[")[0]))
    yield from _spec(held, stages, switches, of_creation(held, stages.survey, switches))
    yield from names.stored_versions(held, None if held.storage is None else [held.storage], switches)
    yield from names.approval(held, None, switches)
    yield from _preserving(held)


def updated(held: Held, old: Held, stages: Stages, switches: Switches) -> Iterator[FieldError]:
    """What is said of a CRD that takes the place of a stored one."""
    from protoc_gen_crd.admission.crd import update  # noqa: PLC0415 - most CRDs are new

    before = _meta(old.crd) | {"name": old.crd.name}
    kept = {key: before.get(key) for key in ("generation", "uid", "creationTimestamp", "resourceVersion")}
    meta = {**_meta(held.crd), "name": held.crd.name}
    meta |= {
        key: value for key, value in kept.items() if key in ("generation", "creationTimestamp") or not meta.get(key)
    }
    known = [
        *metadata.created(meta, "metadata", switches, path_segment),
        *metadata.updated(meta, before, "metadata", switches),  # once for any object, once more for a CRD
        *metadata.once(metadata.updated(meta, before, "metadata", switches), switches),
    ]
    for error in known:
        yield error.replace(origin=held.crd.place(error.path.partition("[")[0]))
    yield from _spec(held, stages, switches, update.options(held, old, stages.survey, switches))
    yield from update.immutable(held, old)
    accepted: Names = (old.crd.status or {}).get("acceptedNames") or Names("", "")
    yield from names.grammar(accepted, "status.acceptedNames")
    yield from names.stored_versions(held, stored_versions(held, old), switches)
    yield from names.approval(held, old, switches)
    if not old.crd.preserve_unknown_fields:
        yield from _preserving(held)


def stored_versions(held: Held, old: Held) -> list[str] | None:
    """status.storedVersions after an update."""
    known: list[str] | None = (old.crd.status or {}).get("storedVersions")
    return known if held.storage is None or held.storage in (known or ()) else [*(known or ()), held.storage]


def _meta(crd: Crd) -> dict[str, Any]:
    meta = {key: value for key, value in crd.metadata.items() if key != "namespace"}
    return {**meta, "labels": crd.labels, "annotations": crd.annotations}


def _preserving(held: Held) -> Iterator[FieldError]:
    if held.crd.preserve_unknown_fields:
        reason = (
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        )
        origin = held.crd.place("preserveUnknownFields")
        yield FieldError(INVALID, "spec.preserveUnknownFields", reason, value=True, origin=origin)


def _spec(held: Held, stages: Stages, switches: Switches, options: Options) -> Iterator[FieldError]:
    if not options.selectable:
        held = _unselectable(held)
    yield from names.group_and_scope(held)
    yield from versions.schemas_are_there(held, switches, required=options.required)
    if held.crd.preserve_unknown_fields and bits(held, stages.survey) & HAS_DEFAULT:
        reason = "must be false in order to use defaults in the schema"
        origin = held.crd.place("preserveUnknownFields")
        yield FieldError(INVALID, "spec.preserveUnknownFields", reason, value=True, origin=origin)
    yield from versions.versions(held)
    yield from names.names(held)
    any_status = any(version.status for version in held.crd.versions)
    shared = held.top is not None and held.top.subresources is not None
    first = {part.version.name: part.version.status for part in reversed(held.versions)}  # looked up by name
    for part in held.versions:
        yield from _part(part, stages, switches, options, status=any_status if shared else first[part.version.name])
    if held.top is not None:
        yield from _part(held.top, stages, switches, options, status=any_status)
    if held.crd.conversion is not None:
        from protoc_gen_crd.admission.crd.conversion import conversion  # noqa: PLC0415 - few CRDs have any

        given = held.crd.conversion
        yield from conversion(held, given, switches, recognized=options.recognized, bundles=options.bundles)


def _part(part: Part, stages: Stages, switches: Switches, options: Options, *, status: bool) -> Iterator[FieldError]:
    yield from stages.schema(part, switches, options, status=status)
    yield from versions.subresources(part)
    yield from versions.columns(part)
    if part.selectable_fields:
        yield from versions.selectable_fields(part, switches, many=part.path in options.many)


def _unselectable(held: Held) -> Held:
    """The CRD without selectable fields."""
    parts = tuple(part.replace(selectable_fields=None) for part in held.versions)
    top = held.top.replace(selectable_fields=None) if held.top is not None else None
    return held.replace(top=top, versions=parts)
