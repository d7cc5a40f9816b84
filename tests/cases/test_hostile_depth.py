"""CRDs of deep objects, and of an object with many rules, are cheap for the commands that read CRDs.

Work or output for each pair of nested objects, or of rules, would exceed the limits.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hostile_depth import CRDS
from tests.support.measured import measured

SECONDS, MEBIBYTES = 4, 150  # twice the time on the machine of a user, since test machines are slow
COMMANDS = ("cost", "lint", "samples", "schemas", "validate")
WITHOUT_SAMPLE = "impossible"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", CRDS)
def test_cheap(name: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "crd.json").write_text(CRDS[name], "utf-8")
    text, seconds, memory = measured((command, "crd.json"), tmp_path)
    assert "Traceback" not in text
    assert text.endswith("[0]\n") or name == WITHOUT_SAMPLE
    assert seconds < SECONDS
    assert memory < MEBIBYTES
