"""The .proto files that can be imported without an import path: our options, Kubernetes' messages, and google/api."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from protoc_gen_crd.kubernetes.supported_versions import NEWEST

_PACKAGE = Path(__file__).parent.parent
# A wheel contains the options inside the package, a checkout beside it.
OPTIONS = next(
    (folder for folder in (_PACKAGE / "options", _PACKAGE.parent / "options") if folder.is_dir()), _PACKAGE / "options"
)
GOOGLEAPIS = "googleapis-common-protos"  # the package on PyPI
_GOOGLE_FOLDERS = ("api", "cloud", "logging", "longrunning", "rpc", "type")
_GOOGLE_NAMES = (
    "google/api/",
    "google/longrunning/",
    "google/rpc/",
    "google/type/",
)  # without google/cloud, of which the package contains only a part


def find_googleapis() -> Mapping[str, Path]:
    """Return folders by the names that imports use; empty unless googleapis-common-protos is installed."""
    spec = find_spec("google")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if Path(place, "api", "annotations.proto").is_file():
            folders = {f"google/{name}": Path(place, name) for name in _GOOGLE_FOLDERS}
            return {name: folder for name, folder in folders.items() if folder.is_dir()}
    return {}


def read_bundled_protos() -> dict[str, bytes]:
    """Return the contents of all files by the names that imports use. Raises OSError."""
    folders = {"": OPTIONS, **{f"{name}/": folder for name, folder in find_googleapis().items()}}
    return {
        prefix + path.relative_to(folder).as_posix(): path.read_bytes()
        for prefix, folder in folders.items()
        for path in sorted(folder.rglob("*.proto"))
    }


def suggest_source(name: str) -> tuple[str, str]:
    """Return the command that provides a missing import and the import path that finds it; both may be empty."""
    if name.startswith(_GOOGLE_NAMES) and not find_googleapis():
        return f"pip install {GOOGLEAPIS}", ""
    if name.startswith("k8s.io/"):
        return f"protoc-gen-crd include --copy third_party --kubernetes 1.{NEWEST}", "third_party"
    return "", ""
