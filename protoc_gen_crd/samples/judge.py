"""What servers find wrong with the value of one schema node, defaults filled in and rules run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.errors import INVALID, FieldError
from protoc_gen_crd.admission.expressions import Expressions
from protoc_gen_crd.admission.names import dns1123_subdomain
from protoc_gen_crd.admission.objects.defaulting import default
from protoc_gen_crd.admission.objects.lists import duplicates
from protoc_gen_crd.admission.objects.programs import Programs, Ruled
from protoc_gen_crd.admission.objects.rules import Walk
from protoc_gen_crd.admission.objects.structural import Structurals
from protoc_gen_crd.admission.objects.values import Values
from protoc_gen_crd.admission.switches import NEWEST, Switches
from protoc_gen_crd.cel.cost.limits import PER_OBJECT
from protoc_gen_crd.regex.syntax import UnjudgedError
from protoc_gen_crd.schema.types import Json, Rule, Schema

PATIENCE = 400_000
_CALL = 20  # parts that could be judged while a call is made
_COST_OF_A_PART = 3  # what servers charge a rule for while a part of a value is judged


class Judge:
    """Judges values of nodes as servers of one version do. What is made of a schema is kept.

    `patience` is how many parts of values may still be judged before whoever tries values should take what it has: a
    bound on time that does not depend on the machine.
    """

    def __init__(self, minor: int = NEWEST) -> None:
        self.switches = Switches.of(minor)
        self._structurals, self._values = Structurals(), Values(self.switches)
        self._programs = Programs(Expressions(), self.switches)
        self.patience = PATIENCE
        self._kept: dict[int, Schema] = {}  # keeps alive what is known by identity

    def fits(self, schema: Schema, value: Json) -> bool:
        """Whether a value holds to the keywords of a node, whatever its rules say."""
        self._kept[id(schema)] = schema
        try:
            return not self._values.errors(schema, value, "")
        except UnjudgedError:
            return False

    def errors(self, schema: Schema, value: Json, *, root: bool = False) -> list[FieldError]:
        """What is wrong with a value; rules are run where nothing else is. `root` tells a whole object."""
        self._kept[id(schema)] = schema
        node = self._structurals.of(schema, resource=root)
        whole = self.defaulted(schema, value, root=root)
        self.patience -= _CALL + parts(whole)
        found = self._values.errors(schema, whole, None if root else "")
        found += duplicates(whole, node, None if root else "")
        found += _misnamed(whole) if root else ()
        if not found and node.rules:
            walk = Walk(self._programs)
            walk.run(node, whole, None, None if root else "", None, root=root)
            found += walk.errors
            self.patience -= (PER_OBJECT - max(walk.left, 0)) // _COST_OF_A_PART
        return found

    def defaulted(self, schema: Schema, value: Json, *, root: bool = False) -> Json:
        """A value as it is when rules see it."""
        node = self._structurals.of(schema, resource=root)
        if not node.defaults:
            return value
        whole: Json = copied(value)
        default(whole, node)
        return whole

    def broken(self, schema: Schema, value: Json, *, root: bool = False) -> list[Rule]:
        """The rules of the node itself that a value does not hold to."""
        node = self._structurals.of(schema, resource=root)
        ruled = self._programs.of(node, root=root) if node.rules else None
        if ruled is None or value is None:
            return []
        return _broken(ruled, self.defaulted(schema, value, root=root))


def _misnamed(value: Any) -> Iterator[FieldError]:
    """What is wrong with the name of an object; values of other types are refused as such."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    faults = dns1123_subdomain(name or "example") if isinstance(name or "", str) else ["must be a string"]
    yield from (FieldError(INVALID, "metadata.name", fault, name) for fault in faults)


def _broken(ruled: Ruled, value: Json) -> list[Rule]:
    values = {"self": ruled.read(value)}
    rules = [rule for rule in ruled.node.schema.rules if rule.rule.strip()]
    return [
        rule
        for rule, runnable in zip(rules, ruled.rules, strict=True)
        if runnable.program is not None and not runnable.uses_old and runnable.program.run(values).value is not True
    ]


def parts(value: Json) -> int:
    """How many values there are in one."""
    if isinstance(value, dict):
        return 1 + sum(map(parts, value.values()))
    return 1 + sum(map(parts, value)) if isinstance(value, list) else 1


def copied(value: Any) -> Any:
    """A copy of plain data."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value
