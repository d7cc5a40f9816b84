"""An evaluator of APIConversions that works like kcp's converter, written from its description only.

It copies the whole object, writes each destination in the order of the rules, reads only the original, writes null for
absent values, keeps `preserve` in an annotation, and passes the result to the server, which prunes it. Rules do not
apply to fields of list items; numbers from CEL or from conversion data are doubles.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import BOOL, DOUBLE, DYN, INT, STRING, Type
from protoc_gen_crd.cel.interpreter import program as evaluate
from protoc_gen_crd.cel.values.runtime_values import Map
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from tests.support.conversion import Case
from tests.support.yaml_data import load_yaml

Object = dict[str, Any]
_PRESERVED = "preserve.conversion.apis.kcp.io/"
_TYPES: dict[str, Type] = {"string": STRING, "integer": INT, "number": DOUBLE, "boolean": BOOL}


class KcpError(Exception):
    """A rejection by kcp's converter or its admission."""


class Evaluator:
    """Converts by one APIConversion; `schemas` are the structural schemas of the versions."""

    def __init__(self, resource: Object, schemas: dict[str, Object]) -> None:
        self._schemas = schemas
        self._rules = {}
        for conversion in resource["spec"]["conversions"]:
            programs = [
                (*self._paths(conversion, rule), self._program(conversion, rule)) for rule in conversion["rules"]
            ]
            # Only by `from`, like kcp.
            self._rules[conversion["from"]] = programs, [path.split(".") for path in conversion.get("preserve", [])]

    def _paths(self, conversion: Object, rule: Object) -> tuple[list[str], list[str]]:
        field, destination = (rule[name].removeprefix(".").split(".") for name in ("field", "destination"))
        self._schema(conversion["from"], field)
        return field, destination

    def _schema(self, version: str, path: list[str]) -> Object:
        schema = self._schemas[version]
        for step in path:
            if schema.get("type") != "object" or step not in schema.get("properties", {}):
                raise KcpError(f'field "{step}" does not exist')
            schema = schema["properties"][step]
        return schema

    def _program(self, conversion: Object, rule: Object) -> evaluate.Program | None:
        text = rule.get("transformation")
        if text is None:
            return None
        schema = self._schema(conversion["from"], rule["field"].split("."))
        if schema.get("type") == "array" or "properties" in schema:
            raise KcpError("no expression on a list or an object compiles")
        kind = _TYPES.get(schema.get("type", ""), DYN)
        within = environment.get_stored_environment(NEWEST)
        checked = compile_text(text, within, {"self": kind})
        if not isinstance(checked, CheckedAst):
            raise KcpError(f"error compiling CEL program: {checked.issues[0].message}")
        program = evaluate.make_program(checked, within, ("self",))
        assert isinstance(program, evaluate.Program)
        return program

    def convert(self, source: Object, version: str) -> Object:
        """Return the object in another version, as a client sees it."""
        group, _, source_version = source["apiVersion"].rpartition("/")
        rules, preserved = self._rules[source_version]
        converted = copy.deepcopy(source)
        converted["apiVersion"] = f"{group}/{version}"
        for field, destination, program in rules:
            _write(converted, destination, _value(source, field, program))
        annotations = dict(converted.get("metadata", {}).get("annotations") or {})
        data = annotations.pop(_PRESERVED + version, "")
        if data:
            for path, value in json.loads(data, parse_int=float).items():
                _write(converted, path.split("."), value)
        else:
            kept = {".".join(path): value for path in preserved for value in _found(source, path)}
            annotations |= (
                {_PRESERVED + source_version: json.dumps(kept, sort_keys=True, separators=(",", ":"))} if kept else {}
            )
        if "metadata" in converted:
            converted["metadata"].pop("annotations", None)
            converted["metadata"] |= {"annotations": annotations} if annotations else {}
        sent: Object = _sent(pruned(converted, self._schemas[version]))
        return sent


def _found(obj: Any, path: list[str]) -> Iterator[Any]:
    for step in path:
        if not isinstance(obj, dict) or step not in obj:
            return
        obj = obj[step]
    yield obj


