"""kcp's resources: the output for each case of testdata/conversion, read again, and run like kcp would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

from protoc_gen_crd.conversion.converter import Converter
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.emit.kcp_files import make_kcp_files
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.renderers.text import render
from protoc_gen_crd.findings.report_order_and_limits import build_report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.settings.settings import Settings
from tests.support.conversion import Case, Object, cases, crd
from tests.support.goldens import compare
from tests.support.kcp import CLAIMS, OWN, Evaluator, comparable, record_of, resource_of, schemas_of
from tests.support.yaml_data import load_yaml

GOLDENS = CLAIMS.parent
CASES = [case for case in cases() if not case.name.startswith("wrong")]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
Made = tuple[dict[str, str], Problems]


@cache
def load_case(name: str) -> Made:
    """Return the files of a case and the findings."""
    case = next(case for case in CASES if case.name == name)
    problems = Problems()
    files = make_kcp_files([case.crd], [case.plan], Settings(kcp=".", kcp_prefix="today"), problems)
    return {file.name.removeprefix("./"): file.text for file in files}, problems


def rules(problems: Problems) -> set[str]:
    return {finding.rule for finding in problems.findings}


@each_case
def test_goldens(case: Case, update: bool) -> None:
    files, problems = load_case(case.name)
    text = render(build_report(problems.findings, (), SourceFiles(case.paths)), color=False)
    files = {name: text for name, text in files.items() if name.startswith("apiconversion")}
    results = {**files, "findings.txt": text.replace(f"{case.folder}/", "")}
    record = {record_of(case).name: record_of(case).read_text("utf-8")} if record_of(case).exists() else {}
    results = {name: text for name, text in {**results, **record}.items() if text}
    assert compare(GOLDENS / case.name, results, update=update) == []


def read_back(case: Case) -> Plan:
    """Return the plan of the APIConversion only."""
    files, _ = load_case(case.name)
    (text,) = [text for name, text in files.items() if name.startswith("apiconversion")]
    problems = Problems()
    file = RuleReader(lambda _: Location("read-back"), problems).read(load_yaml(text))
    plan = build_plan(case.silent, problems, [file])
    assert problems.findings == []
    assert plan is not None
    return plan


# Findings of cases that kcp may convert differently: unsupported, more than two versions, a default that is left out.
_UNSUPPORTED = ("[kcp-unsupported]", "[kcp-versions]", "kcp ignores its default")


def is_supported(case: Case) -> bool:
    """Return true if kcp must convert the case in the same way, according to its golden: test_goldens compares it."""
    path = GOLDENS / case.name / "findings.txt"
    return not path.exists() or not any(text in path.read_text("utf-8") for text in _UNSUPPORTED)


SUPPORTED = [case for case in CASES if is_supported(case)]
each_supported = pytest.mark.parametrize("case", SUPPORTED, ids=lambda case: case.name)


def test_some_cases_are_supported() -> None:
    assert {"kcp-forms", "kcp-losses", "field-to-field", "subtree"} <= {case.name for case in SUPPORTED}


@each_supported
def test_written_rule_files_have_the_same_plan(case: Case) -> None:
    if "kcp-approximate" not in rules(load_case(case.name)[1]):
        lines = [[line.partition("  (")[0] for line in plan.format_lines()] for plan in (read_back(case), case.plan)]
        assert lines[0] == lines[1]


def evaluator(case: Case) -> Evaluator:
    return Evaluator(resource_of(case), schemas_of(case.crd))


def objects(case: Case, version: str, count: int) -> Iterator[Object]:
    """Return valid objects of a version: a full sample, and random ones."""
    sampler, crd = Sampler(), case.crd
    match = next(item for item in crd.versions if item.name == version)
    assert match.schema is not None
    full = sampler.make_sample(crd, match, full=True).object
    chance = RandomDocumentGenerator(sampler.generators, match.schema, SeededSource(7))
    documents = [full, *(chance.generate_document([full], beyond=False) for _ in range(count))]
    # kcp creates the spec for a default.
    yield from (obj for obj in documents if not sampler.find_errors(crd, obj) and "spec" in obj)


def converted(case: Case, obj: Object, version: str) -> Object | None:
    """Return the result of the module; None for a number outside the range of its type, which kcp changes."""
    try:
        return case.convert(obj, version)
    except ConversionError as error:
        if "an integer between" in str(error):
            return None
        raise


@each_supported
def test_kcp_converts_as_the_module_does(case: Case) -> None:
    kcp, count = evaluator(case), 0
    for pair in case.plan.pairs:
        for way, back in pair.get_directions():
            for obj in objects(case, way.source, 60):
                expected = converted(case, obj, way.target)
                if expected is None:
                    continue
                count += 1
                result = kcp.convert(obj, way.target)
                assert comparable(result) == comparable(expected)
                if "kcp-loss" not in rules(load_case(case.name)[1]):
                    again = case.convert(expected, back.target)
                    assert comparable(kcp.convert(result, back.target)) == comparable(again)
    assert count > 20


@each_supported
def test_kubernetes_libraries_convert_as_the_module_does(case: Case) -> None:
    kcp = evaluator(case)
    rows = [json.loads(line) for line in record_of(case).read_text("utf-8").splitlines()]
    assert len(rows) > 10, "record it again: tests/judges/kcp"
    for row in rows:
        obj, there = row["object"], case.convert(row["object"], row["to"])
        assert comparable(row["gives"]) == comparable(there)
        assert kcp.convert(obj, row["to"]) == row["gives"]
        version = obj["apiVersion"].rpartition("/")[2]
        assert kcp.convert(row["gives"], version) == row["back"]
        if "kcp-loss" not in rules(load_case(case.name)[1]):
            assert comparable(row["back"]) == comparable(case.convert(there, version))


DRAWN: list[Object] = [json.loads(line) for line in OWN.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", DRAWN, ids=lambda row: row["seed"])
def test_kcps_own_converter_makes_the_same(row: Object) -> None:
    """Random rules of its forms: `tests/judges/kcp`. Round trips are lossless, unlike those of kcp."""
    first, other = (row["schemas"][name]["properties"]["spec"] for name in ("v1", "v2"))
    converter = Converter(crd(v1=first, v2=other), row["conversion"] | {"metadata": {"name": "things.acme.example"}})
    for entry in row["objects"]:
        documents = converter.convert(entry["object"], entry["to"])
        assert comparable(documents) == comparable(entry["gives"])
        assert converter.convert(documents, entry["object"]["apiVersion"].rpartition("/")[2]) == entry["object"]


# The claims that kcp-unsupported reports, as in the docs.
NO_FORM = {
    "a list", "the size of a list", "a field of an object", "a map of objects", "a duration", "a time",
    "the whole object",
}  # fmt: skip


def test_expressions_without_a_form_fail_in_kubernetes_libraries_too() -> None:
    answers = {claim["what"]: claim["said"] for claim in json.loads(CLAIMS.with_suffix(".json").read_text("utf-8"))}
    failed = {what for what, answer in answers.items() if isinstance(answer, str) or "error" in answer}
    # A number without a fraction is an integer at run time: the expression for factors checks its type.
    assert failed == {*NO_FORM, "a whole number"}
    assert answers["an integer beyond 2^53"]["object"]["spec"] == {"to": "9007199254740993"}
