"""Cases of testdata/conversion: an API in protos, equal objects in its versions, and stale-client updates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from protoc_gen_crd.conversion.codegen.handwritten_functions import find_required_functions, generate_scaffold
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.derivation.conversion_options import has_declarations
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover, _ViolationSearch
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleFile, RuleReader
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.renderers.text import render
from protoc_gen_crd.findings.report_order_and_limits import build_report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.schema.schema import CONVERSION, Schema
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.reader import read
from tests.support.yaml_data import load_file

FOLDER = Path(__file__).parents[2] / "testdata" / "conversion"
UNSERVED = "conversion-webhook-missing"  # of every case: no CRD has a webhook
LIST_KEYS = "conversion-list-keys"  # for other objects than those whose lists are unchanged
Object = dict[str, Any]


class Case:
    """One folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, folder.name
        self.problems = Problems()
        self.paths: dict[str, str] = {}

    @cached_property
    def crd(self) -> Crd:
        """The only kind of the API."""
        crd_problems = Problems()
        alone = not any("conversion" in path.read_text("utf-8") for path in self.folder.glob("*.proto"))
        rules = [str(path) for path in self.folder.glob("rules.yaml") if alone]
        (crd,) = generate_crds([str(self.folder)], Settings(conversion_rules=tuple(rules)), self.paths, crd_problems)
        self.problems.findings += [finding for finding in crd_problems.findings if finding.rule != UNSERVED]
        return crd

    @cached_property
    def plan(self) -> Plan:
        """The rules that fields declare, or else those of the rule file."""
        files = [] if has_declarations(self.crd) else [rules for rules in [self.rules] if rules]
        plan = build_plan(self.crd, Problems(), files)
        assert plan is not None
        return plan

    @cached_property
    def rules(self) -> RuleFile | None:
        """The rules of the rule file, if the case has one."""
        return self._read("rules.yaml", self.problems)

    def _read(self, name: str, problems: Problems) -> RuleFile | None:
        path = self.folder / name
        if not path.exists():
            return None
        self.paths[name] = str(path)
        (document,) = read(path.read_bytes(), name)
        return RuleReader(document.get_place, problems).read(document.value)

    @property
    def wrong_rules(self) -> str:
        """The findings of an invalid rule file, if the case has one."""
        problems = Problems()
        rules = self._read("wrong-rules.yaml", problems)
        if rules is None:
            return ""
        build_plan(self.crd, problems, [rules])
        return self._rendered(problems)

    def ruled(self, problems: Problems) -> Plan | None:
        """The plan of the rule file, for the same kind without its declarations."""
        rules = self.rules
        return build_plan(self.silent, problems, [rules]) if rules is not None else None

    @property
    def silent(self) -> Crd:
        """The kind without its declarations."""
        silent = [version.replace(schema=_silent(version.schema)) for version in self.crd.versions if version.schema]
        return self.crd.replace(versions=tuple(silent))

    @cached_property
    def convert(self) -> Convert:
        """The function of the generated module."""
        return load_converter(self.plan, str(self.folder))

    @property
    def findings(self) -> str:
        """The findings of the generator, as users see them."""
        assert self.crd
        return self._rendered(self.problems)

    def _rendered(self, problems: Problems) -> str:
        sources = SourceFiles(self.paths)
        text = render(build_report(problems.findings, (), sources), color=False)
        return text.replace(f"{self.folder}/", "")

    @property
    def is_sound(self) -> bool:
        """Return true if conversions lose nothing as long as clients do not move the items of lists."""
        path = self.folder / "expected" / "findings.txt"
        rules = re.findall(r"\[([a-z-]+)\]$", path.read_text("utf-8"), re.MULTILINE) if path.exists() else []
        return set(rules) <= {LIST_KEYS}

    @cached_property
    def goldens(self) -> Mapping[str, str]:
        """The generated files of the case."""
        lines = "".join(f"{line}\n" for line in self.plan.format_lines()).replace(f"{self.folder}/", "")
        files = {"plan.txt": lines, "findings.txt": self.findings, "module.py": generate_module(self.plan)}
        files["wrong-rules.txt"] = self.wrong_rules
        if find_required_functions(self.plan):
            files["functions.py"] = generate_scaffold(self.plan)
        return {name: text for name, text in files.items() if text}

    def object(self, version: str, content: Object) -> Object:
        """Return an object of a version with some fields."""
        return {
            "apiVersion": f"{self.crd.group}/{version}",
            "kind": self.crd.names.kind,
            "metadata": {"name": "x"},
            **content,
        }

    def listed(self, file: str) -> list[Object]:
        """Return the entries of a file, none without the file."""
        path = self.folder / file
        return load_file(path) if path.exists() else []

    def conversions(self) -> Iterator[tuple[Object, Object, bool]]:
        """Return objects, their counterparts in another version, and whether the reverse conversion restores them."""
        for entry in self.listed("objects.yaml"):
            only = entry.pop("only", "").removeprefix("from ")
            (first_name, first), (second_name, second) = (
                (name, self.object(name, content)) for name, content in entry.items()
            )
            if only in ("", first_name):
                yield first, second, not only
            if only in ("", second_name):
                yield second, first, not only


