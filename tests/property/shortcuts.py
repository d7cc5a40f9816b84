"""The shortcuts of `admission/`, `cel/` and `generation/`: each with work that takes it, a way around it, and a defect.

The sentence that justifies a shortcut is beside its code: `Shortcut NAME: ...`. Around the shortcut, every outcome must
be the same. With the defect, some outcome must differ, which shows that the work reaches the shortcut.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from functools import partial
from importlib import import_module
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE, NodeReport
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions
from protoc_gen_crd.admission.switches import FIELD_SELECTORS, RATCHETING, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import EMBEDDED, VALIDATIONS, Schema
from tests.property import workloads as work
from tests.property.workloads import Workload

Change = Callable[[pytest.MonkeyPatch], None]


class Shortcut(Record):
    """A shortcut by its name: work that takes it, the change that goes around it, and one that breaks it."""

    name: str
    work: Workload
    around: Change
    broken: Change


class Forgetful(dict[Any, Any]):
    """A memo that finds nothing. It keeps what it is given alive, since keys are identities."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Any] = []

    def __setitem__(self, key: Any, value: Any) -> None:
        self._kept.append(value)
        super().__setitem__(key, value)

    def __contains__(self, _: object) -> bool:
        return False

    def get(self, _: Any, default: Any = None) -> Any:
        return default

    def setdefault(self, key: Any, default: Any = None) -> Any:
        self[key] = default
        return default


class Affirming(dict[Any, Any]):
    """A memo that has the answer yes to everything."""

    def __contains__(self, _: object) -> bool:
        return True

    def __getitem__(self, _: Any) -> bool:
        return True