def _value(source: Object, field: list[str], program: evaluate.Program | None) -> Any:
    values = list(_found(source, field))
    if not values or program is None:
        return copy.deepcopy(values[0]) if values else None
    outcome = program.evaluate({"self": values[0]})
    if outcome.error is not None:
        raise KcpError(outcome.error)
    return _doubles(outcome.value)


def _doubles(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_doubles(item) for item in value]
    if isinstance(value, Map):
        return {name: _doubles(item) for name, item in value.items()}
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _sent(value: Any) -> Any:
    """Return a value after a round trip through Go's JSON: a double without a fraction becomes an integer."""
    if isinstance(value, list):
        return [_sent(item) for item in value]
    if isinstance(value, dict):
        return {name: _sent(item) for name, item in value.items()}
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e21
    return int(Decimal(repr(value))) if whole else value  # the shortest decimal that identifies the double


def _write(converted: Object, path: list[str], value: Any) -> None:
    at = converted
    for step in path[:-1]:
        at = at.setdefault(step, {})
        if not isinstance(at, dict):
            raise KcpError(f"value cannot be set because .{step} is not a map[string]interface{{}}")
    at[path[-1]] = value


def pruned(obj: Any, schema: Object, *, root: bool = True) -> Any:
    """Return a value pruned by a schema, without the nulls that it does not allow."""
    if isinstance(obj, list):
        return [pruned(item, schema.get("items", {}), root=False) for item in obj]
    if not isinstance(obj, dict) or schema.get("x-kubernetes-preserve-unknown-fields"):
        return obj
    kept = {}
    for name, value in obj.items():
        if root and name in ("apiVersion", "kind", "metadata"):
            kept[name] = value
            continue
        below = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        if below is not None and (value is not None or below.get("nullable")):
            kept[name] = pruned(value, below, root=False)
    return kept


def comparable(obj: Any) -> Any:
    """Return an object without conversion data and empty objects, which kcp creates for absent values."""
    if isinstance(obj, list):
        return [comparable(item) for item in obj]
    if not isinstance(obj, dict):
        return _sent(obj)
    compared = {
        name: comparable(value)
        for name, value in obj.items()
        if "/conversion-data." not in name and not name.startswith(_PRESERVED)
    }
    return {name: value for name, value in compared.items() if value != {}}


FOLDER = Path(__file__).parents[2] / "testdata" / "kcp"
CLAIMS = FOLDER / "claims.yaml"
OWN = FOLDER / "own.jsonl"  # results of kcp's converter


class Claim(Record):
    """An expression, the type of its argument, and the smallest APIConversion with it."""

    what: str
    schema: Object
    value: Any
    cel: str

    @property
    def conversion(self) -> Object:
        """The APIConversion."""
        rule = {"field": "spec.from", "destination": "spec.to", "transformation": self.cel}
        return {"spec": {"conversions": [{"from": "v1", "to": "v2", "rules": [rule]}]}}

    @property
    def schemas(self) -> dict[str, Object]:
        """Schemas of both versions."""
        fields = {"v1": {"from": self.schema}, "v2": {"to": {"x-kubernetes-preserve-unknown-fields": True}}}
        return {
            version: {"type": "object", "properties": {"spec": {"type": "object", "properties": version_fields}}}
            for version, version_fields in fields.items()
        }

    @property
    def object(self) -> Object:
        """An object of v1."""
        return {"apiVersion": "acme.example/v1", "kind": "Thing", "spec": {"from": self.value}}


def claimed() -> list[Claim]:
    """All claims."""
    return [Claim(**claim) for claim in load_yaml(CLAIMS.read_text("utf-8"))]


def resource_of(case: Case) -> Object:
    """The APIConversion of a case."""
    (file,) = (FOLDER / case.name).glob("apiconversion-*.yaml")
    resource: Object = load_yaml(file.read_text("utf-8"))
    return resource


def schemas_of(crd: Crd) -> dict[str, Object]:
    """The schemas of a kind's versions."""
    return {
        crd_version["name"]: crd_version["schema"]["openAPIV3Schema"] for crd_version in encode(crd)["spec"]["versions"]
    }


def record_of(case: Case) -> Path:
    """Return the path of the recorded answers."""
    return FOLDER / case.name / "judged.jsonl"
