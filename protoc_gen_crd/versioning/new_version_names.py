"""Checks of the name of a new version: its form, whether it exists, and whether it follows the other versions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.api_version_names import is_version_name, list_next_names

_NAME_HINT = "names are vN, vNalphaM and vNbetaM, such as v1beta1, with numbers from 1"


def check_new_name(version: str, crds: Sequence[Crd], problems: Problems) -> None:
    """Report a name that is invalid or exists; warn about one that the conventions do not let follow."""
    known: Collection[str] = dict.fromkeys(crd_version.name for crd in crds for crd_version in crd.versions)
    proposed = list_next_names(known)
    if not is_version_name(version):
        hint = f"{_NAME_HINT}; next: {' or '.join(proposed)}"
        problems.report("edit-name", f'"{version}" is not the name of an API version', hint=hint)
    for crd in crds:
        origin = next((crd_version.origin for crd_version in crd.versions if crd_version.name == version), None)
        if any(crd_version.name == version for crd_version in crd.versions):
            message, hint = f"{crd.names.kind} already has a version {version}", f"next: {' or '.join(proposed)}"
            problems.report("edit-name", message, origin, path=f"{crd.name}.{version}", hint=hint)
    if version not in (*proposed, *known) and is_version_name(version):
        message = f"{version} does not follow the versions {', '.join(known)}"
        hint = f"the stages alpha, beta and stable follow each other; next: {' or '.join(proposed)}"
        problems.report("edit-order", message, crds[0].origin, path=crds[0].name, hint=hint)
