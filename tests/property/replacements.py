"""Replacements for the code of single shortcuts: the full path, or a defect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE, NodeReport
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.version_differences import FIELD_SELECTORS, RATCHETING
from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import EMBEDDED, VALIDATIONS, Schema
from tests.property.changes import Change, Forgetful, change, change_here, find_value


def get_gated_options(_internal: Any, _visitor: Any, switches: Switches) -> ValidationOptions:
    return ValidationOptions(
        allows_invalid_ca_bundle=True,
        keeps_optional_old_self=RATCHETING in switches,
        keeps_selectable_fields=FIELD_SELECTORS in switches,
    )


def report_all(visit: Any) -> NodeReport:
    """Set the flag for rules everywhere; the flag for defaults also affects other checks."""
    return NodeReport(HAS_RULE) if visit is None else NodeReport(visit.flags | HAS_RULE, tuple(visit.findings))


def report_own_rules(make: Callable[[Any], NodeReport]) -> Callable[[Any], NodeReport]:
    def report(visit: Any) -> NodeReport:
        result = make(visit)
        return (
            result if visit is None or visit.node.get(VALIDATIONS) else result.replace(flags=result.flags & ~HAS_RULE)
        )

    return report


def with_flags(**flags: bool) -> Change:
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
    below = [*node.properties.values(), *(item for item in (node.items, node.additional) if item is not None)]
    return bool(node.schema.get(VALIDATIONS)) or any(map(_has_rules, below))


def copy_value(value: Any) -> Any:
    """Return a value without objects that it shares with another."""
    if isinstance(value, Schema):
        return Schema({key: copy_value(item) for key, item in value.keywords.items()})
    if isinstance(value, dict):
        return {key: copy_value(item) for key, item in value.items()}
    return type(value)(map(copy_value, value)) if isinstance(value, list | tuple) else value


def charge_unary(charge: int) -> Callable[[Any], Any]:
    """The general evaluation of a call, with a fixed cost."""
    general = find_value("cel.interpreter.function_calls:_plan_unary")[2]
    return lambda _: lambda run, body: general(run, body, lambda *_: charge)


def charge_binary(charge: int) -> Callable[[Any], Any]:
    general = find_value("cel.interpreter.function_calls:_plan_binary")[2]
    return lambda _: lambda left, right, body: general(left, right, body, lambda *_: charge)


def dispatch_always(_: Any) -> Any:
    make = find_value("cel.interpreter.function_calls:_make_dispatcher")[2]
    return lambda name, overload, body, minor: make(name, [(overload, body)], minor)


def share_types(self: Any, declared: Any) -> Any:
    """Treat all declarations of one type as equal, whatever their sizes."""
    if declared is None:
        return None
    fields = tuple([(name, id(field)) for name, field in declared.fields.items()])
    return self._alike.setdefault((declared.type, id(declared.item), declared.is_map, fields), declared)


def round_bounds(self: Any) -> tuple[float, float]:
    """Return bounds that are not float64s."""
    low, high = self.keywords.get("minimum", -(1 << 63)), self.keywords.get("maximum", 1 << 63)
    return int(low) - 1, int(high) + 1


def plan_each_minor(self: Any, key: object, environments: Any, of: Any) -> Any:
    return lambda minor: minor


def rebuild_types(substitute: Callable[..., Type]) -> Callable[..., Type]:
    """Replace the variables of a type, even if it has none."""

    def wrapped(self: Any, kind: Type, *, dynamic: bool = False) -> Type:
        if kind.open or not kind.params:
            return substitute(self, kind, dynamic=dynamic)
        return Type(kind.kind, kind.name, tuple([wrapped(self, param, dynamic=dynamic) for param in kind.params]))

    return wrapped


def substitute_each(replace: Callable[..., Type]) -> Callable[..., Type]:
    """Replace the variables of a type each time that it occurs."""
    return lambda self, kind, _, *, dynamic: replace(self, kind, Forgetful(), dynamic=dynamic)


def substitute_alike(replace: Callable[..., Type]) -> Callable[..., Type]:
    """Use the first replacement of a run for all types."""

    def wrapped(self: Any, kind: Type, known: dict[Any, Type], *, dynamic: bool) -> Type:
        if None not in known:
            known[None] = replace(self, kind, {}, dynamic=dynamic)
        return known[None]

    return wrapped


def forget_names(find: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, properties: Any, *, whole: bool) -> Any:
        self._fields = {}, False, frozenset()
        return find(self, properties, whole=whole)

    return wrapped


def keep_names(find: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, properties: Any, *, whole: bool) -> Any:
        return self._fields[2] or find(self, properties, whole=whole)

    return wrapped


_HOLDS: dict[str, Callable[[int], bool]] = {
    "_<_": lambda order: order < 0, "_<=_": lambda order: order <= 0,
    "_>_": lambda order: order > 0, "_>=_": lambda order: order >= 0,
}  # fmt: skip


def compare_any(sign: str, _: Any) -> Callable[[Any, Any], bool]:
    """Compare without checking the types."""
    order = find_value("cel.library.functions.operators:_compare_ordered")[2]
    return lambda left, right: _HOLDS[sign](order(sign, left, right))


def is_literal_call(checked: Any, within: Any) -> bool:
    """Accept only constants that are literals."""
    text = checked.ast.text
    return any(f"{name}('" in text for name in ("int", "bool", "uint", "double"))


def remember_always(make: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, kind: type) -> Any:
        result = make(self, kind)
        self.sure[kind] = result[0]
        return result

    return wrapped


def remember_never(make: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, kind: type) -> Any:
        result = make(self, kind)
        self.sure.clear()
        return result

    return wrapped


def decode_with(features: frozenset[str] | None) -> Change:
    """Ignore which members differ between versions: select all that occur, or none."""

    def make(decode: Callable[..., Any]) -> Callable[..., Any]:
        since = find_value("admission.crd.manifest_admission:_SINCE")[2]
        met = frozenset(since) if features is None else features
        return lambda *args, **keywords: decode(*args, **keywords).replace(features=met)

    return change_here("admission.crd.manifest_admission:decode", make)


def match_any(_: Any) -> Any:
    return lambda self, _: next((schema for group in self._made.values() for schema in group.values()), None)


def keep_places(initialize: Callable[..., None]) -> Callable[..., None]:
    """Keep the places of a case that are otherwise read again."""

    def wrapped(self: Any, case: Any, *args: Any) -> None:
        initialize(self, case, *args)
        self._is_read, self._case = True, case

    return wrapped


def with_servers(minors: tuple[int, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give each judge servers of its own, of these versions or else of those that it compares for."""

    def replace(initialize: Callable[..., None]) -> Callable[..., None]:
        def wrapped(self: Any, old: Any, new: Any, own: Any, *args: Any, **keywords: Any) -> None:
            initialize(self, old, new, own, *args, **keywords)
            self._servers = AdmissionServer(minors or own, RuleCompiler())

        return wrapped

    return replace
