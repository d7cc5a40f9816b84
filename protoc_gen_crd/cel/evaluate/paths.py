"""Ways from a value into it: fields, keys, indexes, optional ones, questions whether a field is there.

A way is evaluated as a whole: behind a step that is optional, or from an optional value on, each step may find nothing.
Each step costs 1 if it is tried, an optional one if it finds something. Source: cel-go v0.29
`interpreter/attributes.go`, `interpreter/interpretable.go`.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.items import Items, Joined, MergedSet
from protoc_gen_crd.cel.library.functions.conversions import shown
from protoc_gen_crd.cel.library.functions.native import Message
from protoc_gen_crd.cel.types import LIST, MAP, OBJECT, TYPE, Type
from protoc_gen_crd.cel.values import (
    LEAST_INT,
    MISSING,
    MOST_INT,
    NONE,
    CelError,
    Map,
    Optional,
    Unreadable,
    Value,
    native,
    no_such_overload,
    type_of,
)

from .frames import COST, Frame, Plan, Run, Unfit

_KEYS = (str, int, Uint, bool, float)
_KEEPS_VALUES = 37  # servers: a way from an optional goes on from the value itself (cel-go 0.29), not from plain data
_SEES_ERRORS = 31  # servers: a way from a variable that is an error ends there (cel-go 0.20)


class Step(Record):
    """One step: by a constant key or one that is evaluated; `presence` asks only whether it leads anywhere.

    With `early` (cel-go 0.12), an index that leads nowhere is told with the size of the list.
    """

    key: Plan
    optional: bool = False
    presence: bool = False
    early: bool = False


class Variable(Record):
    """A way that starts at a variable; `paid` is the same as `run` with what looking at it costs."""

    run: Run
    paid: Run
    type: Type


class Choice(Record):
    """A way that starts at one of two values."""

    condition: Run
    first: Way
    second: Way


class Way(Record):
    """A start, and the steps from there. Starts that are no variable or choice are any other plan."""

    start: Variable | Choice | Plan
    steps: tuple[Step, ...] = ()

    def and_then(self, *steps: Step) -> Way:
        """The same way and more steps."""
        return self.replace(steps=(*self.steps, *steps))


def readable(run: Run) -> Run:
    """A key that is looked up: an item of data that is not what its schema says can be none."""

    def key(frame: Frame) -> Value:
        try:
            return run(frame)
        except Unreadable:
            raise CelError("invalid qualifier type: *types.Err") from None

    return key


def index(key: Value) -> int:
    """The index of a list that a value is. Raises CelError for one that is none."""
    kind = type(key)
    if kind is int:
        return key  # type: ignore[no-any-return]
    if kind is Uint or kind is float:
        whole = int(key) if kind is Uint or key.is_integer() else MOST_INT + 1
        if LEAST_INT < whole < MOST_INT:
            return whole
        raise CelError(f"unsupported index value {shown(key)} in list")
    raise CelError(f"unsupported index type '{type_of(key).name}' in list")


def find(value: Value, key: Value, *, early: bool = False) -> Value:
    """What a step finds, `MISSING` for nothing. To `early` servers (cel-go 0.12) an index is a list's affair alone."""
    if isinstance(value, Map):
        return value.find(key)
    if isinstance(value, list):
        of_data = type(key) is not int and isinstance(value, Items) and not isinstance(value, Joined | MergedSet)
        if of_data and early:
            raise CelError(f"unsupported index: {shown(key)}")
        at = index(key)
        if of_data and 0 <= at < len(value):
            raise Unreadable(f"unsupported index: {shown(key)}")
        return value[at] if 0 <= at < len(value) else MISSING
    return value.find(key) if isinstance(value, Message) else MISSING


def lacking(value: Value, key: Value, *, early: bool = False) -> Value:
    """What comes of a step that finds nothing: an error, but for messages. Raises CelError."""
    if isinstance(value, Message):
        return value.unset[key]
    if early and isinstance(value, list) and not isinstance(value, Items):
        raise CelError(f"index '{shown(key)}' out of range in list size '{len(value)}'")
    raise CelError(f"{'index out of bounds' if isinstance(value, list) else 'no such key'}: {shown(key)}")


