"""Values against schemas: every keyword, with the texts and the choice of branches of the server's validator.

Nothing here prunes, defaults or runs rules. Source: k8s.io/kube-openapi pkg/validation/validate,
k8s.io/apiextensions-apiserver pkg/apiserver/validation validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.enforced import is_enforced
from protoc_gen_crd.admission.errors import (
    ABSENT,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    FieldError,
    supported,
    too_long,
    too_many,
)
from protoc_gen_crd.admission.golang import to_json
from protoc_gen_crd.admission.objects.numbers import Limits, as_int64, is_whole
from protoc_gen_crd.admission.switches import NUMERIC_FORMATS, PROPERTY_COUNTS, Switches
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import INT_OR_STRING, Schema

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_FORMATS = {int: "int64", float: "float64"}
_JUNCTORS = ("anyOf", "oneOf", "allOf", "not")


class Fault(Record):
    """What is wrong with a value: the server's type of error, the value's name, the text, what is shown.

    `name` None stands for an error that the server knows no place for.
    """

    type: str
    name: str | None
    text: str
    value: object = ABSENT
    detail: str = ""


class Result:
    """The faults of a value, each text once, and how many checks passed: the branch with most is the nearest miss."""

    __slots__ = ("_texts", "faults", "matches")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.matches = 0
        self._texts: set[str] = set()

    def add(self, fault: Fault) -> None:
        """Note a fault, unless there is one of the same words."""
        if fault.text not in self._texts:
            self._texts.add(fault.text)
            self.faults.append(fault)

    def merge(self, other: Result) -> None:
        """Take over another's faults and count."""
        for fault in other.faults:
            self.add(fault)
        self.matches += other.matches


