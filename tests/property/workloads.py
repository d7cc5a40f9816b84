"""Random work for the code that has shortcuts: seeds to outcomes, with state that is shared from seed to seed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler
from protoc_gen_crd.admission.crd.rules import cost_report, rule_compiler, rule_estimates
from protoc_gen_crd.admission.crd.rules.program_creation import find_instantiation_error
from protoc_gen_crd.admission.objects.json_body import decode_body
from protoc_gen_crd.admission.objects.keyword_checks import make_number_check
from protoc_gen_crd.admission.objects.object_verdict import ObjectVerdict
from protoc_gen_crd.admission.objects.schema_errors import SchemaError
from protoc_gen_crd.admission.server import AdmissionServer, CrdVerdict
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.admission.verdicts import convert_object_verdict
from protoc_gen_crd.cel.checker.checker import compile_text
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.environment import get_stored_environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.lexer import _make_token_pattern
from protoc_gen_crd.cel.version_range import MinorRange
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.admission_findings import check_admission
from protoc_gen_crd.generation.schema_size import SchemaMeasurer
from protoc_gen_crd.pipeline import build_crds, build_istio_crds
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings
from tests.judges.celfuzz.requests import request
from tests.judges.celtypes.evaluated import of_compiled
from tests.judges.celtypes.ours import declared_in, schema_in, surroundings
from tests.judges.crdfuzz.mutations import mutated
from tests.judges.objectfuzz.__main__ import probe
from tests.judges.objectfuzz.schemas import Schemas
from tests.support.compile import compile_texts, request_for

Outcome = Any
Workload = Callable[[Iterable[int]], Iterator[Outcome]]

MINORS = (25, 28, 29, 30, 33, 35, 37)


def _more(seeds: Iterable[int], times: int) -> Iterator[int]:
    """More seeds, for work that is done quickly."""
    return (times * seed + index for seed in seeds for index in range(times))


@cache
def _draw(seed: int) -> dict[str, Any]:
    """A CRD and an object, perhaps with the object before an update."""
    found: dict[str, Any] = probe(seed)["input"]
    return found


def _add_version(given: dict[str, Any]) -> dict[str, Any]:
    """The same with another version, which has the same schema and is stored."""
    first, *others = given["crd"]["spec"]["versions"]
    versions = [{**first, "storage": False}, {**first, "name": "v3", "storage": True}]
    versions += [{**each, "storage": False} for each in others]
    return {**given, "crd": {**given["crd"], "spec": {**given["crd"]["spec"], "versions": versions}}}


def _format_crd_verdict(verdict: CrdVerdict, minor: int) -> Outcome:
    notices = [[notice.text for notice in found] for found in (verdict.strict_errors, verdict.warnings)]
    errors = [(verdict.format_error(error, minor), str(error.origin)) for error in verdict.errors]
    return verdict.decode_error, errors, notices, verdict.get_stored(minor)


def _format_object_verdict(verdict: ObjectVerdict, minor: int) -> Outcome:
    (answer,) = [each for each in convert_object_verdict(verdict, verdict.minors) if minor in each.minors]
    errors = [(error.text, error.path) for error in answer.errors]
    origins = [str(error.origin) for error in verdict.errors]
    return errors, origins, answer.warnings, answer.unknown_fields, answer.returned_object, answer.stored


def _format_minors(verdicts: Iterable[Any], format_verdict: Callable[[Any, int], Outcome]) -> Outcome:
    found = {minor: format_verdict(verdict, minor) for verdict in verdicts for minor in verdict.minors}
    return [(minor, json.dumps(found[minor], sort_keys=True, default=repr)) for minor in sorted(found)]


_ROOT = ("maxProperties", 1), ("title", "a"), ("nullable", True), ("allOf", [{"required": ["spec"]}])


def _change_root(crd: dict[str, Any], random: Random) -> dict[str, Any]:
    """A CRD with a subresource `status`, and perhaps with a keyword at the root that it does not allow."""
    first, *others = crd["spec"]["versions"]
    root = first["schema"]["openAPIV3Schema"] | dict(random.sample(_ROOT, random.choice((0, 0, 1))))
    changed = {**first, "schema": {"openAPIV3Schema": root}, "subresources": {"status": {}}}
    return {**crd, "spec": {**crd["spec"], "versions": [changed, *others]}}


def _change_type(crd: dict[str, Any], random: Random) -> dict[str, Any]:
    """A CRD with another type somewhere."""
    made = deepcopy(crd)
    waiting: list[Any] = [version["schema"] for version in made["spec"]["versions"]]
    typed = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            typed += [node] if isinstance(node.get("type"), str) else []
            waiting += node.values()
    random.choice(typed)["type"] = random.choice(("", "x", "array", "string", "object"))
    return made


def admit_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Verdicts on random CRDs, of which many are invalid, created and as updates."""
    server = AdmissionServer(MINORS, rule_compiler.RuleCompiler())
    for seed in _more(seeds, 3):
        old, random = _draw(seed)["crd"], Random(seed)
        crd = (_change_root, _change_type, mutated, mutated)[seed % 4](old, random)
        yield _format_minors(server.admit_data(crd, old if seed % 3 == 0 else None), _format_crd_verdict)


