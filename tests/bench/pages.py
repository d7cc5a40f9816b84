"""Settings by which reference docs of Istio's networking API are written: two mistakes of its markers are accepted."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import ROOT

FOLDER = ROOT / ".bench" / "docs"
SETTINGS = FOLDER / "protoc-gen-crd.yaml"
ACCEPTED = "findings:\n- {rule: cel-field, severity: warning}\n- {rule: resource-kind, severity: warning}\n"


def pages(shared: Path) -> bytes | None:
    """Nothing, once the settings are there; None without the API."""
    if not (shared / "corpora" / "istio-networking").is_dir():
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    SETTINGS.write_text(ACCEPTED)
    return b""
