"""Conversions: the results of the cases of testdata/conversion: round trips, stale-client updates, and proofs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.codegen.module_names import get_functions_module_name
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.emit.converter_package import make_converter_files
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from tests.support.conversion import Case, Object, bare, cases, edited, find_broken_laws

CASES = cases()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_goldens(case: Case, update: bool) -> None:
    folder = case.folder / "expected"
    result = case.goldens
    if update:
        folder.mkdir(exist_ok=True)
        for name, text in result.items():
            (folder / name).write_text(text, "utf-8")
        for path in folder.iterdir():
            if path.name not in result:
                path.unlink()
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == result


@each_case
def test_objects_convert_and_come_back(case: Case) -> None:
    for source, expected, _ in case.conversions():
        version = expected["apiVersion"].rpartition("/")[2]
        result = case.convert(source, version)
        assert bare(result) == expected
        assert case.convert(result, source["apiVersion"].rpartition("/")[2]) == source
        assert case.convert(result, version) is result


@each_case
def test_lossless_conversions_need_no_conversion_data(case: Case) -> None:
    for source, expected, both in case.conversions():
        if both:
            assert case.convert(source, expected["apiVersion"].rpartition("/")[2]) == expected


@each_case
def test_edits_of_old_clients(case: Case) -> None:
    for edit in case.listed("edits.yaml"):
        ((version, content),) = edit["object"].items()
        converted = case.convert(case.object(version, content), edit["in"])
        result = case.convert(edited(converted, edit["change"]), version)
        expected = case.object(version, edit["gives"])
        metadata: Object = {} if "metadata" in edit["gives"] else {"metadata": {}}
        assert {**bare(result), **metadata} == {**expected, **metadata}, edit["name"]
        assert case.convert(case.convert(result, edit["in"]), version) == result, edit["name"]


@each_case
def test_errors(case: Case) -> None:
    for entry in case.listed("errors.yaml"):
        ((version, content),) = entry["object"].items()
        with pytest.raises(ConversionError) as error:
            case.convert(case.object(version, content), entry["to"])
        assert str(error.value) == entry["says"]


RULED = [case for case in CASES if (case.folder / "rules.yaml").exists()]


@pytest.mark.parametrize("case", RULED, ids=lambda case: case.name)
def test_rule_files_say_the_same(case: Case) -> None:
    problems = Problems()
    plan = case.ruled(problems)
    assert plan is not None
    reports = [
        sorted((finding.rule, finding.message) for finding in item.findings) for item in (problems, case.problems)
    ]
    assert reports[0] == reports[1]
    assert case.is_sound
    bare = [[re.sub(r"  \(.*", "", line) for line in item.format_lines()] for item in (plan, case.plan)]
    assert bare[0] == bare[1]
    convert = load_converter(plan, str(case.folder))
    for source, expected, _ in case.conversions():
        version = expected["apiVersion"].rpartition("/")[2]
        assert convert(source, version) == case.convert(source, version)


SOUND = [case for case in CASES if case.is_sound]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_proof(case: Case) -> None:
    for proof in Prover(25, 1).prove(case.plan, case.convert):  # `make fuzz` runs 150 objects of random seeds
        assert proof.violations == ()
        assert proof.count > 5


WRONG = [(case, entry) for case in SOUND for entry in case.listed("wrong-functions.yaml")]


@pytest.mark.parametrize(("case", "entry"), WRONG, ids=lambda each: getattr(each, "name", None) or each["name"])
def test_proof_finds_functions_that_are_wrong(case: Case, entry: dict[str, str], tmp_path: Path) -> None:
    name = f"{get_functions_module_name(case.plan)}.py"
    text = (case.folder / name).read_text("utf-8")
    assert text.count(entry["in"]) == 1
    (tmp_path / name).write_text(text.replace(entry["in"], entry["with"]), "utf-8")
    assert entry["breaks"] in find_broken_laws(Prover(150, 1), case.plan, load_converter(case.plan, str(tmp_path)))


STRICT = "A,ARG,B,BLE,C4,C90,D1,E,F,FBT,FURB,I,ISC,N,PERF,PGH,PIE,PTH,RET,RSE,RUF,S,SIM,SLF,TID,UP,W"


def test_modules_are_clean(tmp_path: Path, mypy_cache: Path) -> None:
    """Check that generated code passes common tools with their default settings."""
    package = tmp_path / "converters"
    package.mkdir()
    plans = {case.plan.name: case.plan for case in SOUND}  # of several that share a name the last
    for file in make_converter_files(list(plans.values()), Settings(converters="converters")):
        (tmp_path / file.name).write_text(file.text)
    for case in SOUND:
        (package / f"{case.name.replace('-', '_')}.py").write_text(case.goldens["module.py"])
        if "functions.py" in case.goldens:
            (package / f"{get_functions_module_name(case.plan)}.py").write_text(case.goldens["functions.py"])
    bin_ = Path(sys.executable).parent
    for command in (
        [bin_ / "ruff", "check", "--isolated", "--no-cache", f"--select={STRICT}", "--ignore=D105,D107", package],
        [bin_ / "ruff", "format", "--isolated", "--no-cache", "--diff", package],
        [bin_ / "mypy", "--strict", "--config-file=", f"--cache-dir={mypy_cache}", package],
    ):
        run = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert run.returncode == 0, run.stdout + run.stderr
