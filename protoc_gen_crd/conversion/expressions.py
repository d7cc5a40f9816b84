"""CEL in conversions: expressions checked against the schemas of both versions, and run by generated modules.

`self` is the value that is converted, `root` the whole object, in the CEL of the newest Kubernetes; in lists and maps
there is more, see `plan/bound.py`. Texts of times, durations and bytes are texts: `timestamp(self)` makes a moment of
one. What comes of an expression must be JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.cel import environment, evaluate
from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.data import Reader
from protoc_gen_crd.cel.issues import Refusal, position
from protoc_gen_crd.cel.objects import Parts, Preserved
from protoc_gen_crd.cel.types import DYN, Declarations, Type
from protoc_gen_crd.cel.values import MISSING as NOTHING
from protoc_gen_crd.cel.values import List, Map, Optional
from protoc_gen_crd.conversion.check.results import faults, may_be_nothing
from protoc_gen_crd.conversion.helpers.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.schema.types import INT_OR_STRING, PRESERVE, Schema

_KEPT = ("type", "nullable", INT_OR_STRING, PRESERVE)
SIZES = ("maxLength", "maxItems", "maxProperties")
_NAMES = {"name": 253, "namespace": 63}  # what every object may tell of itself, and how long it is at most


class Expression:
    """One expression, ready to run. The schemas are what is known of `self`, `root` and what else it may look at.

    A package of generated modules has helpers of its own: what it calls missing and which error it knows is said.
    """

    def __init__(
        self,
        text: str,
        schemas: Mapping[str, Mapping[str, Any]],
        missing: Any = MISSING,
        error: type[Exception] = ConversionError,
    ) -> None:
        self.text = text
        self._missing, self._error = missing, error
        self._schemas = {name: schema_of(schema) for name, schema in schemas.items()}
        self._within = environment.stored(NEWEST)
        self._declarations = Declarations(environment.sizes(NEWEST))
        self._reader = Reader(self._declarations, NEWEST)
        self._read = {name: self._reader.of(schema) for name, schema in self._schemas.items()}
        self.checked = compiled(text, self._within, {name: self._type(name) for name in schemas})
        made = (
            evaluate.program(self.checked, self._within, tuple(schemas)) if isinstance(self.checked, Checked) else None
        )
        self._program = made if isinstance(made, evaluate.Program) else None
        self._unfit = made.text if isinstance(made, evaluate.Fault) else ""

    def _type(self, name: str) -> Type:
        declared = self._declarations.of(self._schemas[name])
        return declared.typed(f"{name}Type") if declared is not None else DYN

    @property
    def root(self) -> bool:
        """Whether it looks at the whole object."""
        return "root" in self.looks_at()

    def looks_at(self) -> tuple[str, ...]:
        """What it looks at beside `self`; variables of its own may have the same names."""
        if not isinstance(self.checked, Checked):
            return ()
        known = {name: self._type(name) for name in self._schemas}
        used = [name for name in known if name != "self" and self.checked.uses(name)]
        without = {name: {other: kind for other, kind in known.items() if other != name} for name in used}
        return tuple([name for name in used if isinstance(compiled(self.text, self._within, without[name]), Refusal)])

    def fault(self, target: Schema) -> str:
        """Why it cannot make values of a schema, empty where it can."""
        if isinstance(self.checked, Refusal):
            issue = self.checked.issues[0]
            line, column = position(self.text, issue.at)
            return f"{issue.message} at {line}:{column + 1}"
        return self._unfit or next(faults(self.checked, target), "")

    def may_be_nothing(self) -> bool:
        """Whether it is seen to give nothing for some values."""
        nullable = bool(self._schemas["self"].get("nullable"))
        return isinstance(self.checked, Checked) and may_be_nothing(
            self.checked, self.checked.ast.root, nullable=nullable
        )

    def cost(self) -> tuple[int, int]:
        """What one evaluation costs at most, and the fewest bytes that its value takes in an object."""
        declared = self._declarations.of(self._schemas["self"])
        if isinstance(self.checked, Refusal):
            return 0, 1
        return estimate(self.checked, NEWEST, declared)[1], (declared.least if declared else 0) + 1

    def __call__(self, value: Any, root: Object, at: str, **around: Any) -> Any:
        """The value, MISSING where there is none to make it from. Raises ConversionError."""
        if value is self._missing or self._program is None:
            return self._missing
        given = {"self": value, "root": root, **around}
        outcome = self._program.run({name: read(given[name]) for name, read in self._read.items()})
        if outcome.error is not None:
            raise self._error(
                f"{at.removeprefix('.')}: the expression {self.text!r} must give a value, found {outcome.error}"
            )
        made = plain(outcome.value)
        return self._missing if made is MISSING else made


def expression(text: str, missing: Any, error: type[Exception], **schemas: Mapping[str, Any]) -> Expression:
    """An expression of a generated module."""
    return Expression(text, schemas, missing, error)


def bare(schema: Schema, more: Sequence[str] = ()) -> dict[str, Any]:
    """What expressions need to know of a schema, as plain data: types, but no formats and no bounds but `more`."""
    made: dict[str, Any] = {name: schema.get(name) for name in (*_KEPT, *more) if schema.get(name)}
    if schema.properties:
        made["properties"] = {name: bare(child, more) for name, child in schema.properties.items()}
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema):
            made[keyword] = bare(child, more)
    return made


def whole(schema: Schema, more: Sequence[str] = ()) -> dict[str, Any]:
    """The same of an object, with its name and namespace, which schemas need not spell out."""
    made = bare(schema, more)
    known = made.setdefault("properties", {})
    sizes = {name: {"maxLength": most} if "maxLength" in more else {} for name, most in _NAMES.items()}
    names = {name: {"type": "string", **size} for name, size in sizes.items()}
    given = known.get("metadata", {})
    known["metadata"] = {**given, "type": "object", "properties": {**names, **given.get("properties", {})}}
    return made


def schema_of(given: Mapping[str, Any]) -> Schema:
    """The schema of what `bare` made."""
    made = dict(given)
    if "properties" in made:
        made["properties"] = {name: schema_of(child) for name, child in made["properties"].items()}
    for keyword in ("items", "additionalProperties"):
        if keyword in made:
            made[keyword] = schema_of(made[keyword])
    return Schema(made)


def plain(value: Any) -> Any:
    """A value of CEL as JSON; null and the optional of nothing are MISSING."""
    if value is None or value is NOTHING:
        return MISSING
    if isinstance(value, Optional):
        return plain(value.value)
    if isinstance(value, Parts | Preserved):
        return value.data
    if isinstance(value, Map):
        parts = {str(key): plain(each) for key, each in value.items()}
        return {key: each for key, each in parts.items() if each is not MISSING}
    if isinstance(value, list):
        items = [plain(each) for each in (value.parts() if isinstance(value, List) else value)]
        return [None if each is MISSING else each for each in items]
    return int(value) if isinstance(value, Uint) else value
