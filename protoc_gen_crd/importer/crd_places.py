"""Places of the members of imported CRDs in their files."""

from __future__ import annotations

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.go_type_decoder import DocumentPlace, Path

_VERSIONS = ("spec", "versions")
_SORTED = "required"  # the order of its items differs in a normalized manifest


def locate_key(crd: Crd, path: Path) -> Place | None:
    """Return the place of the key of a member, or of its nearest parent that exists.

    Args:
        crd: The CRD.
        path: The path of the member in the normalized manifest, where the versions have names instead of indexes.
    """
    place = crd.origin
    if not isinstance(place, DocumentPlace):
        return place
    for step in _find_steps(crd, path):
        place = place.append(step)
    return place.get_key()


def _find_steps(crd: Crd, path: Path) -> Path:
    """Return the path of a member in the manifest as written."""
    if path[:2] == _VERSIONS and len(path) > len(_VERSIONS):
        names = [version.name for version in crd.versions]
        path = (*_VERSIONS, names.index(str(path[2])), *path[3:]) if path[2] in names else _VERSIONS
    return path[:-1] if path[-2:-1] == (_SORTED,) and isinstance(path[-1], int) else path