class Values:
    """Checks values as servers of a version do.

    `served` is how objects are checked: formats that the server does not know are no formats, and an int-or-string has
    two types. Defaults in a CRD are checked by the schema as it is written, but below junctors without
    additionalProperties (`closed`), which structural schemas do not carry there.
    """

    def __init__(self, switches: Switches, *, served: bool = True, closed: bool = True) -> None:
        self.switches, self.served, self.closed = switches, served, closed
        self.branches = self if served or not closed else Values(switches, served=False, closed=False)

    def errors(self, schema: Schema, value: Any, path: str | None = None) -> list[FieldError]:
        """What is wrong with a value that stands at a path, None for a whole object."""
        return [self._error(fault, path) for fault in self.check(schema, value, "").faults]

    def _error(self, fault: Fault, path: str | None) -> FieldError:
        step = (fault.name or "").removeprefix(".")
        where = "<nil>" if path is None else path
        if step:
            where = step if path is None else f"{path}.{step}"
        return FieldError(fault.type, where, fault.detail, fault.value)

    def check(self, schema: Schema, value: Any, name: str) -> Result:
        """The result for a value of this name, such as `spec.a[0]`."""
        result = Result()
        if value is None:
            self._type(schema, value, name, result)
            self._enum(schema, value, name, result)
            return result
        types, form = self._view(schema)
        if types or form:
            self._type(schema, value, name, result)
            result.matches += 1
        self._junctors(schema, value, name, result)
        result.matches += 2
        for applies, checked in (
            (isinstance(value, str), self._text),
            (isinstance(value, str) and self._is_format(form), self._format),
            (type(value) in (int, float), self._number),
            (isinstance(value, list), self._list),
            (True, self._enum),
            (isinstance(value, dict), self._object),
        ):
            if applies:
                checked(schema, value, name, result)
                result.matches += 1
        result.matches += 1
        return result

    def _view(self, schema: Schema) -> tuple[tuple[str, ...], str]:
        """The types and the format that count."""
        kind, form = schema.type, schema.get("format") or ""
        types: tuple[str, ...] = (kind,) if kind else ()
        if self.served:
            if schema.get(INT_OR_STRING):
                types = ("integer", "string")
            form = form if is_enforced(types[0] if len(types) == 1 else "", form, self.switches) else ""
        return types, form

    def _is_format(self, form: str) -> bool:
        from protoc_gen_crd.admission.objects.formats import is_known  # noqa: PLC0415 - few values have a format

        return bool(form) and is_known(form, self.switches)

    def _type(self, schema: Schema, value: Any, name: str, result: Result) -> None:
        types, form = self._view(schema)
        if value is None:
            if types and "null" not in types and not schema.get("nullable"):
                result.add(_misfit(name, ",".join(types), "null"))
            else:
                result.matches += 1
            return
        wanted = _mismatch(types, form, value, self.switches)
        if wanted is None:
            result.matches += 1
        else:
            result.add(_misfit(name, *wanted))

    def _enum(self, schema: Schema, value: Any, name: str, result: Result) -> None:
        choices: Sequence[Any] = schema.get("enum") or ()
        if choices and not any(_is_choice(value, choice) for choice in choices):
            texts = [choice if isinstance(choice, str) else to_json(choice, self.switches) for choice in choices]
            words = f"{name} in body should be one of {texts}"
            result.add(Fault(NOT_SUPPORTED, name, words, value, supported(texts)))

    def _text(self, schema: Schema, value: str, name: str, result: Result) -> None:
        longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern")
        if longest is not None and len(value) > longest:
            words = f"{name} in body should be at most {longest} chars long"
            result.add(Fault(TOO_LONG, name, words, detail=too_long(longest, self.switches)))
        elif shortest is not None and len(value) < shortest:
            result.add(_plain(name, f"{name} in body should be at least {shortest} chars long", value))
        elif pattern and not _search(pattern, value):
            result.add(_plain(name, f"{name} in body should match '{pattern}'", value))

    def _format(self, schema: Schema, value: str, name: str, result: Result) -> None:
        from protoc_gen_crd.admission.objects.formats import is_valid  # noqa: PLC0415 - few values have a format

        form = schema.get("format") or ""
        if not is_valid(form, value, self.switches):
            result.add(_misfit(name, form, value))

    def _number(self, schema: Schema, value: int | float, name: str, result: Result) -> None:
        types, form = self._view(schema)
        kind = types[0] if len(types) == 1 and NUMERIC_FORMATS in self.switches else ""
        known = {"integer": ("int32", "int64"), "number": ("float", "double")}.get(kind, ())
        limits = Limits(schema.keywords, kind if known else "", form if form in known else "", self.switches)
        for words, shown, placed in limits.faults(value, name):
            result.add(Fault(INVALID, name if placed else None, words, shown, words))
        result.matches += 1

    def _list(self, schema: Schema, value: list[Any], name: str, result: Result) -> None:
        if isinstance(schema.items, Schema):
            for index, item in enumerate(value):
                result.merge(self.check(schema.items, item, f"{name}[{index}]"))
        least, most = schema.get("minItems"), schema.get("maxItems")
        if least is not None and len(value) < least:
            result.add(_plain(name, f"{name} in body should have at least {least} items", len(value)))
        if most is not None and len(value) > most:
            words = f"{name} in body should have at most {most} items"
            result.add(Fault(TOO_MANY, name, words, len(value), too_many(most, self.switches)))
        result.matches += 1

    def _object(self, schema: Schema, value: dict[str, Any], name: str, result: Result) -> None:
        counts = list(self._counts(schema, len(value), name))
        for fault in counts[:1] if PROPERTY_COUNTS not in self.switches else counts:
            result.add(fault)
        if counts and PROPERTY_COUNTS not in self.switches:
            return
        self._others(schema, value, name, result)
        for key, child in schema.properties.items():
            if key in value:
                result.merge(self.check(child, value[key], f"{name}.{key}" if name else key))
        for key in schema.get("required") or ():
            if key not in value:
                result.add(Fault(REQUIRED, f"{name}.{key}", f"{name}.{key} in body is required"))

    def _counts(self, schema: Schema, size: int, name: str) -> Iterator[Fault]:
        least, most = schema.get("minProperties"), schema.get("maxProperties")
        if least is not None and size < least:
            yield _plain(name, f"{name} in body should have at least {least} properties", size)
        if most is not None and size > most:
            words = f"{name} in body should have at most {most} properties"
            yield Fault(TOO_MANY, name, words, size, too_many(most, self.switches))

    def _others(self, schema: Schema, value: dict[str, Any], name: str, result: Result) -> None:
        """What has no property of its own."""
        others = [key for key in value if key not in schema.properties]
        additional = schema.additional if self.closed else None
        if additional is False:
            for key in others:
                result.add(_plain(name, f"{name}.{key} in body is a forbidden property", key))
        elif isinstance(additional, Schema):
            for key in others:
                result.merge(self.check(additional, value[key], f"{name}.{key}"))

    def _junctors(self, schema: Schema, value: Any, name: str, result: Result) -> None:
        if not any(keyword in schema for keyword in _JUNCTORS):
            return
        shown = quote(name)
        if schema.get("anyOf"):
            self._any_of(schema.get("anyOf"), value, name, result)
        if schema.get("oneOf"):
            self._one_of(schema.get("oneOf"), value, name, result)
        if schema.get("allOf"):
            self._all_of(schema.get("allOf"), value, name, result)
        if isinstance(schema.get("not"), Schema) and not self.branches.check(schema.get("not"), value, name).faults:
            result.add(_unplaced(f"{shown} must not validate the schema (not)"))

    def _any_of(self, branches: Sequence[Schema], value: Any, name: str, result: Result) -> None:
        best: Result | None = None
        for branch in branches:
            tried = self.branches.check(branch, value, name)
            if not tried.faults:
                result.merge(tried)
                return
            if best is None or tried.matches > best.matches:
                best = tried
        result.add(_unplaced(f"{quote(name)} must validate at least one schema (anyOf)"))
        result.merge(best or Result())

    def _one_of(self, branches: Sequence[Schema], value: Any, name: str, result: Result) -> None:
        tried = [self.branches.check(branch, value, name) for branch in branches]
        passed = [each for each in tried if not each.faults]
        if len(passed) == 1:
            result.merge(passed[0])
            return
        how = f"Found {len(passed)} valid alternatives" if passed else "Found none valid"
        result.add(_unplaced(f"{quote(name)} must validate one and only one schema (oneOf). {how}"))
        if not passed:
            result.merge(max(tried, key=lambda each: each.matches))

    def _all_of(self, branches: Sequence[Schema], value: Any, name: str, result: Result) -> None:
        tried = [self.branches.check(branch, value, name) for branch in branches]
        for each in tried:
            result.merge(each)
        passed = sum(not each.faults for each in tried)
        if passed != len(tried):
            none = "" if passed else ". None validated"
            result.add(_unplaced(f"{quote(name)} must validate all the schemas (allOf){none}"))


