"""The shortcuts of the packages: each with a workload, a bypass, and a defect.

The sentence that justifies a shortcut is next to its code: `Shortcut NAME: ...`. With the bypass, every outcome must
be the same. With the defect, some outcome must differ, which shows that the workload reaches the shortcut.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.composition.direct_conversions import with_direct
from protoc_gen_crd.golang.whitespace import split_fields
from protoc_gen_crd.kubernetes.supported_versions import OLDEST
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import Schema
from tests.property.changes import (
    Affirming,
    Change,
    Coarse,
    Everything,
    Forgetful,
    both,
    change,
    change_here,
    drop_all,
    drop_part,
    find_value,
    memo,
    put,
    say_no,
    say_yes,
    select_all_versions,
    select_own_version,
)
from tests.property.replacements import (
    charge_binary,
    charge_unary,
    compare_any,
    copy_value,
    decode_with,
    dispatch_always,
    forget_names,
    get_gated_options,
    is_literal_call,
    keep_names,
    keep_places,
    match_any,
    plan_each_minor,
    rebuild_types,
    remember_always,
    remember_never,
    report_all,
    report_own_rules,
    round_bounds,
    share_types,
    substitute_alike,
    substitute_each,
    with_flags,
    with_servers,
)
from tests.property.workloads import (
    apis,
    comparisons,
    crds,
    descriptions,
    documents,
    expressions,
    kinds,
    macros,
    marker_arguments,
    objects,
    samples,
)
from tests.property.workloads.draws import Workload


class Shortcut(Record):
    """A shortcut by its name: a workload that takes it, the change that bypasses it, and one that breaks it."""

    name: str
    work: Workload
    around: Change
    broken: Change


def _memos(name: str, run: Workload, path: str, shorten: Callable[[Any], Hashable]) -> Shortcut:
    return Shortcut(name, run, memo(path, Forgetful), memo(path, partial(Coarse, shorten)))


SHORTCUTS = (
    # admission of CRDs
    Shortcut(
        "shared-verdicts", crds.admit_crds,
        put("kubernetes.shared_results:RecordingSwitches.select", select_own_version),
        put("kubernetes.shared_results:RecordingSwitches.select", select_all_versions),
    ),
    Shortcut(
        "node-reports", crds.admit_crds,
        memo("admission.crd.structure.schema_visitor:Position.memo", Forgetful),
        change("admission.crd.structure.schema_visitor:SchemaVisitor.get_position",
               lambda get: lambda self, kind, *_, **__: get(self, "field" if kind != "root" else kind)),
    ),
    Shortcut(
        "quiet-types", crds.admit_crds,
        put("admission.crd.structure.schema_visitor:_QUIET_TYPES", frozenset()),
        put("admission.crd.structure.schema_visitor:_QUIET_TYPES", Everything()),
    ),
    Shortcut(
        "subtree-flags", crds.admit_crds,
        both(put("admission.crd.structure.schema_visitor:_make_report", report_all),
             change_here("admission.crd.structure.schema_validation:HAS_DEFAULT", lambda _: HAS_RULE)),
        change("admission.crd.structure.schema_visitor:_make_report", report_own_rules),
    ),
    Shortcut(
        "gated-fields", crds.admit_crds,
        put("admission.crd.update.validation_options:get_creation_options", get_gated_options),
        put("admission.crd.update.validation_options:find_gated_fields", lambda *_: (False, False)),
    ),
    Shortcut(
        "known-formats", crds.admit_crds,
        put("admission.supported_formats:ALWAYS_ENFORCED", frozenset()),
        put("admission.supported_formats:ALWAYS_ENFORCED", Everything()),
    ),
    Shortcut(
        "stable-patterns", crds.admit_patterns,
        put("regex.syntax_check:depends_on_go_version", say_yes),
        put("regex.syntax_check:depends_on_go_version", say_no),
    ),
    Shortcut(
        "root-keywords", crds.admit_crds,
        put("admission.crd.structure.schema_validation:_ROOT_KEYWORDS", frozenset()),
        change("admission.crd.structure.schema_validation:_ROOT_KEYWORDS", lambda _: frozenset(KEYWORDS)),
    ),
    Shortcut("decoded-once", crds.admit_crds, decode_with(None), decode_with(frozenset())),
    Shortcut(
        "same-object", crds.admit_crds,
        change("admission.crd.versions.internal_version:is_equal",
               lambda compare: lambda one, other: compare(one, copy_value(other))),
        put("admission.crd.versions.internal_version:is_equal", lambda one, other: one is other),
    ),
    # rules of CRDs
    Shortcut(
        "compiled-texts", expressions.compile_expressions,
        both(memo("kubernetes.shared_results:SharedResults._known", Forgetful),
             memo("admission.expression_compiler:ExpressionCompiler._trees", Forgetful)),
        both(memo("admission.expression_compiler:ExpressionCompiler._known._known", partial(Coarse, drop_part(2))),
             memo("admission.expression_compiler:ExpressionCompiler._checks._known", partial(Coarse, drop_part(1)))),
    ),
    Shortcut(
        "text-marks", expressions.compile_expressions,
        put("cel.shared_answers:AnswerCache._get_answer", plan_each_minor),
        put("cel.shared_answers:find_marks", lambda _: ""),
    ),
    Shortcut(
        "version-ranges", expressions.compile_expressions,
        put("kubernetes.shared_results:RecordingSwitches.select", select_own_version),
        put("kubernetes.shared_results:RecordingSwitches.select", select_all_versions),
    ),
    Shortcut(
        "equal-declarations", crds.report_costs,
        put("cel.checker.types:DeclarationFactory._deduplicate", lambda _, declared: declared),
        put("cel.checker.types:DeclarationFactory._deduplicate", share_types),
    ),
    Shortcut(
        "renamed-fields", macros.expand_rules,
        put("cel.shared_expansions:SharedExpansions._expand_shared", lambda *_: ""),
        change_here("cel.shared_expansions:wrap_lines", lambda _: "".join),
    ),
    _memos("declarations", crds.admit_crds, "cel.checker.types:DeclarationFactory._known", drop_part(0)),
    _memos("costed-expressions", crds.report_costs,
           "admission.crd.rules.rule_compiler:RuleCompiler._costed._known", drop_all),
    _memos("site-declarations", crds.report_costs,
           "admission.crd.rules.rule_compiler:SiteDeclarations._declared_below", drop_all),
    _memos("default-programs", crds.admit_crds, "admission.crd.rules.rule_compiler:RuleCompiler._programs", drop_all),
    Shortcut(
        "equal-defaults", crds.admit_crds,
        put("admission.crd.rules.rule_compiler:RuleCompiler.get_equivalence_key", lambda _, minor: minor),
        both(put("admission.crd.rules.rule_compiler:RuleCompiler.get_equivalence_key", lambda *_: 0),
             put("kubernetes.shared_results:RecordingSwitches.__contains__",
                 lambda self, switch: switch.is_on(self.minor))),
    ),
    Shortcut(
        "certain-programs", expressions.instantiate_programs,
        put("admission.crd.rules.program_creation:can_program_fail", say_yes),
        put("admission.crd.rules.program_creation:can_program_fail", is_literal_call),
    ),
    _memos("cost-functions", crds.report_costs,
           "admission.crd.rules.rule_estimates:RuleEstimator._costings", drop_all),
    _memos("bounded-costs", crds.report_costs,
           "admission.crd.rules.cost_factors:ExpressionCostFunction._costs", drop_all),
    # objects
    Shortcut(
        "version-classes", objects.validate_objects,
        put("kubernetes.shared_results:RecordingSwitches.select", select_own_version),
        put("kubernetes.shared_results:RecordingSwitches.select", select_all_versions),
    ),
    _memos("described-results", objects.evaluate_rules,
           "admission.expression_compiler:ExpressionCompiler._descriptions", drop_all),
    Shortcut(
        "served-crds", objects.validate_objects,
        both(memo("admission.server:AdmissionServer._handlers", Forgetful),
             memo("admission.objects.crd_handler:CrdHandler._compiled", Forgetful)),
        memo("admission.server:AdmissionServer._handlers", partial(Coarse, drop_all)),
    ),
    Shortcut(
        "plain-bodies", objects.decode_bodies,
        change("admission.objects.json_body:_to_json_data",
               lambda _: find_value("admission.objects.json_body:_convert_checked")[2]),
        put("admission.objects.json_body:_to_json_data", lambda value: value),
    ),
    Shortcut(
        "plain-metadata", objects.validate_objects,
        put("admission.objects.metadata_codec:_is_plain", say_no),
        put("admission.objects.metadata_codec:_is_plain", lambda value: type(value) is dict),
    ),
    _memos("structural-nodes", objects.validate_objects,
           "admission.objects.structural_schemas:StructuralNodes._known", drop_part(0)),
    Shortcut(
        "node-flags", objects.validate_objects,
        with_flags(defaults=True, resources=True, lists=True, rules=True),
        with_flags(lists=False),
    ),
    Shortcut("settled-storage", objects.store_objects, with_flags(settled=False), with_flags(settled=True)),
    Shortcut(
        "equal-storage", objects.store_objects,
        put("admission.objects.version_handler:VersionHandler._is_stored_alike", False),
        put("admission.objects.version_handler:VersionHandler._is_stored_alike", True),
    ),
    Shortcut(
        "correlated-children", objects.validate_objects,
        both(memo("admission.objects.correlation:CorrelatedObject._children", Forgetful),
             put("admission.objects.correlation:CorrelatedObject.unchanged",
                 property(lambda self: self._is_unchanged()))),
        memo("admission.objects.correlation:CorrelatedObject._children", partial(Coarse, drop_all)),
    ),
    _memos("value-checks", objects.validate_objects,
           "admission.objects.value_validator:ValueValidator._nodes", drop_all),
    Shortcut(
        "sure-passes", objects.validate_objects,
        change("admission.objects.value_validator:NodeValidator._make_checks", remember_never),
        change("admission.objects.value_validator:NodeValidator._make_checks", remember_always),
    ),
    Shortcut(
        "safe-range", objects.check_numbers,
        put("admission.objects.number_checks:NumberValidator._compute_safe_range", lambda _: (0, 0)),
        put("admission.objects.number_checks:NumberValidator._compute_safe_range", round_bounds),
    ),
    Shortcut(
        "listed-strings", objects.validate_objects,
        change("admission.objects.keyword_checks:_is_listed", lambda _: lambda value, _strings, choices: any(
            find_value("admission.objects.keyword_checks:_is_choice")[2](value, choice) for choice in choices)),
        put("admission.objects.keyword_checks:_is_listed", lambda value, strings, _: value in strings),
    ),
    Shortcut(
        "rule-programs", objects.validate_objects,
        both(memo("admission.objects.rule_programs:RulePrograms._known", Forgetful),
             memo("admission.objects.rule_programs:RulePrograms._programs", Forgetful)),
        memo("admission.objects.rule_programs:RulePrograms._programs", partial(Coarse, drop_part(0))),
    ),
    Shortcut(
        "spelled-alike", objects.validate_objects,
        put("admission.verdicts:_is_versioned", say_yes),
        put("admission.verdicts:_is_versioned", say_no),
    ),
    # expressions
    Shortcut(
        "compared-ints", expressions.evaluate_expressions,
        both(*(change(f"cel.library.functions.operators:{name}", partial(compare_any, sign))
               for name, sign in (("less", "_<_"), ("less_equals", "_<=_"), ("greater", "_>_"),
                                  ("greater_equals", "_>=_")))),
        put("cel.library.functions.operators:less", lambda left, right: left <= right),
    ),
    Shortcut(
        "closed-types", expressions.evaluate_expressions,
        change("cel.checker.assignability:Unifier.substitute", rebuild_types),
        put("cel.checker.assignability:Unifier.substitute", lambda _self, kind, **_: kind),
    ),
    Shortcut(
        "shared-types", expressions.evaluate_expressions,
        change("cel.checker.assignability:Unifier._replace", substitute_each),
        change("cel.checker.assignability:Unifier._replace", substitute_alike),
    ),
    _memos("value-readers", expressions.evaluate_expressions,
           "cel.values.schema_values:ValueReaderFactory._known", drop_all),
    _memos("read-entries", expressions.evaluate_expressions, "cel.values.object_values:SchemaObject.entries", drop_all),
    Shortcut(
        "literal-signs", expressions.evaluate_expressions,
        put("cel.checker.literal_validators:_SIGNS", ("",)),
        put("cel.checker.literal_validators:_SIGNS", ("no such sign",)),
    ),
    Shortcut(
        "common-macros", expressions.evaluate_expressions,
        put("cel.interpreter.planner:Planner._plan_common_macro", lambda *_: None),
        put("cel.interpreter.planner:_APPENDING", 11),
    ),
    Shortcut(
        "guarded-calls", expressions.evaluate_expressions,
        change("cel.interpreter.function_calls:_make_guarded", dispatch_always),
        put("cel.interpreter.function_calls:_make_guarded", lambda _name, _overload, body, _minor: body),
    ),
    Shortcut(
        "unit-costs", expressions.evaluate_expressions,
        both(change("cel.interpreter.function_calls:_plan_unary_of_cost_1", charge_unary(1)),
             change("cel.interpreter.function_calls:_plan_binary_of_cost_1", charge_binary(1))),
        change("cel.interpreter.function_calls:_plan_unary_of_cost_1", charge_unary(0)),
    ),
    Shortcut(
        "simple-comparisons", expressions.evaluate_expressions,
        put("cel.interpreter.planner:_SIMPLE", frozenset()),
        put("cel.interpreter.planner:_SIMPLE", Everything()),
    ),
    Shortcut(
        "plain-strings", expressions.evaluate_expressions,
        put("cel.parser.lexer:_PLAIN", expressions.NO_TOKENS), put("cel.parser.lexer:_PLAIN", expressions.BAD_STRINGS),
    ),
    # generation
    Shortcut(
        "shared-schemas", apis.generate_crds,
        put("generation.version_cache:_SchemaVariants.find", lambda *_: None),
        change("generation.version_cache:_SchemaVariants.find", match_any),
    ),
    Shortcut(
        "range-answers", apis.generate_crds,
        put("generation.version_cache:VersionCache._evaluate_range", lambda self, key: self._contains(key)),
        put("generation.version_cache:VersionCache._evaluate_range",
            lambda self, key: self._answers[1].setdefault(key, self._contains(key))),
    ),
    Shortcut(
        "requiring-files", apis.generate_crds,
        memo("generation.required_fields_and_defaults:FieldPresence._requiring", Forgetful),
        memo("generation.required_fields_and_defaults:FieldPresence._requiring", Affirming),
    ),
    _memos("described-types", apis.generate_crds, "generation.element_filter:ElementFilter._described", drop_all),
    Shortcut(
        "bare-fields", apis.generate_crds,
        put("generation.element_filter:_is_bare", say_no),
        put("generation.element_filter:_is_bare", say_yes),
    ),
    Shortcut(
        "unskipped-fields", apis.generate_crds,
        put("generation.element_filter:_can_be_skipped", say_yes),
        put("generation.element_filter:_can_be_skipped", say_no),
    ),
    Shortcut(
        "absent-defaults", apis.generate_crds,
        put("generation.required_fields_and_defaults:_can_have_default", say_yes),
        put("generation.required_fields_and_defaults:_can_have_default", say_no),
    ),
    Shortcut(
        "selected-names", apis.generate_crds,
        change("generation.run_context:RunContext._get_cel_names", forget_names),
        change("generation.run_context:RunContext._get_cel_names", keep_names),
    ),
    _memos("unversioned-fields", apis.generate_crds,
           "generation.message_schemas:MessageBuilder._unversioned", drop_all),
    Shortcut(
        "placed-types", apis.generate_istio_crds,
        put("generation.finding_schemas:FindingBuilder._make_field",
            find_value("generation.message_schemas:MessageBuilder._make_field")[2]),
        put("generation.finding_schemas:FindingBuilder._make_field", lambda _, field, *__: Schema({}, field.at)),
    ),
    Shortcut(
        "equal-fields", apis.generate_istio_crds,
        put("generation.finding_schemas:FindingBuilder._make_key", lambda *_: None),
        put("generation.finding_schemas:_iterate_metadata_types", lambda _: ()),
    ),
    _memos("equal-roots", apis.generate_crds, "generation.root_schemas:RootBuilder._roots", drop_part(0)),
    _memos("versioned-resources", apis.generate_crds,
           "generation.resource_builder:ResourceBuilder._resources", drop_part(1)),
    _memos("schema-sizes", crds.measure_schemas, "generation.schema_size:SchemaMeasurer._memo", drop_all),
    _memos("expanded-rules", apis.generate_crds, "generation.run_context:RunContext._expanded", drop_all),
    _memos("bare-schemas", crds.report_findings, "generation.masked_findings:_BareSchemas._schemas", drop_all),
    Shortcut(
        "unmasked-rules", crds.report_findings,
        put("generation.masked_findings:_MASKING_PATH", ""), put("generation.masked_findings:_MASKING_PATH", "(?!)"),
    ),
    Shortcut(
        "no-compiler", crds.report_findings,
        change("generation.admission_findings:_make_compiler",
               lambda _: lambda *_: find_value("admission.crd.rules.rule_compiler:RuleCompiler")[2]()),
        put("generation.admission_findings:_make_compiler", lambda *_: None),
    ),
    _memos("parsed-markers", apis.generate_istio_crds,
           "generation.istio.validation_lines:LineApplier._memo", drop_all),
    # conversion
    Shortcut(
        "independent-fields", kinds.plan_conversions,
        put("conversion.composition.independent_fields:IndependentFields.are_independent", say_no),
        put("conversion.composition.independent_fields:_has_only_absences", say_yes),
    ),
    Shortcut(
        "functions-on-demand", kinds.convert_objects,
        put("conversion.plan_builder:with_direct_on_demand", with_direct),
        put("conversion.codegen.conversions_on_demand:ConverterOnDemand._find_direct", lambda *_: (None, ())),
    ),
    # comparison
    Shortcut(
        "equal-schemas", comparisons.compare_crds,
        put("comparison.schemas.schema_comparison:SchemaComparer._is_unchanged", say_no),
        put("comparison.schemas.schema_comparison:SchemaComparer._is_unchanged", say_yes),
    ),
    Shortcut(
        "numbered-schemas", comparisons.compare_schemas,
        put("comparison.schemas.schema_numbers:SchemaNumbers.are_equal", say_no),
        put("comparison.schemas.schema_numbers:SchemaNumbers.are_equal", say_yes),
    ),
    _memos("repeated-objects", comparisons.compare_crds,
           "comparison.evidence.object_verdicts:ObjectVerdicts._cached", drop_all),
    Shortcut(
        "one-server", comparisons.compare_crds,
        change("comparison.evidence.kind_judge:KindJudge.__init__", with_servers(())),
        change("comparison.evidence.kind_judge:KindJudge.__init__", with_servers((OLDEST,))),
    ),
    Shortcut(
        "accepted-updates", comparisons.compare_crds,
        put("comparison.evidence.kind_judge:KindJudge._admit_new",
            lambda judge, _: judge._server.admit(judge._new)[-1]),
        put("comparison.evidence.kind_judge:KindJudge._admit_new",
            lambda judge, _: judge._server.admit(judge._old)[-1]),
    ),
    Shortcut(
        "unrelated-changes", comparisons.compare_branches,
        put("versioning.branch_changes:_TouchedPaths.are_related", say_yes),
        put("versioning.branch_changes:_TouchedPaths.are_related", say_no),
    ),
    # documents
    Shortcut(
        "reread-places", documents.locate_values,
        change("documents.document_places:PlaceReader.__init__", keep_places),
        put("documents.document_places:PlaceReader._read", lambda _: None),
    ),
    Shortcut(
        "yaml-lines", documents.read_documents,
        put("yaml.line_decoder:decode_lines", lambda _: None),
        put("yaml.line_decoder:_LineReader._close", lambda *_, **__: None),
    ),
    Shortcut(
        "yaml-library", documents.read_documents,
        put("yaml.fast_decoder:_Library.is_worthwhile", say_no),
        change("yaml.libyaml_decoder:decode_by_libyaml", lambda decode: lambda data: decode(data.replace(b"a", b"b"))),
    ),
    Shortcut(
        "equal-blocks", documents.read_similar_documents,
        put("yaml.go_yaml.similar_documents:SimilarDocuments.find_blocks", lambda *_: None),
        put("yaml.go_yaml.similar_documents:_find_changed_lines", lambda _, lines: (len(lines), 0)),
    ),
    # samples
    _memos("valid-parts", samples.generate_samples, "samples.part_memo:PartMemo._entries", drop_part(1)),
    # markers
    _memos("known-lines", apis.generate_istio_crds, "markers.marker_collector:MarkerCollector._known", drop_part(2)),
    Shortcut(
        "plain-integers", marker_arguments.parse_numbers,
        put("markers.marker_argument_parser:_read_integer", lambda *_: None),
        put("markers.marker_argument_parser:_NUMBERS", Everything()),
    ),
    Shortcut(
        "quoted-arguments", marker_arguments.parse_arguments,
        put("markers.marker_argument_parser:_read_quoted_arguments", lambda *_: None),
        put("markers.marker_argument_parser:_UNQUOTED", ""),
    ),
    # Go's standard library
    Shortcut(
        "single-blanks", descriptions.extract_sentences,
        put("golang.whitespace:join_fields", lambda string: " ".join(split_fields(string))),
        put("golang.whitespace:join_fields", lambda string: string.replace("\n ", " ").strip(" ")),
    ),
)  # fmt: skip