class Coarse(dict[Any, Any]):
    """A memo that takes different keys for the same one."""

    def __init__(self, shorten: Callable[[Any], Hashable]) -> None:
        super().__init__()
        self._shorten = shorten

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._shorten(key), value)

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self._shorten(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(self._shorten(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(self._shorten(key), default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return super().setdefault(self._shorten(key), default)


def _find(path: str) -> tuple[Any, str, Any]:
    """The owner, the name and the value of `module:name` or `module:Class.name`."""
    module, _, names = path.partition(":")
    owner: Any = import_module(f"protoc_gen_crd.{module}")
    *classes, name = names.split(".")
    for each in classes:
        owner = getattr(owner, each)
    return owner, name, getattr(owner, name)


def change(path: str, make: Callable[[Any], Any]) -> Change:
    """Replace a value by what is made of it, in every module that imports it."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        owner, name, value = _find(path)
        owners = [owner]
        if not isinstance(owner, type):
            owners += [each for key, each in sys.modules.items() if key.startswith("protoc_gen_crd.")]
        made = make(value)
        for each in owners:
            if vars(each).get(name) is value or each is owner:
                patch.setattr(each, name, made)

    return apply


def change_here(path: str, make: Callable[[Any], Any]) -> Change:
    """Replace a value in its module alone."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        owner, name, value = _find(path)
        patch.setattr(owner, name, make(value))

    return apply


def put(path: str, value: Any) -> Change:
    """Replace a value."""
    return change(path, lambda _: value)


def memo(path: str, make: Callable[[], Any]) -> Change:
    """Give each object another memo as it is made; the path names the attribute."""
    owner, _, name = path.rpartition(".")

    def replace(initialize: Callable[..., None]) -> Callable[..., None]:
        def wrapped(self: Any, *args: Any, **keywords: Any) -> None:
            initialize(self, *args, **keywords)
            setattr(self, name, make())

        return wrapped

    return change(f"{owner}.__init__", replace)


def both(*changes: Change) -> Change:
    """Several changes."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        for each in changes:
            each(patch)

    return apply


def _memos(name: str, run: Workload, path: str, shorten: Callable[[Any], Hashable]) -> Shortcut:
    return Shortcut(name, run, memo(path, Forgetful), memo(path, partial(Coarse, shorten)))


class Everything(frozenset[Any]):
    """A set that has everything."""

    def __contains__(self, _: object) -> bool:
        return True


def _yes(*_: Any, **__: Any) -> bool:
    return True


def _no(*_: Any, **__: Any) -> bool:
    return False


def _nothing(*_: Any) -> None:
    """No key at all: whatever was first is found."""


def _drop(index: int) -> Callable[[Any], Hashable]:
    """A key without one of its parts."""
    return lambda key: (*key[:index], *key[index + 1 :])


def _get_gated_options(_internal: Any, _visitor: Any, switches: Switches) -> ValidationOptions:
    return ValidationOptions(
        allows_invalid_ca_bundle=True,
        keeps_optional_old_self=RATCHETING in switches,
        keeps_selectable_fields=FIELD_SELECTORS in switches,
    )


# Flags


def _report_all(visit: Any) -> NodeReport:
    """Rules everywhere; whether there are defaults also counts for other checks than theirs."""
    return NodeReport(HAS_RULE) if visit is None else NodeReport(visit.flags | HAS_RULE, tuple(visit.findings))


def _report_own_rules(make: Callable[[Any], NodeReport]) -> Callable[[Any], NodeReport]:
    def report(visit: Any) -> NodeReport:
        found = make(visit)
        return found if visit is None or visit.node.get(VALIDATIONS) else found.replace(flags=found.flags & ~HAS_RULE)

    return report


def _with_flags(**flags: bool) -> Change:
    """Set flags of each structural node. Whether the object itself has rules counts for more than its pass."""

    def replace(initialize: Callable[..., None]) -> Callable[..., None]:
        def wrapped(self: Any, schema: Any, *args: Any, **keywords: Any) -> None:
            initialize(self, schema, *args, **keywords)
            for name, value in flags.items():
                setattr(self, name, value)
            if self.resource and not schema.get(EMBEDDED):
                self.rules = _has_rules(self)

        return wrapped

    return change("admission.objects.structural_nodes:StructuralNode.__init__", replace)


def _has_rules(node: Any) -> bool:
    below = [*node.properties.values(), *(each for each in (node.items, node.additional) if each is not None)]
    return bool(node.schema.get(VALIDATIONS)) or any(map(_has_rules, below))


def _copy(value: Any) -> Any:
    """A value without anything that it shares with another."""
    if isinstance(value, Schema):
        return Schema({key: _copy(each) for key, each in value.keywords.items()})
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return type(value)(map(_copy, value)) if isinstance(value, list | tuple) else value


# Calls and values


def _count(charge: int) -> Callable[[Any], Any]:
    """The general evaluation of a call, with a fixed cost."""
    general = _find("cel.interpreter.function_calls:_plan_unary")[2]
    return lambda _: lambda run, body: general(run, body, lambda *_: charge)


def _count_binary(charge: int) -> Callable[[Any], Any]:
    general = _find("cel.interpreter.function_calls:_plan_binary")[2]
    return lambda _: lambda left, right, body: general(left, right, body, lambda *_: charge)


def _dispatch(_: Any) -> Any:
    make = _find("cel.interpreter.function_calls:_make_dispatcher")[2]
    return lambda name, overload, body, minor: make(name, [(overload, body)], minor)


def _share_types(self: Any, made: Any) -> Any:
    """Declarations of one type taken for the same, whatever their sizes."""
    if made is None:
        return None
    fields = tuple([(name, id(field)) for name, field in made.fields.items()])
    return self._alike.setdefault((made.type, id(made.item), made.is_map, fields), made)


def _round_bounds(self: Any) -> tuple[float, float]:
    """Bounds that are not float64s."""
    low, high = self.keywords.get("minimum", -(1 << 63)), self.keywords.get("maximum", 1 << 63)
    return int(low) - 1, int(high) + 1


def _plan_each_minor(self: Any, key: object, environments: Any, of: Any) -> Any:
    return lambda minor: minor


def _rebuild(substitute: Callable[..., Type]) -> Callable[..., Type]:
    """Replace the variables of a type that has none, too."""

    def wrapped(self: Any, kind: Type, *, dynamic: bool = False) -> Type:
        if kind.open or not kind.params:
            return substitute(self, kind, dynamic=dynamic)
        return Type(kind.kind, kind.name, tuple([wrapped(self, param, dynamic=dynamic) for param in kind.params]))

    return wrapped


def _forget_names(find: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, properties: Any, *, whole: bool) -> Any:
        self._fields = {}, False, frozenset()
        return find(self, properties, whole=whole)

    return wrapped


def _keep_names(find: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, properties: Any, *, whole: bool) -> Any:
        return self._fields[2] or find(self, properties, whole=whole)

    return wrapped


_HOLDS: dict[str, Callable[[int], bool]] = {
    "_<_": lambda order: order < 0, "_<=_": lambda order: order <= 0,
    "_>_": lambda order: order > 0, "_>=_": lambda order: order >= 0,
}  # fmt: skip


def _compare(sign: str, _: Any) -> Callable[[Any, Any], bool]:
    """A comparison without a look at the types."""
    order = _find("cel.library.functions.operators:_compare_ordered")[2]
    return lambda left, right: _HOLDS[sign](order(sign, left, right))


def _is_literal_call(checked: Any, within: Any) -> bool:
    """Constants that are written as such alone."""
    text = checked.ast.text
    return any(f"{name}('" in text for name in ("int", "bool", "uint", "double"))


def _remember_always(make: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, kind: type) -> Any:
        found = make(self, kind)
        self.sure[kind] = found[0]
        return found

    return wrapped


def _remember_never(make: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, kind: type) -> Any:
        found = make(self, kind)
        self.sure.clear()
        return found

    return wrapped


def _decode_with(features: frozenset[str] | None) -> Change:
    """Take the members that versions know differently for all, or none, of those that occur."""

    def make(decode: Callable[..., Any]) -> Callable[..., Any]:
        since = _find("admission.crd.manifest_admission:_SINCE")[2]
        met = frozenset(since) if features is None else features
        return lambda *args, **keywords: decode(*args, **keywords).replace(features=met)

    return change_here("admission.crd.manifest_admission:decode", make)


def _match_any(_: Any) -> Any:
    return lambda self, _: next((made for by in self._made.values() for made in by.values()), None)


SHORTCUTS = (
    # admission of CRDs
    Shortcut(
        "shared-verdicts", work.admit_crds,
        put("admission.switches:RecordingSwitches.has_same_answers", _no),
        put("admission.switches:RecordingSwitches.has_same_answers", _yes),
    ),
    Shortcut(
        "node-reports", work.admit_crds,
        memo("admission.crd.structure.schema_visitor:Position.memo", Forgetful),
        change("admission.crd.structure.schema_visitor:SchemaVisitor.get_position",
               lambda get: lambda self, kind, *_, **__: get(self, "field" if kind != "root" else kind)),
    ),
    Shortcut(
        "quiet-types", work.admit_crds,
        put("admission.crd.structure.schema_visitor:_QUIET_TYPES", frozenset()),
        put("admission.crd.structure.schema_visitor:_QUIET_TYPES", Everything()),
    ),
    Shortcut(
        "subtree-flags", work.admit_crds,
        both(put("admission.crd.structure.schema_visitor:_make_report", _report_all),
             change_here("admission.crd.structure.schema_validation:HAS_DEFAULT", lambda _: HAS_RULE)),
        change("admission.crd.structure.schema_visitor:_make_report", _report_own_rules),
    ),
    Shortcut(
        "gated-fields", work.admit_crds,
        put("admission.crd.update.validation_options:get_creation_options", _get_gated_options),
        put("admission.crd.update.validation_options:find_gated_fields", lambda *_: (False, False)),
    ),
    Shortcut(
        "known-formats", work.admit_crds,
        put("admission.supported_formats:ALWAYS_ENFORCED", frozenset()),
        put("admission.supported_formats:ALWAYS_ENFORCED", Everything()),
    ),
    Shortcut(
        "stable-patterns", work.admit_patterns,
        put("regex.syntax_check:depends_on_go_version", _yes), put("regex.syntax_check:depends_on_go_version", _no),
    ),
    Shortcut(
        "root-keywords", work.admit_crds,
        put("admission.crd.structure.schema_validation:_ROOT_KEYWORDS", frozenset()),
        change("admission.crd.structure.schema_validation:_ROOT_KEYWORDS", lambda _: frozenset(KEYWORDS)),
    ),
    Shortcut("decoded-once", work.admit_crds, _decode_with(None), _decode_with(frozenset())),
    Shortcut(
        "same-object", work.admit_crds,
        change("admission.crd.versions.internal_version:is_equal",
               lambda compare: lambda one, other: compare(one, _copy(other))),
        put("admission.crd.versions.internal_version:is_equal", lambda one, other: one is other),
    ),
    # rules of CRDs
    Shortcut(
        "compiled-texts", work.compile_expressions,
        both(*(memo(f"admission.compiled_rules:ExpressionCompiler.{name}", Forgetful)
               for name in ("_known", "_checks", "_trees"))),
        both(memo("admission.compiled_rules:ExpressionCompiler._known", partial(Coarse, _drop(2))),
             memo("admission.compiled_rules:ExpressionCompiler._checks", partial(Coarse, _drop(1)))),
    ),
    Shortcut(
        "text-marks", work.compile_expressions,
        put("cel.version_key:AnswerCache._get_answer", _plan_each_minor),
        put("cel.version_key:find_marks", lambda _: ""),
    ),
    Shortcut(
        "version-ranges", work.compile_expressions,
        put("cel.version_range:MinorRange.contains", lambda self, minor: minor == self.minor),
        put("cel.version_range:MinorRange.contains", _yes),
    ),
    Shortcut(
        "equal-declarations", work.report_costs,
        put("cel.checker.types:DeclarationFactory._deduplicate", lambda _, made: made),
        put("cel.checker.types:DeclarationFactory._deduplicate", _share_types),
    ),
    _memos("declarations", work.admit_crds, "cel.checker.types:DeclarationFactory._known", _drop(0)),
    _memos("costed-expressions", work.report_costs,
           "admission.crd.rules.rule_compiler:RuleCompiler._costed", _nothing),
    _memos("default-programs", work.admit_crds, "admission.crd.rules.rule_compiler:RuleCompiler._programs", _nothing),
    Shortcut(
        "equal-defaults", work.admit_crds,
        put("admission.crd.rules.rule_compiler:RuleCompiler.get_equivalence_key", lambda _, minor: minor),
        both(put("admission.crd.rules.rule_compiler:RuleCompiler.get_equivalence_key", lambda *_: 0),
             put("admission.switches:RecordingSwitches.__contains__", lambda self, switch: switch in self.on)),
    ),
    Shortcut(
        "certain-programs", work.instantiate_programs,
        put("admission.crd.rules.program_creation:can_program_fail", _yes),
        put("admission.crd.rules.program_creation:can_program_fail", _is_literal_call),
    ),
    _memos("cost-functions", work.report_costs,
           "admission.crd.rules.rule_estimates:RuleEstimator._costings", _nothing),
    _memos("bounded-costs", work.report_costs,
           "admission.crd.rules.cost_factors:ExpressionCostFunction._costs", _nothing),
    # objects
    Shortcut(
        "version-classes", work.validate_objects,
        put("admission.objects.crd_handler:VersionClass._has_same_answers",
            lambda self, server: server.minor == self.switches.minor),
        put("admission.objects.crd_handler:VersionClass._has_same_answers", _yes),
    ),
    Shortcut(
        "served-crds", work.validate_objects,
        both(memo("admission.server:AdmissionServer._handlers", Forgetful),
             memo("admission.objects.crd_handler:CrdHandler._classes", Forgetful)),
        memo("admission.server:AdmissionServer._handlers", partial(Coarse, _nothing)),
    ),
    Shortcut(
        "plain-bodies", work.decode_bodies,
        change("admission.objects.json_body:_to_json_data",
               lambda _: _find("admission.objects.json_body:_convert_checked")[2]),
        put("admission.objects.json_body:_to_json_data", lambda value: value),
    ),
    Shortcut(
        "plain-metadata", work.validate_objects,
        put("admission.objects.metadata_codec:_is_plain", _no),
        put("admission.objects.metadata_codec:_is_plain", lambda value: type(value) is dict),
    ),
    _memos("structural-nodes", work.validate_objects,
           "admission.objects.structural_schemas:StructuralNodes._known", _drop(0)),
    Shortcut(
        "node-flags", work.validate_objects,
        _with_flags(defaults=True, resources=True, lists=True, rules=True),
        _with_flags(lists=False),
    ),
    Shortcut("settled-storage", work.store_objects, _with_flags(settled=False), _with_flags(settled=True)),
    Shortcut(
        "equal-storage", work.store_objects,
        put("admission.objects.version_handler:VersionHandler._is_stored_alike", False),
        put("admission.objects.version_handler:VersionHandler._is_stored_alike", True),
    ),
    Shortcut(
        "correlated-children", work.validate_objects,
        both(memo("admission.objects.correlation:CorrelatedObject._children", Forgetful),
             put("admission.objects.correlation:CorrelatedObject.unchanged",
                 property(lambda self: self._is_unchanged()))),
        memo("admission.objects.correlation:CorrelatedObject._children", partial(Coarse, _nothing)),
    ),
    _memos("value-checks", work.validate_objects, "admission.objects.value_validator:ValueValidator._nodes", _nothing),
    Shortcut(
        "sure-passes", work.validate_objects,
        change("admission.objects.value_validator:NodeValidator._make_checks", _remember_never),
        change("admission.objects.value_validator:NodeValidator._make_checks", _remember_always),
    ),
    Shortcut(
        "safe-range", work.check_numbers,
        put("admission.objects.number_checks:NumberValidator._compute_safe_range", lambda _: (0, 0)),
        put("admission.objects.number_checks:NumberValidator._compute_safe_range", _round_bounds),
    ),
    Shortcut(
        "listed-strings", work.validate_objects,
        change("admission.objects.keyword_checks:_is_listed", lambda _: lambda value, _strings, choices: any(
            _find("admission.objects.keyword_checks:_is_choice")[2](value, choice) for choice in choices)),
        put("admission.objects.keyword_checks:_is_listed", lambda value, strings, _: value in strings),
    ),
    Shortcut(
        "rule-programs", work.validate_objects,
        both(memo("admission.objects.rule_programs:RulePrograms._known", Forgetful),
             memo("admission.objects.rule_programs:RulePrograms._made", Forgetful)),
        memo("admission.objects.rule_programs:RulePrograms._made", partial(Coarse, _drop(0))),
    ),
    Shortcut(
        "spelled-alike", work.validate_objects,
        put("admission.objects.crd_handler:_depends_on_spelling", _yes),
        put("admission.objects.crd_handler:_depends_on_spelling", _no),
    ),
    # expressions
    Shortcut(
        "compared-ints", work.evaluate_expressions,
        both(*(change(f"cel.library.functions.operators:{name}", partial(_compare, sign))
               for name, sign in (("less", "_<_"), ("less_equals", "_<=_"), ("greater", "_>_"),
                                  ("greater_equals", "_>=_")))),
        put("cel.library.functions.operators:less", lambda left, right: left <= right),
    ),
    Shortcut(
        "closed-types", work.evaluate_expressions,
        change("cel.checker.assignability:Unifier.substitute", _rebuild),
        put("cel.checker.assignability:Unifier.substitute", lambda _self, kind, **_: kind),
    ),
    _memos("value-readers", work.evaluate_expressions,
           "cel.values.schema_values:ValueReaderFactory._known", _nothing),
    _memos("read-entries", work.evaluate_expressions, "cel.values.object_values:SchemaObject.entries", _nothing),
    Shortcut(
        "literal-signs", work.evaluate_expressions,
        put("cel.checker.validators:_SIGNS", ("",)), put("cel.checker.validators:_SIGNS", ("no such sign",)),
    ),
    Shortcut(
        "common-macros", work.evaluate_expressions,
        put("cel.interpreter.planner:Planner._plan_common_macro", lambda *_: None),
        put("cel.interpreter.planner:_APPENDING", 11),
    ),
    Shortcut(
        "guarded-calls", work.evaluate_expressions,
        change("cel.interpreter.function_calls:_make_guarded", _dispatch),
        put("cel.interpreter.function_calls:_make_guarded", lambda _name, _overload, body, _minor: body),
    ),
    Shortcut(
        "unit-costs", work.evaluate_expressions,
        both(change("cel.interpreter.function_calls:_plan_unary_of_cost_1", _count(1)),
             change("cel.interpreter.function_calls:_plan_binary_of_cost_1", _count_binary(1))),
        change("cel.interpreter.function_calls:_plan_unary_of_cost_1", _count(0)),
    ),
    Shortcut(
        "simple-comparisons", work.evaluate_expressions,
        put("cel.interpreter.planner:_SIMPLE", frozenset()),
        put("cel.interpreter.planner:_SIMPLE", Everything()),
    ),
    Shortcut(
        "plain-strings", work.evaluate_expressions,
        change("cel.parser.lexer:_PLAIN", lambda _: work.NO_TOKENS), put("cel.parser.lexer:_PLAIN", work.BAD_STRINGS),
    ),
    # generation
    Shortcut(
        "shared-schemas", work.generate_crds,
        put("generation.version_cache:_SchemaVariants.find", lambda *_: None),
        change("generation.version_cache:_SchemaVariants.find", _match_any),
    ),
    Shortcut(
        "range-answers", work.generate_crds,
        put("generation.version_cache:VersionCache._evaluate_range", lambda self, asked: self._contains(asked)),
        put("generation.version_cache:VersionCache._evaluate_range",
            lambda self, asked: self._answers[1].setdefault(asked, self._contains(asked))),
    ),
    Shortcut(
        "requiring-files", work.generate_crds,
        memo("generation.field_presence:FieldPresence._requiring", Forgetful),
        memo("generation.field_presence:FieldPresence._requiring", Affirming),
    ),
    Shortcut(
        "selected-names", work.generate_crds,
        change("generation.run_context:RunContext._get_cel_names", _forget_names),
        change("generation.run_context:RunContext._get_cel_names", _keep_names),
    ),
    _memos("unversioned-fields", work.generate_crds,
           "generation.message_schemas:MessageBuilder._unversioned", _nothing),
    _memos("equal-roots", work.generate_crds, "generation.root_schemas:RootBuilder._made", _drop(0)),
    _memos("versioned-resources", work.generate_crds,
           "generation.resource_builder:ResourceBuilder._resources", _drop(1)),
    _memos("schema-sizes", work.measure_schemas, "generation.schema_size:SchemaMeasurer._memo", _nothing),
    _memos("expanded-rules", work.generate_crds, "generation.run_context:RunContext._expanded", _nothing),
    _memos("bare-schemas", work.report_findings, "generation.masked_findings:_BareSchemas._schemas", _nothing),
    Shortcut(
        "unmasked-rules", work.report_findings,
        put("generation.masked_findings:_MASKING_PATH", ""), put("generation.masked_findings:_MASKING_PATH", "(?!)"),
    ),
    Shortcut(
        "no-compiler", work.report_findings,
        change("generation.admission_findings:_make_compiler",
               lambda _: lambda *_: _find("admission.crd.rules.rule_compiler:RuleCompiler")[2]()),
        put("generation.admission_findings:_make_compiler", lambda *_: None),
    ),
    _memos("parsed-markers", work.generate_istio_crds,
           "generation.istio.validation_lines:LineApplier._memo", _nothing),
)  # fmt: skip