def _mismatch(types: tuple[str, ...], form: str, value: Any, switches: Switches) -> tuple[str, str] | None:
    """The type that was wanted and the one that was found, None where they agree."""
    kind, numeric = _NAMES[type(value)], _FORMATS.get(type(value), "")
    whole = kind == "number" and "integer" in types and is_whole(value, switches)
    alike = kind in types or whole or (kind == "integer" and "number" in types)
    texts = kind in ("string", "array")
    if not texts and form and not (alike or numeric == form):
        return form, numeric
    if texts and form and not ("number" in types or "integer" in types):
        return None
    return None if alike else (",".join(types), kind)


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


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal as Go's reflect.DeepEqual has it: 1 and 1.0 are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(mine, yours) for mine, yours in zip(one, other, strict=True))
    return type(one) is type(other) and bool(one == other)


def _search(pattern: str, text: str) -> bool:
    from protoc_gen_crd.regex.match import compile as compiled  # noqa: PLC0415 - loads RE2

    return compiled(pattern).search(text)


def _misfit(name: str, wanted: str, found: str) -> Fault:
    words = f"{name} in body must be of type {wanted}: {quote(found)}"
    return Fault(TYPE_INVALID, name, words, found, words)


def _plain(name: str, words: str, value: object) -> Fault:
    return Fault(INVALID, name, words, value, words)


def _unplaced(words: str) -> Fault:
    return Fault(INVALID, None, words, "", words)
