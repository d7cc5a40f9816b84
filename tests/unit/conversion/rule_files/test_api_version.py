"""Rule files of versions that do not exist are reported."""

from __future__ import annotations

import pytest

from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.findings.finding import Location, Problems
from tests.support.conversion import rules


@pytest.mark.parametrize("api_version", ["apis.kcp.io/v1alpha9", "apis.kcp.io/v1alpha2", "apis.kcp.io/", None, 3])
def test_an_unknown_version_is_reported_with_the_supported_one(api_version: object) -> None:
    problems = Problems()
    reader = RuleReader(lambda path: Location("rules.yaml", 7 if path == ("apiVersion",) else 1), problems)
    reader.read({**rules(), "apiVersion": api_version})
    (finding,) = problems.findings
    assert (finding.rule, str(finding.at)) == ("conversion-rule", "rules.yaml:7")
    assert finding.hint == "the supported version is apis.kcp.io/v1alpha1"


def test_rules_of_the_library_need_no_version() -> None:
    problems = Problems()
    document = {name: value for name, value in rules().items() if name != "apiVersion"}
    RuleReader(lambda _: Location("rules.yaml"), problems).read(document)
    assert problems.findings == []
