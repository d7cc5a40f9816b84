"""Release channels: each folder of testdata/channels is a case, laid out as those of testdata/generate.

Where a case has `objects.yaml`, tests/cluster puts its objects to a server that has its CRDs and policies.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.test_generate import generated
from tests.conftest import ROOT
from tests.support.goldens import compare

CASES = sorted(path.parent for path in (ROOT / "testdata" / "channels").glob("*/api.proto"))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Path, update: bool) -> None:
    assert not (differences := compare(case / "expected", generated(case), update=update)), "\n".join(differences)
