"""Release channels: each folder of testdata/channels is a case, laid out as those of testdata/generate.

If a case has `objects.yaml`, tests/cluster sends its objects to a server that has its CRDs and policies.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.channels.guards import find_guards
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.pipeline import build_crds
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings
from tests.cases.test_generate import generated
from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.plugin import compiled, run
from tests.support.yaml_data import load_yaml_stream

CASES = sorted(path for path in (ROOT / "testdata" / "channels").iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Path, update: bool) -> None:
    assert not (differences := compare(case / "expected", generated(case), update=update)), "\n".join(differences)


def test_helm_renders_the_policies_unless_the_switch_is_on() -> None:
    """Helm's answers are recorded by tests/judges/helm."""
    case = ROOT / "testdata" / "channels" / "helm"
    first, *rows = [json.loads(line) for line in (case / "rendered.jsonl").read_text().splitlines()]
    assert first["template"] == compute_digest((case / "expected" / "all.beta.yaml").read_bytes()), "record them again"
    bare = run(compiled(case), "channel=beta,policy_existing=reject,settings=bare.yaml", folder=case)
    expected = list(load_yaml_stream(bare["all.beta.yaml"]))
    assert len(expected) == 2
    for row in rows:
        on = ((row["values"].get("channels") or {}).get("alpha") or {}).get("enabled")
        matching = [item for item in load_yaml_stream(row["text"]) if item is not None]
        assert matching == ([] if on else expected), row["values"]


@pytest.mark.parametrize("release", ["1.2", "1.3"])
@pytest.mark.parametrize("name", ["guarded", "left-out", "left-out-ranges"])
def test_policies_reject_the_omitted_fields(name: str, release: str) -> None:
    """Compare the API with the guards of its policies with the API without the guarded fields."""
    settings = Settings(channel="stable", release=release)
    left_out = {crd.name: crd for crd in generate_crds(name, settings.replace(channel_fields="omit"))}
    for crd in generate_crds(name, settings):
        kept = [version for version in crd.versions if not settings.is_beyond(version.channel)]
        result = left_out[crd.name].versions if kept else ()
        assert [item.name for item in result] == [item.name for item in kept]
        for version, other in zip(kept, result, strict=True):
            rejected = {guard.path for guard in find_guards(version, settings.is_beyond) if not guard.value}
            below = tuple(f"{path}{end}" for path in rejected for end in (".", "[", "{"))
            whole = {path for path in paths(version.schema) if path not in rejected and not path.startswith(below)}
            assert paths(other.schema) == whole, (crd.name, version.name)


def generate_crds(name: str, settings: Settings) -> tuple[Crd, ...]:
    problems = Problems()
    request = Request.from_bytes(compiled(ROOT / "testdata" / "channels" / name).SerializeToString(), problems)
    return build_crds(request, settings, problems) if request else ()


def paths(schema: Schema | None, before: str = "") -> set[str]:
    """Return the fields of a schema in the form of policies."""
    result = {before} - {""}
    for field, below in schema.properties.items() if schema else ():
        result |= paths(below, f"{before}.{field}" if before else field)
    for end, child in (("[]", schema and schema.items), ("{}", schema and schema.additional)):
        if isinstance(child, Schema):
            result |= paths(child, f"{before}{end}")
    return result
