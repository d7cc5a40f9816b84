"""The manifests of testdata/manifests, and their recorded results; see tests/judges/manifests."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

CASES = Path(__file__).parents[2] / "testdata" / "manifests"
RECORD = CASES / "judged.json"
FOLDERS = ("base", "overlays/production")  # the folders that kustomize builds, relative to a case


def listed() -> dict[str, Path]:
    """The folders to build, as `case:folder`."""
    roots = sorted(path.parent for path in CASES.glob("*/expected/*/base"))
    return {f"{root.parents[1].name}:{name}": root / name for root in roots for name in FOLDERS}


def digest(root: Path) -> str:
    """Return a digest of all manifests."""
    text = "".join(f"{path.relative_to(root)}\n{path.read_text('utf-8')}" for path in sorted(root.rglob("*.yaml")))
    return sha256(text.encode()).hexdigest()
