"""Attributes: a start with qualifiers that select from it. Qualifiers are fields, keys, indexes, and presence tests.

An attribute is evaluated as a whole: after an optional qualifier, or from an optional value on, qualifiers may find
nothing. Each qualifier costs 1, an optional one only if it finds something. Source: cel-go v0.29
`interpreter/attributes.go`, `interpreter/interpretable.go`.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.types import LIST, MAP, OBJECT, TYPE, Type
from protoc_gen_crd.cel.library.functions.native_conversion import MessageValue
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.list_values import ConcatenatedList, SchemaList, SetUnion
from protoc_gen_crd.cel.values.runtime_values import (
    LEAST_INT,
    MISSING,
    MOST_INT,
    NONE,
    CelError,
    Map,
    Optional,
    Unreadable,
    Value,
    get_type,
    make_no_such_overload,
    to_native,
)
from protoc_gen_crd.cel.version_differences import ERROR_VARIABLES, OPTIONAL_VALUES, UNSIZED_INDEXES
from protoc_gen_crd.kubernetes.shared_results import Switches

from .evaluation_frame import COST, Evaluation, Frame, Interpretable, PlanningError

_KEYS = (str, int, Uint, bool, float)


class Qualifier(Record):
    """One qualifier: a constant or computed key; with `presence`, the result is whether it finds something.

    In cel-go 0.12, the error of an index out of range includes the size of the list.
    """

    key: Interpretable
    switches: Switches
    optional: bool = False
    presence: bool = False


class VariableAttribute(Record):
    """An attribute that starts at a variable; `paid` is `run` with the cost of reading the variable."""

    run: Evaluation
    paid: Evaluation
    type: Type


class ConditionalAttribute(Record):
    """An attribute that starts at one of two values."""

    condition: Evaluation
    first: Attribute
    second: Attribute


class Attribute(Record):
    """A start and its qualifiers. A start that is neither a variable nor a conditional is any other plan."""

    operand: VariableAttribute | ConditionalAttribute | Interpretable
    qualifiers: tuple[Qualifier, ...] = ()

    def add_qualifiers(self, *steps: Qualifier) -> Attribute:
        """Return the attribute with more qualifiers."""
        return self.replace(qualifiers=(*self.qualifiers, *steps))


def plan_key(run: Evaluation) -> Evaluation:
    """Evaluate a key; an invalid item of data cannot be one."""

    def evaluate(frame: Frame) -> Value:
        try:
            return run(frame)
        except Unreadable:
            raise CelError("invalid qualifier type: *types.Err") from None

    return evaluate


def _format_key(key: Value) -> str:
    """Format a key as in error messages."""
    from protoc_gen_crd.cel.library.functions.type_conversions import format_for_error  # noqa: PLC0415 - for errors

    return format_for_error(key)


def to_list_index(key: Value) -> int:
    """Return the list index that a value represents. Raises CelError if it is none."""
    kind = type(key)
    if kind is int:
        return key  # type: ignore[no-any-return]
    if kind is Uint or kind is float:
        whole = int(key) if kind is Uint or key.is_integer() else MOST_INT + 1
        if LEAST_INT < whole < MOST_INT:
            return whole
        raise CelError(f"unsupported index value {_format_key(key)} in list")
    raise CelError(f"unsupported index type '{get_type(key).name}' in list")


def qualify(value: Value, key: Value, switches: Switches | None = None) -> Value:
    """Return the value that a qualifier finds, or `MISSING`. In cel-go 0.12, only lists handle indexes.

    `switches` is None for a presence test or an optional qualifier.
    """
    if isinstance(value, Map):
        return value.find(key)
    if isinstance(value, list):
        of_data = (
            type(key) is not int
            and isinstance(value, SchemaList)
            and not isinstance(value, ConcatenatedList | SetUnion)
        )
        if of_data and switches is not None and UNSIZED_INDEXES not in switches:
            raise CelError(f"unsupported index: {_format_key(key)}")
        at = to_list_index(key)
        if of_data and 0 <= at < len(value):
            raise Unreadable(f"unsupported index: {_format_key(key)}")
        return value[at] if 0 <= at < len(value) else MISSING
    return value.find(key) if isinstance(value, MessageValue) else MISSING


def resolve_missing(value: Value, key: Value, switches: Switches | None = None) -> Value:
    """Return the default of a message's field, else raise CelError for the missing value."""
    if isinstance(value, MessageValue):
        return value.unset[key]
    is_plain_list = switches is not None and isinstance(value, list) and not isinstance(value, SchemaList)
    if switches is not None and is_plain_list and UNSIZED_INDEXES not in switches:
        raise CelError(f"index '{_format_key(key)}' out of range in list size '{len(value)}'")
    raise CelError(f"{'index out of bounds' if isinstance(value, list) else 'no such key'}: {_format_key(key)}")


