"""The checks of single keywords, made once for a schema and a server: functions that note faults and count passes.

Source: k8s.io/kube-openapi pkg/validation/validate type.go, validator.go, values.go.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from protoc_gen_crd.admission.errors import INVALID, NOT_SUPPORTED, TOO_LONG, TOO_MANY, supported, too_long, too_many
from protoc_gen_crd.admission.golang import to_json
from protoc_gen_crd.admission.objects.correlation import Correlated, same
from protoc_gen_crd.admission.objects.faults import Fault, misfit, plain
from protoc_gen_crd.admission.objects.numbers import Limits, as_int64, is_whole
from protoc_gen_crd.admission.switches import NUMERIC_FORMATS, Switches
from protoc_gen_crd.regex.syntax import KUBERNETES_GO, check
from protoc_gen_crd.schema.types import Schema

# Checks a value of a name, notes faults, and returns how much passed beyond what always does.
Check = Callable[[Any, str, list[Fault], Correlated | None], int]

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_FORMATS = {int: "int64", float: "float64"}
_RANGED = {"integer": ("int32", "int64"), "number": ("float", "double")}


def mismatch(types: tuple[str, ...], form: str, kind: type, *, whole: bool) -> tuple[str, str] | None:
    """The type that is wanted and the one of this kind of value, None where they agree; `whole` tells of floats."""
    name, numeric = _NAMES[kind], _FORMATS.get(kind, "")
    alike = name in types or (whole and "integer" in types) or (name == "integer" and "number" in types)
    texts = name in ("string", "array")
    if not texts and form and not (alike or numeric == form):
        return form, numeric
    if texts and form and not ("number" in types or "integer" in types):
        return None
    return None if alike else (",".join(types), name)


def refusal(wanted: tuple[str, str]) -> Check:
    """The check that no value of a kind passes."""

    def check(_value: Any, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        faults.append(misfit(name, *wanted))
        return -1

    return check


def wholeness(types: tuple[str, ...], form: str, switches: Switches) -> Check:
    """The check of floats where integers are wanted."""

    def check(value: float, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        wanted = mismatch(types, form, float, whole=is_whole(value, switches))
        if wanted is None:
            return 0
        faults.append(misfit(name, *wanted))
        return -1

    return check


def enum(choices: Sequence[Any], switches: Switches) -> Check:
    """One of these."""
    texts = [choice if isinstance(choice, str) else to_json(choice, switches) for choice in choices]
    quick = frozenset(choice for choice in choices if isinstance(choice, str))

    @cache
    def told() -> tuple[str, str]:
        return f"in body should be one of {texts}", supported(texts)

    def check(value: Any, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        known = value in quick if type(value) is str else any(_is_choice(value, choice) for choice in choices)
        if not known:
            listed, detail = told()
            faults.append(Fault(NOT_SUPPORTED, name, (name, listed), value, detail))
        return 0

    return check


def text(schema: Schema, switches: Switches) -> Check | None:
    """Lengths and the pattern, of which the first that fails is told."""
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern")
    if longest is None and shortest is None and not pattern:
        return None
    pattern = _Pattern(pattern, switches) if pattern else None

    def check(value: str, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        if longest is not None and len(value) > longest:
            words = f"{name} in body should be at most {longest} chars long"
            faults.append(Fault(TOO_LONG, name, words, detail=too_long(longest, switches)))
        elif shortest is not None and len(value) < shortest:
            faults.append(plain(name, f"{name} in body should be at least {shortest} chars long", value))
        elif pattern and not pattern.matches(value):
            faults.append(plain(name, f"{name} in body should match '{pattern.shown}'", value))
        return 0

    return check


class _Pattern:
    """A pattern, compiled when a text first meets it. One that a server refuses is matched by nothing."""

    def __init__(self, text: str, switches: Switches) -> None:
        self.shown, self._go = text, KUBERNETES_GO[switches.minor]
        switches.ask(lambda minor: check(text, go=KUBERNETES_GO[minor]))
        self._search: Callable[[str], bool] | None = None

    def matches(self, value: str) -> bool:
        """Whether it is found in a text. Raises UnjudgedError."""
        if self._search is None:
            self._search = self._compiled()
        return self._search(value)

    def _compiled(self) -> Callable[[str], bool]:
        from protoc_gen_crd.regex import match  # noqa: PLC0415 - loads RE2

        try:
            return match.compile(self.shown, go=self._go).search
        except ValueError as error:
            self.shown += f", but pattern is invalid: {error}"
            return lambda _: False


def format_(form: str, switches: Switches) -> Check:
    """A known format."""
    from protoc_gen_crd.admission.objects.formats import is_valid  # noqa: PLC0415 - few values have a format

    def check(value: str, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        if not is_valid(form, value, switches):
            faults.append(misfit(name, form, value))
        return 0

    return check


def number(schema: Schema, types: tuple[str, ...], form: str, switches: Switches, *, whole: bool) -> Check | None:
    """Bounds, factors and ranges, None where nothing can fail; `whole` tells ints from floats."""
    kind = types[0] if len(types) == 1 and NUMERIC_FORMATS in switches else ""
    known = _RANGED.get(kind, ())
    bounded = any(keyword in schema for keyword in ("minimum", "maximum", "multipleOf"))
    if not bounded and (not known or (whole and form != "int32")):
        return None
    limits = Limits(schema.keywords, kind if known else "", form if form in known else "", switches)
    low, high = limits.sound if whole else (0, 0)

    def check(value: int | float, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        if low < value < high:
            return 0
        for words, shown, placed in limits.faults(value, name):
            faults.append(Fault(INVALID, name if placed else None, words, shown, words))
        return 0

    return check


def counts(schema: Schema, size: int, name: str, what: str, switches: Switches) -> Iterator[Fault]:
    """How many items or properties there may be."""
    least, most = schema.get(f"min{what.capitalize()}"), schema.get(f"max{what.capitalize()}")
    if least is not None and size < least:
        yield plain(name, f"{name} in body should have at least {least} {what}", size)
    if most is not None and size > most:
        words = f"{name} in body should have at most {most} {what}"
        yield Fault(TOO_MANY, name, words, size, too_many(most, switches))


def repeats(value: list[Any], name: str) -> Iterator[Fault]:
    """What uniqueItems says, which no CRD may ask for: a default is held to it all the same."""
    if len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        yield plain(name, f"{name} in body shouldn't contain duplicates", "")


def _is_choice(value: Any, choice: Any) -> bool:
    """Whether a value is this element of an enum, once converted to the element's Go type."""
    if value is None or choice is None:
        return False
    if isinstance(choice, bool) or isinstance(value, bool):
        return value is choice
    if isinstance(choice, str) and isinstance(value, int):
        return choice == (chr(value) if 0 <= value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd")
    if isinstance(choice, int) and isinstance(value, float):
        return as_int64(value) == choice
    if isinstance(choice, float) and isinstance(value, int):
        return float(value) == choice
    return same(value, choice)
