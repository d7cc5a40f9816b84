"""Conversion of objects in files to a version of their kind, with the converters of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from protoc_gen_crd.admission.objects.error_paths import resolve_path
from protoc_gen_crd.admission.objects.pruning import Pruner
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.conversion.codegen.handwritten_functions import (
    check_functions,
    find_required_functions,
    get_converters_folder,
    get_file_name,
)
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.converter_packages import ConverterModules
from protoc_gen_crd.conversion.derivation.conversion_options import has_declarations
from protoc_gen_crd.conversion.hub_choice import apply_hub_settings
from protoc_gen_crd.conversion.kcp_schema_reader import convert_schemas
from protoc_gen_crd.conversion.object_checks import ObjectChecker
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import Direct, build_plan, check_duplicate_rules, check_rule_file_names
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP, KIND, RuleFile, RuleReader
from protoc_gen_crd.conversion.rule_files.rule_file_search import is_generated_for_kcp
from protoc_gen_crd.conversion.rule_files.settings_rules import is_rule_like, read_rules, report_foreign_document
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.document_files import STDIN_NAME, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.document_rewriter import rewrite_objects
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.documents.old_object_key import OLD, omit_shared_fields
from protoc_gen_crd.findings.finding import Finding, Location, Problems, Severity
from protoc_gen_crd.findings.severity_policy import has_error

_LOSS_RULES = ("conversion-webhook-missing", "version-loss", "version-required", "version-differs")


def ignore_losses(problems: Problems) -> None:
    """Turn off findings on losses without conversion, since checked plans convert all objects."""
    problems.findings = [
        finding.replace(severity=Severity.OFF) if finding.rule in _LOSS_RULES else finding
        for finding in problems.findings
    ]


class ConvertedFile(Record):
    """A file: its bytes, its new bytes if objects change, and the number of changed objects.

    `has_objects` is False for a file of CRDs and rules, and for a file without Kubernetes objects.
    """

    data: bytes
    new_data: bytes | None
    changed_count: int
    has_objects: bool


class FileConverter:
    """The converters of the kinds of a run.

    Declared conversions take precedence over generated modules, unless `prefer_modules` is set. Both take precedence
    over rule files generated for kcp, which may omit steps.
    """

    def __init__(
        self,
        documents: InputDocuments,
        modules: ConverterModules | None = None,
        *,
        prefer_modules: bool = False,
        only_plans: bool = False,
    ) -> None:
        """Compile the converters of all kinds except those that modules convert.

        With `only_plans`, nothing will be converted: converters are compiled only to check hand-written functions.
        """
        self._documents = documents
        self._modules = modules or {}
        self._prefers_modules, self._only_plans = prefer_modules, only_plans
        self._kcp = [(file, case) for file in documents.files for case in self._read_file(file) if case.group == GROUP]
        for schema in convert_schemas([case for _, case in self._kcp], documents.problems):
            if not documents.definitions.has_kind(schema):
                documents.definitions.add(schema, documents.problems)
        self.plans = tuple(
            self._build_plans([definition.crd for definition in documents.definitions if definition.crd is not None])
        )
        self._folder = get_converters_folder(documents.settings)
        self._schemas = {
            (crd.group, crd.names.kind, version.name): version.schema
            for definition in documents.definitions
            if (crd := definition.crd) is not None and not crd.preserve_unknown_fields
            for version in crd.versions
        }
        self._nodes = StructuralNodes()
        self._converters = {key: module.convert for key, module in self._modules.items()}
        self._converters |= {
            (plan.crd.group, plan.crd.names.kind): converter
            for plan in self.plans
            if not only_plans or find_required_functions(plan)
            if (converter := self._compile_converter(plan)) is not None
        }

    def _read_file(self, file: str) -> Sequence[DocumentCase]:
        """Return the documents of a file, and report its errors: the unreadable part may declare conversions."""
        cases, findings = self._read_cases(file)
        self._documents.problems.findings += findings
        return cases

    def _read_cases(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return the documents of a file and its findings; no documents and a note for a file of another program."""
        cases, findings = self._documents.get_objects(file)
        if cases or not findings:
            return cases, findings
        all_cases, all_findings = self._documents.get_cases(file)  # rules without a kind are no Kubernetes object
        is_rules = any(is_rule_like(case.object) for case in all_cases)
        return (all_cases, all_findings) if is_rules else (cases, findings)

    def _build_plans(self, crds: Sequence[Crd]) -> Iterator[Plan]:
        rule_files, generated_for_kcp = self._read_rule_files()
        settings_rules = read_rules(self._documents.settings, self._documents.problems)
        # A file that the settings name can also be in the paths.
        files = list(
            {
                (resolve_links(file.origin.file), file.origin.line): file for file in (*rule_files, *settings_rules)
            }.values()
        )
        check_rule_file_names([*files, *generated_for_kcp], crds, self._documents.problems)
        check_duplicate_rules(files, crds, self._documents.problems)
        crds = apply_hub_settings(crds, self._documents.settings, self._documents.problems)
        has_unused_file = any(not any(file.is_applicable(crd) for crd in crds) for file in files)
        for crd in crds:
            applicable = [file for file in files if file.is_applicable(crd)]
            is_declared = bool(applicable) or has_declarations(crd)
            module = self._modules.get((crd.group, crd.names.kind))
            if (module and (self._prefers_modules or not is_declared)) or len(crd.versions) == 1:
                continue
            applicable = applicable if is_declared else [file for file in generated_for_kcp if file.is_applicable(crd)]
            # Declarations of fields are checked with the CRD, and an unused rule file already explains missing steps.
            is_reported = not applicable and (has_declarations(crd) or has_unused_file)
            direct = Direct.ALL if module else Direct.NONE if self._only_plans else Direct.ON_DEMAND
            plan = self._build_plan(crd, applicable, direct, reported=is_reported)
            if plan is not None:
                self._report_outdated(plan, module.file if module else "", [] if is_declared else applicable)
                yield plan

    def _build_plan(self, crd: Crd, rules: Sequence[RuleFile], direct: Direct, *, reported: bool) -> Plan | None:
        """Return the plan of a kind, None if it has errors.

        With `reported`, the findings of the plan are omitted, unless there is no other error.
        """
        problems = Problems() if reported else self._documents.problems
        before = len(problems.findings)
        plan = build_plan(crd, problems, rules, direct=direct)
        if not self._has_error(problems.findings[before:]):
            return plan
        if reported and not self._has_error(self._documents.problems.findings):
            self._documents.problems.findings += problems.findings
        return None

    def _has_error(self, findings: Sequence[Finding]) -> bool:
        return has_error(findings, self._documents.settings.findings, complete=False)

    def _report_outdated(self, plan: Plan, file: str, generated_for_kcp: Sequence[RuleFile]) -> None:
        """Report a module that differs from the plan, and plans from rule files that were generated for kcp."""
        if file and read_text(file) != generate_module(plan):
            problem = f"converter module of {plan.name} is out of date with the declared conversions"
            hint = "convert uses the declared conversions, but serve runs the module: run `protoc-gen-crd generate`"
            self._documents.problems.report("conversion-outdated", problem, Location(file), path=plan.name, hint=hint)
        for rule_file in generated_for_kcp:
            problem = f"objects of {plan.name} are converted by a generated APIConversion, which may omit steps"
            hint = "kcp cannot express all conversions: add --converter-package FOLDER or the .proto files"
            self._documents.problems.report("conversion-outdated", problem, rule_file.origin, path=plan.name, hint=hint)

    def _read_rule_files(self) -> tuple[list[RuleFile], list[RuleFile]]:
        """Return the rule files in the paths, and those that were generated for kcp."""
        rule_files: tuple[list[RuleFile], list[RuleFile]] = [], []
        for file in self._documents.files:
            for case in self._read_cases(file)[0]:
                if (case.group, case.kind) == (GROUP, KIND):
                    rules = RuleReader(case.get_place, self._documents.problems).read(case.object)
                    rule_files[is_generated_for_kcp(file)].append(rules)
                elif is_rule_like(case.object) and self._documents.definitions.find(case) is None:
                    report_foreign_document(case.object, case.get_place, self._documents.problems)
        return rule_files

    def _compile_converter(self, plan: Plan) -> Convert | None:
        """Return the converter of a plan; None, with findings, if its functions cannot be loaded."""
        problems = self._documents.problems
        if not find_required_functions(plan):
            return load_converter(plan)
        if not check_functions(plan, self._folder, problems):
            return None
        try:
            return load_converter(plan, self._folder)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the file can raise anything
            problem = f"cannot load the file of conversion functions: {type(error).__name__}: {error}"
            problems.report("conversion-function", problem, Location(f"{self._folder}/{get_file_name(plan)}"))
            return None

    @cached_property
    def _checker(self) -> ObjectChecker:
        """The checker of objects. Only conversions of objects need it."""
        return ObjectChecker(self._documents, self._converters)

    @property
    def converters(self) -> Mapping[tuple[str, str], Convert]:
        """The converters by group and kind."""
        return self._converters

    def get_converter(self, plan: Plan) -> Convert:
        """Return the converter of the kind of a plan."""
        return self._converters[plan.crd.group, plan.crd.names.kind]

    def collect_objects(self) -> list[dict[str, Any]]:
        """Return the objects in the files of the run whose kinds can be converted."""
        cases = [case for file in self._documents.files for case in self._read_cases(file)[0]]
        return [case.object for case in cases if (case.group, case.kind) in self._converters]

    def convert_file(self, name: str, version: str) -> ConvertedFile:
        """Convert the objects of a file. Objects of other kinds are not changed."""
        problems = self._documents.problems
        data = self._documents.contents[name] if name == STDIN_NAME else read_content(name, problems)
        cases, findings = self._read_cases(name)
        before = len(problems.findings) - len(findings)
        errors = {id(case): error for case in cases if (error := self._checker.find_error(case))}
        problems.findings += errors.values()
        converted = self.convert_cases(data, [case for case in cases if id(case) not in errors], version, problems)
        if converted.new_data is not None and len(problems.findings) > before:
            self._documents.contents[name] = data  # findings are printed after the file is written
        return converted

    def convert_cases(
        self, data: bytes, cases: Sequence[DocumentCase], version: str, problems: Problems
    ) -> ConvertedFile:
        """Convert objects that were read from a stream. Objects of other kinds are not changed."""
        converted = [(case, self._convert_object(case, version, problems)) for case in cases]
        changed = [
            (case, new_object)
            for case, new_object in converted
            if new_object is not None and new_object is not case.object
        ]
        replacements = [
            (case, {**self._convert_keys(case, new_object, version, problems), **new_object})
            for case, new_object in changed
        ]
        new_data = rewrite_objects(data, replacements, self._documents.minors[-1]) if replacements else None
        if replacements and new_data is None:
            problem = "cannot write converted objects into a file of this form"
            problems.report("conversion-object", problem, replacements[0][0].at, path=replacements[0][0].name)
        return ConvertedFile(data, new_data, len(changed), any(map(_is_object, cases)))

    def _convert_keys(
        self, case: DocumentCase, new_object: dict[str, Any], version: str, problems: Problems
    ) -> dict[str, Any]:
        """Return the expectation keys of a test document, with its old object in the version. Others are unchanged."""
        keys, old = _get_expectation_keys(case), case.expectation.old
        if old is None:
            return keys
        old_case = case.replace(object=old, prefix=(*case.prefix, OLD))
        if error := self._checker.find_error(old_case):
            problems.findings.append(error)
            return keys
        new_old = self._convert_object(old_case, version, problems)
        return keys if new_old is None else {**keys, OLD: omit_shared_fields(new_old, keys[OLD], new_object)}

    def _convert_object(self, case: DocumentCase, version: str, problems: Problems) -> dict[str, Any] | None:
        """Convert an object. Return None for an unknown kind, or with a finding if the object cannot be converted."""
        convert = self._converters.get((case.group, case.kind))
        if convert is None:
            return None
        try:
            return convert(self._prune_object(case, version, problems), version)
        except ConversionError as error:
            problem = f"cannot convert {case.name}: {error}"
            is_boolean = re.search(r"\b(text|string)\b.*\b(true|false)$", str(error))
            hint = "quote the value if it is a string: in YAML, yes, on and y are booleans" if is_boolean else ""
            steps, _ = resolve_path(case.object, str(error).partition(": ")[0])
            problems.report("conversion-object", problem, case.get_value_place(steps), path=case.name, hint=hint)
            return None

    def _prune_object(self, case: DocumentCase, version: str, problems: Problems) -> dict[str, Any]:
        """Return an object without nulls and unknown fields, as API servers do before conversion. Report the fields."""
        schema = self._schemas.get((case.group, case.kind, case.version))
        if schema is None or case.version == version:
            return case.object
        pruner = Pruner(nulls=True)
        pruned = pruner.prune_value(self._nodes.get_node(schema, resource=True), case.object, "")
        if pruner.unknown:
            problems.findings += self._checker.find_lost_fields(case, schema, pruner.unknown)
        return dict(pruned)


def _get_expectation_keys(case: DocumentCase) -> dict[str, Any]:
    """Return the expectation keys of a test document."""
    return {key: value for key, value in case.source_object.items() if key not in case.object}


def _is_object(case: DocumentCase) -> bool:
    """Return whether a document is a Kubernetes object other than a CRD or an object of kcp."""
    return bool(case.kind and case.version) and not case.is_crd and case.group != GROUP
