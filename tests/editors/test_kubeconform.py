"""kubeconform reads the JSON Schemas of kinds with the command of docs/editors.md; skipped without it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.pages import blocks_of


@pytest.mark.skipif(not shutil.which("kubeconform"), reason="kubeconform is not on PATH")
def test_the_command_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/editors.md").read_text("utf-8")
    (command,) = (block.text for block in blocks_of(page) if block.text.startswith("kubeconform "))
    monkeypatch.chdir(tmp_path)
    assert main(["init", "--quiet"]) == main(["schemas", "--quiet"]) == 0
    Path("manifests/widget-invalid.yaml").unlink()
    assert subprocess.run(["sh", "-ec", command], check=False).returncode == 0
    manifest = Path("manifests/widget.yaml").read_text()
    Path("manifests/wrong.yaml").write_text(manifest.replace("spec:", "spec:\n  color: red"))
    done = subprocess.run(["sh", "-ec", command], capture_output=True, text=True, check=False)
    assert (done.returncode, "additional properties 'color' not allowed" in done.stdout) == (1, True)