class AttributeResolver:
    """Plans attributes, without the cost of the attribute as a whole. With `optionals`, there are optional values."""

    def __init__(self, switches: Switches, *, optionals: bool) -> None:
        self.native = optionals and OPTIONAL_VALUES not in switches.lasting
        self.tries = switches.lasting.lacks(ERROR_VARIABLES)  # otherwise, variables raise no `Unreadable`

    def plan_attribute(self, attribute: Attribute) -> Evaluation:
        """Plan the evaluation of an attribute."""
        start, steps = attribute.operand, attribute.qualifiers
        if isinstance(start, ConditionalAttribute):
            return self._plan_conditional(start, steps)
        if is_plain(attribute):
            return self._plan_qualifiers(start.run, steps)
        tried = self.tries and isinstance(start, VariableAttribute) and steps and not steps[0].optional
        run = _plan_tolerating_errors(start.run) if tried else start.run
        return self._plan_chain(run, steps) if steps or self.native else run

    def _plan_qualifiers(self, run: Evaluation, steps: Sequence[Qualifier]) -> Evaluation:
        for place, step in enumerate(steps):
            before = _plan_tolerating_errors(run) if place or self.tries else run
            if step.presence:
                run = _plan_presence_test(before, step.key.constant)
            elif type(step.key.constant) is str:
                run = _plan_field(before, step.key.constant, step.switches)
            else:
                run = _plan_index(before, step)
        return run

    def _plan_conditional(self, choice: ConditionalAttribute, steps: tuple[Qualifier, ...]) -> Evaluation:
        condition = choice.condition
        first, second = [
            self._plan_branch(attribute.add_qualifiers(*steps)) for attribute in (choice.first, choice.second)
        ]

        def evaluate(frame: Frame) -> Value:
            which = condition(frame)
            if which is True:
                return first(frame)
            if which is False:
                return second(frame)
            raise make_no_such_overload()

        return evaluate

    def _plan_branch(self, attribute: Attribute) -> Evaluation:
        run = self.plan_attribute(attribute)
        return (
            _plan_rejecting_unreadable(run)
            if isinstance(attribute.operand, Interpretable) and not attribute.qualifiers
            else run
        )

    def _plan_chain(self, run: Evaluation, steps: Sequence[Qualifier]) -> Evaluation:
        unwrap = to_native if self.native else _return_value

        def evaluate(frame: Frame) -> Value:
            value = run(frame)
            optional = type(value) is Optional
            if optional:
                if value.value is MISSING:
                    return value
                value = unwrap(value.value)
            for place, step in enumerate(steps):
                optional = optional or step.optional
                try:
                    value = _qualify_if_present(value, step, frame) if optional else _qualify(value, step, frame)
                except Unreadable as error:
                    return _resolve_unreadable(error, frame, steps[place + 1 :], optional=optional)
                if value is MISSING:
                    return NONE
            return Optional(value) if optional else value

        return evaluate


_PLAIN = frozenset((LIST, MAP, OBJECT))


def is_plain(attribute: Attribute) -> bool:
    """Return true if an attribute starts with a list, map or object, and has no optional qualifiers."""
    start = attribute.operand
    plain = isinstance(start, VariableAttribute) and start.type.kind in _PLAIN
    return plain and not any(step.optional for step in attribute.qualifiers)