def validate_objects(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Verdicts on random objects, twice each, so that the second time finds all that is remembered."""
    server = AdmissionServer(MINORS, rule_compiler.RuleCompiler())
    for seed in seeds:
        given = _add_version(_draw(seed)) if seed % 5 == 0 else _draw(seed)
        status = given.get("subresource") == "status"
        crds = [each.internal.crd for each in server.admit_data(given["crd"]) if each.internal and not each.errors]
        for crd in crds[:1]:
            for _ in range(2):
                verdicts = server.validate(crd, given["obj"], given.get("old"), status=status)
                yield seed, _format_minors(verdicts, _format_object_verdict)
        yield seed, len(crds)


def store_objects(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Verdicts on objects of CRDs with two versions, of which the other one is stored."""
    server = AdmissionServer(MINORS)
    for seed in seeds:
        schemas = Schemas(Random(seed))
        spec: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string"} for name in ("a", "b")}}
        other = spec if seed % 3 else {**spec, "properties": {"a": {"type": "string"}}}
        nulls: dict[str, Any] = {"a": None} if schemas.chance(0.5) else {}
        members = {"a": {"x-kubernetes-preserve-unknown-fields": True}, "b": {"type": "string"}}
        defaulted = {**spec, "properties": members, "default": nulls | {"b": "x"}}
        default = {"d": defaulted} if schemas.chance(0.7) else {}
        versions = [
            _make_version("v1", spec | {"properties": spec["properties"] | default}),
            _make_version("v2", other),
        ]
        versions[schemas.random.choice((0, 1, 1))]["storage"] = True
        crd = decode(_make_crd(*versions)).crd
        assert crd is not None
        obj: dict[str, Any] = {
            "apiVersion": "example.com/v1",
            "kind": "Thing",
            "metadata": schemas.metadata(),
            "spec": {},
        }
        obj["spec"] = {name: schemas.value({"type": "string"}) for name in ("a", "b") if schemas.chance(0.7)}
        yield _format_minors(server.validate(crd, obj), _format_object_verdict)


def evaluate_expressions(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Types, estimates, values and costs of random expressions."""
    for seed in _more(seeds, 10):
        minor = MINORS[seed % len(MINORS)]
        asked = _draw_expression(minor, seed)
        within, variables = surroundings(asked, minor)
        compiled = compile_text(asked["expr"], within, variables)
        answer = of_compiled(compiled, asked, minor)
        if not isinstance(compiled, Rejection):
            answer["estimate"] = repr(estimate(compiled, minor, declared_in(asked, minor)))
        yield json.dumps(answer, sort_keys=True, default=repr)


@cache
def _draw_expression(minor: int, seed: int) -> dict[str, Any]:
    return dict(request(minor, seed, Counter(), 3))


def report_costs(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Estimates of the rules of random CRDs, with the bounds that are suggested."""
    estimator = rule_estimates.RuleEstimator()
    for seed in seeds:
        crd = decode(_draw(seed)["crd"]).crd
        assert crd is not None
        yield repr(list(cost_report.report_costs(crd, MINORS, estimator, effort=1_000_000)))


_RANGES = ("", "", "", "since=v1beta1", "since=v1", "until=v1alpha1", "until=v1beta1")
_RULES = ("", "", "has(self.a)", "default(self.b, 1) > 0", "!has(self.c)", "oneof(self.a, self.b)")
_TYPES = ("string", "int64", "bool", "Letter", "repeated string", "map<string, string>")
_COLUMN = 'during: {since: "v1" columns: {name: "A" type: "string" json_path: ".spec.a"}}'
_KIND = f'{{group: "acme.com" versions: ["v1alpha1", "v1beta1", "v1", "v2"] {_COLUMN}}}'


def _draw_api(random: Random) -> str:
    """A .proto file of one kind whose messages, fields, rules and enum values have ranges of versions."""
    lines = ['syntax = "proto3";', "package acme;"]
    for level in range(4):
        marker = f"// +protoc-gen-crd:resource={_KIND}\n// +protoc-gen-crd:resource.storage_version=v1"
        rule = random.choice(_RULES)
        lines += (
            [marker]
            if not level
            else [f"// +kubebuilder:validation:XValidation:rule={json.dumps(rule)}"]
            if rule
            else []
        )
        lines.append(f"message M{level} {{")
        below = [f"M{each}" for each in range(level + 1, 4)]
        for number, name in enumerate(("a", "b", "c"), start=1):
            span = random.choice(_RANGES)
            lines += [f"// +protoc-gen-crd:{span}"] if span else []
            lines.append(f"{random.choice((*_TYPES, *below, *below))} {name} = {number};")
        lines.append("}")
    value = random.choice(_RANGES[3:])
    return "\n".join([*lines, "enum Letter {", "A = 0;", f"// +protoc-gen-crd:{value}", "B = 1;", "}"])


@lru_cache(maxsize=1)
def _compile_apis(count: int) -> CodeGeneratorRequest:
    texts = {f"{seed}/api.proto": _draw_api(Random(seed)).replace("acme;", f"acme{seed};") for seed in range(count)}
    with TemporaryDirectory() as folder:
        return compile_texts(texts, Path(folder))


def generate_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """CRDs and findings of random APIs."""
    compiled = _compile_apis(100)
    for seed in seeds:
        problems = Problems()
        crds = build_crds(request_for(compiled, f"{seed}/api.proto"), Settings(), problems)
        found = [each for each in problems.findings if not each.rule.startswith("version-")]  # once for shared schemas
        findings = {(each.rule, str(each.at and each.at.resolve()), each.message) for each in found}
        yield json.dumps([encode(crd) for crd in crds]), sorted(findings)


_PARTS = (
    "a",
    "[a-z]",
    "(?<n>a)",
    "(?P<n>a)",
    "\\d",
    "\\p{L}",
    "\\p{Lu}",
    "\\pN",
    "(?i:K)",
    "{2}",
    "*",
    "+",
    "|",
    "(b)",
    "(",
)


def admit_patterns(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Verdicts on CRDs with random patterns, of which some are valid for the Go of some versions."""
    server = AdmissionServer(MINORS)
    for seed in _more(seeds, 5):
        random = Random(seed)
        pattern = "".join(random.choices(_PARTS, k=random.randint(1, 4)))
        version = _make_version("v1", {"type": "string", "pattern": pattern}) | {"storage": True}
        yield _format_minors(server.admit_data(_make_crd(version)), _format_crd_verdict)


def _make_version(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    root = {"type": "object", "properties": {"spec": schema}}
    return {"name": name, "served": True, "storage": False, "schema": {"openAPIV3Schema": root}}


def _make_crd(*versions: dict[str, Any]) -> dict[str, Any]:
    names = {"kind": "Thing", "plural": "things"}
    spec = {"group": "example.com", "names": names, "scope": "Namespaced", "versions": list(versions)}
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    return {**head, "metadata": {"name": "things.example.com"}, "spec": spec}


def compile_expressions(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Types and errors of random expressions in all versions, from one compiler."""
    compiler = ExpressionCompiler()
    for seed in seeds:
        asked = _draw_expression(MINORS[-1], seed)
        schema = schema_in(asked)
        for minor, text in product(MINORS, (asked["expr"], "self.s", "self.t", "[self.k]")):
            declared = compiler.get_declarations(minor).declare(schema, root=asked.get("root", False))
            if declared is not None:
                found = compiler.compile_expression(
                    text, get_stored_environment, declared, MinorRange(minor), is_optional=seed % 7 == 0
                )
                yield text, minor, str(found) if isinstance(found, Rejection) else (repr(found.type), found.references)


_CONSTANTS = ("'x'", "'1'", "1", "-1", "1u", "1.5", "1e300", "true", "null", "b'a'", "[]", "int", "self.i", "self.s")
_CALLS = (
    "dyn({})", "int({})", "uint({})", "double({})", "string({})", "bool({})", "bytes({})", "duration({})", "type({})",
    "timestamp({})", "[{}]", "{{'a': {}}}", "dyn([{}])", "self.s.matches({})", "dyn(self.m)[{}]", "{} == 1",
    "(1 in {})", "[{}].all(t, t == dyn(1))", "(true ? {} : dyn(1))",
)  # fmt: skip


def instantiate_programs(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Why programs of random expressions with constants cannot be made."""
    properties = {"s": {"type": "string"}, "i": {"type": "integer"}, "m": {"type": "object"}}
    asked = {"schema": {"type": "object", "properties": properties}, "expr": ""}
    for seed in _more(seeds, 3):
        random, minor = Random(seed), MINORS[seed % len(MINORS)]
        text = random.choice(_CONSTANTS)
        for _ in range(random.randint(1, 4)):
            text = random.choice(_CALLS).format(text)
        within, variables = surroundings(asked, minor)
        found = compile_text(text, within, variables)
        yield text, isinstance(found, Rejection) or find_instantiation_error(found, within, MinorRange(minor))


_VALUES: tuple[Any, ...] = (
    0,
    1,
    -1,
    2**53,
    -(2**63),
    2**63,
    10**30,
    1.0,
    1.5,
    float("inf"),
    "a",
    "é",
    "\ud800",
    None,
    True,
    [],
    {},
)


def decode_bodies(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Random plain data as the body of a request."""
    for seed in seeds:
        random = Random(seed)
        value: Any = random.choice(_VALUES)
        for _ in range(random.randint(0, 3)):
            value = random.choice(([value, 1], {"a": value}, {"é": value}, {"\ud800": value}))
        yield repr(decode_body(value, "Thing"))


_BOUNDS = (0, 1, 1.5, -1.5, 10, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), 2.0**63, 1e300, 3.9)
_FORMS = (("integer", ""), ("integer", "int32"), ("integer", "int64"), ("number", ""), ("number", "float"))


def check_numbers(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Errors of integers near random bounds."""
    for seed in _more(seeds, 20):
        random = Random(seed)
        kind, form = random.choice(_FORMS)
        keywords: dict[str, Any] = {"type": kind, random.choice(("minimum", "maximum")): random.choice(_BOUNDS)}
        for more in ("exclusiveMaximum", "exclusiveMinimum", "multipleOf", "minimum", "maximum"):
            if random.random() < 0.2:
                keywords[more] = True if more.startswith("e") else random.choice(_BOUNDS[1:3])
        switches = Switches.from_minor(random.choice(MINORS))
        check = make_number_check(Schema(keywords), (kind,), form, switches, whole=True)
        value = min(max(int(random.choice(_BOUNDS)) + random.randint(-2, 2), -(2**63)), 2**63 - 1)
        errors: list[SchemaError] = []
        if check is not None and keywords.get("multipleOf") != 0:
            check(value, "a", errors, None)
        yield keywords, form, value, errors


def measure_schemas(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Sizes of random schemas."""
    measurer = SchemaMeasurer(0, 0)
    for seed in seeds:
        crd = decode(_draw(seed)["crd"]).crd
        assert crd is not None
        yield measurer.find_total_excess([version.schema for version in crd.versions if version.schema] * 2)


def report_findings(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Findings of random CRDs, those behind other errors too."""
    for seed in seeds:
        crd = decode(mutated(_draw(seed)["crd"], Random(seed))).crd
        problems = Problems()
        check_admission([] if crd is None else [crd], "", problems)
        yield [(finding.rule, finding.message, finding.hint) for finding in problems.findings]


_LINES = ("MaxLength=3", "MinLength=1", "Pattern=^a", "MaxLength=x", "Enum=a;b", "XValidation:rule=true")


def generate_istio_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """CRDs of Istio's generator."""
    compiled = _compile_istio(100)
    for seed in seeds:
        problems = Problems()
        crds = build_istio_crds(request_for(compiled, f"{seed}/api.proto"), Settings(), problems)
        yield json.dumps([encode(crd) for crd in crds]), [finding.message for finding in problems.findings]


@lru_cache(maxsize=1)
def _compile_istio(count: int) -> CodeGeneratorRequest:
    texts = {}
    for seed in range(count):
        random = Random(seed)
        lines = ['syntax = "proto3";', f"package acme{seed};"]
        tags = ("groupName:acme.com", "versions:v1", "storageVersion", "scope:Namespaced")
        lines += [f"// +cue-gen:Kind:{tag}" for tag in tags]
        lines.append("message Kind {")
        for number in range(1, 4):
            lines += [f"// +kubebuilder:validation:{line}" for line in random.sample(_LINES, 2)]
            lines.append(f"string f{number} = {number};")
        texts[f"{seed}/api.proto"] = "\n".join([*lines, "}"])
    with TemporaryDirectory() as folder:
        return compile_texts(texts, Path(folder))


NO_TOKENS = re.compile(r"(?s)(?:((?!))|((?!))|((?!))|((?!))|((?!))|((?!))|(\Z)|(.))")
BAD_STRINGS = re.compile(_make_token_pattern(r"""'[^']*'|"[^"]*\""""))
