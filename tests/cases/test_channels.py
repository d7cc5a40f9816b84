"""Release channels: each folder of testdata/channels is a case, laid out as those of testdata/generate.

Where a case has `objects.yaml`, tests/cluster puts its objects to a server that has its CRDs and policies.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from protoc_gen_crd.base.sums import digest
from tests.cases.test_generate import generated
from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.plugin import compiled, run

CASES = sorted(path for path in (ROOT / "testdata" / "channels").iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Path, update: bool) -> None:
    assert not (differences := compare(case / "expected", generated(case), update=update)), "\n".join(differences)


def test_helm_renders_the_policies_unless_the_switch_is_on() -> None:
    """Helm's answers are recorded by tests/judges/helm."""
    case = ROOT / "testdata" / "channels" / "helm"
    first, *rows = [json.loads(line) for line in (case / "rendered.jsonl").read_text().splitlines()]
    assert first["template"] == digest((case / "expected" / "all.beta.yaml").read_bytes()), "record them anew"
    bare = run(compiled(case), "channel=beta,policy_existing=refused,settings=bare.yaml", folder=case)
    expected = list(yaml.safe_load_all(bare["all.beta.yaml"]))
    assert len(expected) == 2
    for row in rows:
        on = ((row["values"].get("channels") or {}).get("alpha") or {}).get("enabled")
        found = [one for one in yaml.safe_load_all(row["text"]) if one is not None]
        assert found == ([] if on else expected), row["values"]
