"""Rule files through plans and modules, and objects through the modules of correct cases."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.conversion.codegen.handwritten_functions import find_required_functions
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.yaml.reader import read
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.mutations import mutated_data, yaml_text
from tests.support.conversion import Case, cases

_POOL: tuple[Any, ...] = (
    "spec.a", "spec.items[0]", "spec.items[name=a]", "spec.*", "spec.labels[a/b]", ".", "spec..a", "[", "spec.a[",
    "metadata.name",
    "metadata.labels", "metadata.annotations[a]", "self", "self.spec.a + 1", "has(self.spec.a) ? 1 : 2", "size(self)",
    "v1", "v2",
    {"field": "spec.a", "destination": "spec.b"}, {"expression": "1"}, {"field": ["a"]}, {"preserve": ["spec"]},
    {"default": {}},
)  # fmt: skip


@cache
def _cases() -> dict[str, Case]:
    """Return the cases by name whose plans have no findings and need no handwritten functions."""
    valid_cases = [
        case for case in cases() if not case.name.startswith("wrong") and (case.folder / "api.proto").exists()
    ]
    return {case.name: case for case in valid_cases if not find_required_functions(case.plan)}


def _ruled() -> Sequence[str]:
    return [name for name, case in _cases().items() if (case.folder / "rules.yaml").exists()]


def _shown(findings: Sequence[Finding]) -> str:
    return "\n".join(f"{finding.rule} {finding.at} {finding.message} ({finding.hint})" for finding in findings)


class Rules(Fuzzer):
    """Mutated rule files next to the kind of their case; an input is the name of the case and the file."""

    name, slice = "rules", 30

    def generate(self, random: Random) -> bytes:
        name = random.choice(_ruled())
        (rules,) = corpus.documents(f"conversion/{name}/rules.yaml")
        return f"{name}\n".encode() + yaml_text(mutated_data(rules, random, _POOL), random)

    def run(self, data: bytes) -> str:
        name, _, text = data.partition(b"\n")
        case = _cases().get(name.decode("utf-8", "replace"))
        raise_recursion_limit()  # like commands
        problems = Problems()
        documents = read(text, "rules.yaml") if case else []
        if case is None or len(documents) != 1 or not isinstance(documents[0].value, dict):
            return "no input"
        rules = RuleReader(documents[0].get_place, problems).read(documents[0].value)
        plan = build_plan(case.silent, problems, [rules])
        if plan is None or has_error(problems.findings, (), complete=False):
            return _shown(problems.findings)
        module = generate_module(plan)
        ast.parse(module)
        if find_required_functions(plan):
            return module
        convert = load_converter(plan, str(case.folder))
        return module + "\n".join(_converted(convert, source, target) for source, target in _objects(case))


@cache
def _all_objects(name: str) -> tuple[tuple[Any, str], ...]:
    case = _cases()[name]
    return tuple((source, target["apiVersion"].rpartition("/")[2]) for source, target, _ in case.conversions())


def _objects(case: Case) -> tuple[tuple[Any, str], ...]:
    return _all_objects(case.name)


def _converted(convert: Any, source: Any, version: str) -> str:
    """Return the outcome of a conversion. Raises PropertyError if it changes its argument or returns invalid JSON."""
    before = json.dumps(source)
    try:
        converted = convert(source, version)
    except ConversionError as error:
        return str(error)
    if json.dumps(source) != before:
        raise PropertyError(f"a conversion changes its argument: {before}")
    return json.dumps(converted)


class Conversions(Fuzzer):
    """Mutated objects through correct modules, and back; an input is the case, the version and the object."""

    name, slice = "conversions", 50

    def generate(self, random: Random) -> bytes:
        name = random.choice([name for name in _cases() if _all_objects(name)])
        source, version = random.choice(_all_objects(name))
        if random.random() < 0.3:  # the part that the other version keeps
            source = _cases()[name].convert(source, version)
            version = random.choice([crd_version.name for crd_version in _cases()[name].crd.versions])
        return f"{name} {version}\n".encode() + json.dumps(mutated_data(source, random)).encode()

    def run(self, data: bytes) -> str:
        raise_recursion_limit()  # like commands; the webhook reports values that are nested too deeply
        head, _, text = data.partition(b"\n")
        name, _, version = head.decode("utf-8", "replace").partition(" ")
        case = _cases().get(name)
        try:
            source = json.loads(text)
        except (ValueError, RecursionError):
            return "no input"
        if case is None or not isinstance(source, dict):
            return "no input"
        converted = _converted(case.convert, source, version)
        if converted.startswith("{") and str(source.get("apiVersion", "")).rpartition("/")[2]:
            converted += _converted(case.convert, json.loads(converted), str(source["apiVersion"]).rpartition("/")[2])
        return converted
