"""The steps that are left to people after a version is added, deprecated or removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.kubernetes.api_version_names import is_at_least_as_stable


def list_steps_of_addition(
    version: str, source: str, *, generates: bool, records: bool, converts: bool
) -> Iterator[str]:
    """Yield the steps after a version is added.

    `generates` for .proto sources, `records` if releases are recorded, `converts` if kinds declare conversions.
    """
    yield from _list_generation_steps(generates=generates)
    yield f"change {version}, which is still the same as {source}, before it is released"
    if converts:
        yield f"check the conversions of {version}: protoc-gen-crd convert --prove"
    else:
        yield f"declare a conversion for each field that differs between {version} and the other versions"
    yield f"if the CRD uses a conversion webhook, deploy a webhook that converts {version} before you apply the CRD"
    yield f"add a note on {version} to the changelog"
    if records:
        yield "record the release: protoc-gen-crd history record"
    if not is_at_least_as_stable(version, source):
        return
    yield f"make {version} the storage version in a later release, so that a rollback can still read stored objects"
    yield f"move clients and manifests to {version}, then deprecate {source}: protoc-gen-crd version deprecate {source}"


def list_steps_of_deprecation(
    element: str, replacement: str, removal: str, *, generates: bool, records: bool
) -> Iterator[str]:
    """Yield the steps after an element is deprecated. `removal` describes the earliest removal, empty if unknown."""
    yield from _list_generation_steps(generates=generates)
    target = f" and its replacement {replacement}" if replacement else ""
    yield f"announce the deprecation of {element}{target} in the changelog"
    if records:
        yield "record the release: protoc-gen-crd history record; the deprecation period starts with it"
    if replacement:
        yield f"move clients and manifests to {replacement}"
    if removal:
        yield f"remove {element} when its deprecation period has ended: {removal}"


def list_steps_of_removal(element: str, crds: Sequence[str], *, generates: bool, records: bool) -> Iterator[str]:
    """Yield the steps after an element is removed, or a version of CRDs."""
    yield from _list_generation_steps(generates=generates)
    if crds:
        command = f"protoc-gen-crd migrate {' '.join(crds)} --drop-managed {element}"
        yield f"before you apply the CRD, migrate stored objects: {command}"
        yield f"remove {element} from webhooks, clients and manifests"
    yield f"add a note on the removal of {element} to the changelog"
    if records:
        yield "record the release: protoc-gen-crd history record"


def _list_generation_steps(*, generates: bool) -> Iterator[str]:
    if generates:
        yield "regenerate: protoc-gen-crd generate, then samples and docs if the project uses them"