def _return_value(value: Value) -> Value:
    return value


def check_qualifier(qualifier: Qualifier) -> Qualifier:
    """Return the qualifier. Raises PlanningError for a constant that cannot be a key."""
    constant = qualifier.key.constant
    if constant is not MISSING and type(constant) not in _KEYS:
        raise PlanningError(f"invalid qualifier type: {get_go_type(constant)}")
    return qualifier


def _plan_rejecting_unreadable(run: Evaluation) -> Evaluation:
    """Plan an evaluation that is not part of an attribute: an unreadable value fails it."""

    def evaluate(frame: Frame) -> Value:
        try:
            return run(frame)
        except Unreadable as error:
            raise CelError(error.message) from None

    return evaluate


def _plan_tolerating_errors(run: Evaluation) -> Evaluation:
    """Plan the operand of a qualifier: if it is unreadable, the qualifier costs as usual and fails."""

    def evaluate(frame: Frame) -> Value:
        try:
            return run(frame)
        except Unreadable as error:
            frame[COST] += 1
            raise CelError(error.message) from None

    return evaluate


def _plan_field(run: Evaluation, key: str, switches: Switches) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        value = run(frame)
        frame[COST] += 1
        result = value.find(key) if isinstance(value, Map) else qualify(value, key, switches)
        if result is MISSING:
            return resolve_missing(value, key)
        return result

    return evaluate


def _plan_presence_test(run: Evaluation, key: str) -> Evaluation:
    def evaluate(frame: Frame) -> bool:
        value = run(frame)
        frame[COST] += 1
        return qualify(value, key) is not MISSING

    return evaluate


def _plan_index(run: Evaluation, qualifier: Qualifier) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        return _qualify(run(frame), qualifier, frame)

    return evaluate


def _resolve_unreadable(error: Unreadable, frame: Frame, steps: Sequence[Qualifier], *, optional: bool) -> Value:
    """Resolve an attribute at an unreadable value: the next qualifier fails, the last one keeps the value."""
    frame[COST] += optional  # the qualifier itself, which has found something
    if steps:
        frame[COST] += not (optional or steps[0].optional)
        raise CelError(error.message) from None
    if optional:
        return Optional(error)
    raise error


def _qualify(value: Value, qualifier: Qualifier, frame: Frame) -> Value:
    frame[COST] += 1
    key = _evaluate_key(qualifier.key, frame)
    result = qualify(value, key, qualifier.switches)
    if qualifier.presence:
        return result is not MISSING
    if result is MISSING:
        return resolve_missing(value, key, qualifier.switches)
    return result


def _qualify_if_present(value: Value, qualifier: Qualifier, frame: Frame) -> Value:
    result = qualify(value, _evaluate_key(qualifier.key, frame))
    if result is not MISSING:
        frame[COST] += 1
    return result


def _evaluate_key(plan: Interpretable, frame: Frame) -> Value:
    if plan.constant is not MISSING:
        return plan.constant
    try:
        key = plan.run(frame)
    except Unreadable as error:
        raise CelError(error.message) from None  # not a value that a qualifier found
    if type(key) in _KEYS:
        return key
    raise CelError(f"invalid qualifier type: {get_go_type(key)}")


_GO_TYPES = {
    "null_type": "types.Null", "bytes": "types.Bytes", "list": "*types.baseList", "map": "*types.baseMap",
    "google.protobuf.Duration": "types.Duration", "google.protobuf.Timestamp": "types.Timestamp",
    "optional_type": "*types.Optional", TYPE: "*types.Type", "bool": "types.Bool", "int": "types.Int",
    "uint": "types.Uint", "double": "types.Double", "string": "types.String", "kubernetes.NamedFormat": "cel.Format",
    "kubernetes.URL": "cel.URL", "kubernetes.Semver": "cel.Semver", "net.IP": "cel.IP", "net.CIDR": "cel.CIDR",
}  # fmt: skip


def get_go_type(value: Value) -> str:
    """Return the Go type of a value as in a few error messages."""
    name = get_type(value).name
    return getattr(value, "go_type", None) or _GO_TYPES.get(name, name)
