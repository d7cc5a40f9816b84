"""The manifests of testdata/manifests, and what was recorded of them; see tests/judges/manifests."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

CASES = Path(__file__).parents[2] / "testdata" / "manifests"
RECORD = CASES / "judged.json"
FOLDERS = ("base", "overlays/production")  # what kustomize builds; the place says how deep it lies


def listed() -> dict[str, Path]:
    """The folders to build, as `case:folder`."""
    roots = sorted(path.parent for path in CASES.glob("*/expected/*/base"))
    return {f"{root.parents[1].name}:{name}": root / name for root in roots for name in FOLDERS}


def digest(root: Path) -> str:
    """What tells whether any of the manifests has changed."""
    text = "".join(f"{path.relative_to(root)}\n{path.read_text('utf-8')}" for path in sorted(root.rglob("*.yaml")))
    return sha256(text.encode()).hexdigest()