class Resolver:
    """Makes evaluations of ways, without what looking at the whole costs, as servers of Kubernetes 1.`minor`."""

    def __init__(self, minor: int) -> None:
        self.native, self.tries = minor < _KEEPS_VALUES, minor < _SEES_ERRORS

    def run_of(self, way: Way) -> Run:
        """The evaluation of a way."""
        start, steps = way.start, way.steps
        if isinstance(start, Choice):
            return self._chosen(start, steps)
        plain = isinstance(start, Variable) and start.type.kind in _PLAIN
        if plain and not any(step.optional for step in steps):
            return self._stepwise(start.run, steps)
        tried = self.tries and isinstance(start, Variable) and steps and not steps[0].optional
        run = _tried(start.run) if tried else start.run
        return self._chain(run, steps) if steps or self.native else run

    def _stepwise(self, run: Run, steps: Sequence[Step]) -> Run:
        for place, step in enumerate(steps):
            before = _tried(run) if place or self.tries else run
            if step.presence:
                run = _presence(before, step.key.constant)
            elif type(step.key.constant) is str:
                run = _field(before, step.key.constant, early=step.early)
            else:
                run = _item(before, step)
        return run

    def _chosen(self, choice: Choice, steps: tuple[Step, ...]) -> Run:
        condition = choice.condition
        first, second = [self._branch(way.and_then(*steps)) for way in (choice.first, choice.second)]

        def chosen(frame: Frame) -> Value:
            which = condition(frame)
            if which is True:
                return first(frame)
            if which is False:
                return second(frame)
            raise no_such_overload()

        return chosen

    def _branch(self, way: Way) -> Run:
        run = self.run_of(way)
        return _told(run) if isinstance(way.start, Plan) and not way.steps else run

    def _chain(self, run: Run, steps: Sequence[Step]) -> Run:
        held = native if self.native else _as_it_is

        def chain(frame: Frame) -> Value:
            value = run(frame)
            optional = type(value) is Optional
            if optional:
                if value.value is MISSING:
                    return value
                value = held(value.value)
            for place, step in enumerate(steps):
                optional = optional or step.optional
                try:
                    value = _maybe(value, step, frame) if optional else _surely(value, step, frame)
                except Unreadable as error:
                    return _unreadable(error, frame, steps[place + 1 :], optional=optional)
                if value is MISSING:
                    return NONE
            return Optional(value) if optional else value

        return chain


_PLAIN = frozenset((LIST, MAP, OBJECT))


def _as_it_is(value: Value) -> Value:
    return value


def checked(step: Step) -> Step:
    """A step. Raises Unfit for a constant that is no key."""
    constant = step.key.constant
    if constant is not MISSING and type(constant) not in _KEYS:
        raise Unfit(f"invalid qualifier type: {go_type(constant)}")
    return step


def _told(run: Run) -> Run:
    """What is no way: an unreadable value that it comes upon fails it."""

    def told(frame: Frame) -> Value:
        try:
            return run(frame)
        except Unreadable as error:
            raise CelError(error.text) from None

    return told


def _tried(run: Run) -> Run:
    """A step from what may be no readable value, which costs as any other."""

    def tried(frame: Frame) -> Value:
        try:
            return run(frame)
        except Unreadable as error:
            frame[COST] += 1
            raise CelError(error.text) from None

    return tried


def _field(run: Run, key: str, *, early: bool) -> Run:
    def field(frame: Frame) -> Value:
        value = run(frame)
        frame[COST] += 1
        found = value.find(key) if isinstance(value, Map) else find(value, key, early=early)
        if found is MISSING:
            return lacking(value, key)
        return found

    return field


def _presence(run: Run, key: str) -> Run:
    def present(frame: Frame) -> bool:
        value = run(frame)
        frame[COST] += 1
        return find(value, key) is not MISSING

    return present


def _item(run: Run, step: Step) -> Run:
    def item(frame: Frame) -> Value:
        return _surely(run(frame), step, frame)

    return item


def _unreadable(error: Unreadable, frame: Frame, steps: Sequence[Step], *, optional: bool) -> Value:
    """What becomes of a way that has come upon something unreadable: the next step fails, the last is as it is."""
    frame[COST] += optional  # the step itself, which has found something
    if steps:
        frame[COST] += not (optional or steps[0].optional)
        raise CelError(error.text) from None
    if optional:
        return Optional(error)
    raise error


def _surely(value: Value, step: Step, frame: Frame) -> Value:
    frame[COST] += 1
    key = _key(step.key, frame)
    found = find(value, key, early=step.early)
    if step.presence:
        return found is not MISSING
    if found is MISSING:
        return lacking(value, key, early=step.early)
    return found


def _maybe(value: Value, step: Step, frame: Frame) -> Value:
    found = find(value, _key(step.key, frame))
    if found is not MISSING:
        frame[COST] += 1
    return found


def _key(plan: Plan, frame: Frame) -> Value:
    if plan.constant is not MISSING:
        return plan.constant
    try:
        key = plan.run(frame)
    except Unreadable as error:
        raise CelError(error.text) from None  # no value that a step has found
    if type(key) in _KEYS:
        return key
    raise CelError(f"invalid qualifier type: {go_type(key)}")


_GO_TYPES = {
    "null_type": "types.Null", "bytes": "types.Bytes", "list": "*types.baseList", "map": "*types.baseMap",
    "google.protobuf.Duration": "types.Duration", "google.protobuf.Timestamp": "types.Timestamp",
    "optional_type": "*types.Optional", TYPE: "*types.Type", "bool": "types.Bool", "int": "types.Int",
    "uint": "types.Uint", "double": "types.Double", "string": "types.String", "kubernetes.NamedFormat": "cel.Format",
    "kubernetes.URL": "cel.URL", "kubernetes.Semver": "cel.Semver", "net.IP": "cel.IP", "net.CIDR": "cel.CIDR",
}  # fmt: skip


def go_type(value: Value) -> str:
    """The Go type of a value, which a few errors name."""
    name = type_of(value).name
    return getattr(value, "go_type", None) or _GO_TYPES.get(name, name)