def _silent(schema: Schema) -> Schema:
    """Return a schema without conversion options."""
    changes: dict[str, Any] = {"properties": {name: _silent(child) for name, child in schema.properties.items()}}
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema):
            changes[keyword] = _silent(child)
    facts = {name: fact for name, fact in (schema.facts or {}).items() if name != CONVERSION}
    kept = changes if schema.properties or len(changes) > 1 else {}
    return Schema({**schema.keywords, **kept}, schema.origin, schema.marks, facts)


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases; modules share the compiled ones."""
    return tuple([Case(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()])


def get_case(name: str) -> Case:
    """Return the shared case of a folder."""
    return next(case for case in cases() if case.name == name)


def find_broken_laws(prover: Prover, plan: Plan, convert: Convert) -> Iterator[str]:
    """Yield the laws of the violations that a prover finds, one by one, instead of all of them with small objects."""
    for case in prover._make_cases(plan, convert):
        search = _ViolationSearch(case, prover._sampler, prover._seed)
        for obj in search.generate_objects([], prover._count):
            yield from (violation.law for violation in search.find_violations(obj, {}))


def bare(obj: Object) -> Object:
    """Return an object without its conversion data."""
    metadata = dict(obj.get("metadata", {}))
    annotations = metadata.pop("annotations", {})
    kept = {name: text for name, text in annotations.items() if "/conversion-data." not in name}
    return {**obj, "metadata": {**metadata, **({"annotations": kept} if kept else {})}}


def edited(obj: Object, changes: Object) -> Object:
    """Return a copy with values at paths; null removes a value."""
    edited_object: Object = {**obj}
    for path, value in changes.items():
        names = path.split(".")
        at = edited_object
        for name in names[:-1]:
            at[name] = dict(at.get(name, {}))
            at = at[name]
        if value is None:
            at.pop(names[-1], None)
        else:
            at[names[-1]] = value
    return edited_object


STATUS: Object = {"type": "object", "properties": {"phase": {"type": "string"}}}


def crd(**specs: Object) -> Object:
    """Return a CRD whose versions have these specs; the last one is stored."""
    versions = [
        {
            "name": name, "served": True, "storage": name == list(specs)[-1],
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": STATUS}}},
        }
        for name, spec in specs.items()
    ]  # fmt: skip
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    spec = {"group": "acme.example", "scope": "Namespaced", "names": names, "versions": versions}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.acme.example"}, "spec": spec}  # fmt: skip


def fields(**properties: Object) -> Object:
    """The schema of an object."""
    return {"type": "object", "properties": properties}


def listed(**properties: Object) -> Object:
    """The schema of a list of objects."""
    return {"type": "array", "items": fields(**properties)}


def rules(*directions: tuple[str, str, list[Object]], **more: list[str]) -> Object:
    """An APIConversion."""
    conversions = [{"from": source, "to": target, "rules": rules, **more} for source, target, rules in directions]
    return {"kind": "APIConversion", "spec": {"conversions": conversions}}
