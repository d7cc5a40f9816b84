"""Random pairs of CRDs: the changes that the comparison reports, judged by objects and the verdicts of servers."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from tests.fuzz.edits import Editor
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.probes import make_objects
from tests.judges.objectfuzz.schemas import Schemas

Json = Any
Compare = Callable[[Sequence[Crd], Sequence[Crd]], Sequence[Change]]
_TRIES = 40
_INT64 = 2.0**63


def make_crd(random: Random) -> Json:
    """Return a random CRD."""
    root = {"type": "object", "properties": {"spec": Schemas(random).node(2, "object")}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Thing", "plural": "things"},
            "scope": "Namespaced",
            "versions": [version],
        },
    }


def has_wrapped_bound(node: Json) -> bool:
    """Report whether a bound is no int64: servers compare integers with another number then."""
    if isinstance(node, list):
        return any(map(has_wrapped_bound, node))
    if not isinstance(node, dict):
        return False
    bounds = (node.get(keyword) for keyword in ("minimum", "maximum"))
    wrapped = any(isinstance(bound, int | float) and abs(float(bound)) >= _INT64 for bound in bounds)
    return wrapped or any(map(has_wrapped_bound, node.values()))


class Server:
    """A server with the CRDs of a pair."""

    def __init__(self) -> None:
        self.server = AdmissionServer(cel=RuleCompiler())

    def admit(self, plain: Json, old: Json = None) -> Crd | None:
        """Return the CRD if the server accepts it."""
        verdict = self.server.admit_data(plain, old)[-1]
        return verdict.object if verdict.accepted else None

    def reject(self, crd: Crd, obj: Json, old: Json = None, *, strict: bool = False) -> str:
        """Return why an object is rejected, with `strict` also for unknown fields."""
        verdict = self.server.validate(crd, obj, old)[-1]
        causes = (*verdict.causes, *(verdict.unknown_fields if strict else ()))
        return "; ".join(cause.message for cause in causes)


class Changes(Fuzzer):
    """Pairs of CRDs: soundness, one finding for one edit, and mirrored findings for the mirrored pair."""

    name, slice, seconds = "changes", 150, 6.0

    def __init__(self, compare: Compare = compare_apis) -> None:
        self.compare = compare

    def generate(self, random: Random) -> bytes:
        """Return a pair of CRDs that a server accepts, and the names of the edits between them."""
        server = Server()
        while server.admit(old := make_crd(random)) is None or has_wrapped_bound(old):
            pass
        editor, new, names = Editor(random), old, []
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            for _ in range(_TRIES):
                name, edited = editor.edit(new)
                if edited != new and not has_wrapped_bound(edited) and server.admit(edited) is not None:
                    names.append(name)
                    new = edited
                    break
        return json.dumps({"old": old, "new": new, "edits": names}).encode()

    def run(self, data: bytes) -> str:
        """Compare the pair of an input. Raises PropertyError for a wrong result."""
        try:
            pair = json.loads(data)
            old, new = decode(pair["old"]).crd, decode(pair["new"]).crd
        except (ValueError, KeyError, TypeError):
            return "no input"
        server = Server()
        if old is None or new is None or server.admit(pair["old"]) is None or server.admit(pair["new"]) is None:
            return "no input"
        changes = self.compare([old], [new])
        narrowing = [change for change in changes if change.change_class >= ChangeClass.TIGHTEN]
        if not narrowing:
            self._check_soundness(server, pair, changes, Random(zlib.crc32(data)))
        if len(pair["edits"]) == 1 and pair["old"] != pair["new"]:
            self._check_single(changes, pair)
            self._check_mirror(changes, self.compare([new], [old]))
        return "\n".join(f"{change.rule} {change.path} {change.message}" for change in changes)

    def _check_soundness(self, server: Server, pair: Json, changes: Sequence[Change], random: Random) -> None:
        old, new = server.admit(pair["old"]), server.admit(pair["new"])
        if old is None or new is None:
            return
        schemas = [_get_schema(pair[side]) for side in ("old", "new")]
        before: Json = None
        for spec in make_objects(schemas[0], schemas[1], random, lambda spec: not server.reject(old, _wrap(spec))):
            obj = _wrap(spec)
            for stored in (None, before) if before else (None,):
                if has_list_as_string(schemas[0], spec) or server.reject(old, obj, stored, strict=True):
                    continue
                if reason := server.reject(new, obj, stored):
                    shown = [f"{change.rule} {change.path}" for change in changes]
                    raise PropertyError(f"not reported ({pair['edits']}, {shown}): {reason}\n{obj}\n{stored}")
                before = obj

    @staticmethod
    def _check_single(changes: Sequence[Change], pair: Json) -> None:
        if len(changes) != 1:
            shown = [f"{change.rule} {change.path} {change.message}" for change in changes]
            raise PropertyError(f"{len(changes)} findings for one edit {pair['edits']}: {shown}")

    @staticmethod
    def _check_mirror(changes: Sequence[Change], mirrored: Sequence[Change]) -> None:
        rules, mirrors = [change.rule for change in changes], [change.rule for change in mirrored]
        if len(mirrors) != 1 or mirrors[0] not in CHANGE_RULES[rules[0]].mirrors:
            raise PropertyError(f"the mirror of {rules} is {mirrors}")


class Examples(Fuzzer):
    """The evidence of random pairs: servers accept it before, and reject it or store something else after."""

    name, slice, seconds = "examples", 40, 20.0

    def generate(self, random: Random) -> bytes:
        """Return a pair of CRDs."""
        return Changes().generate(random)

    def run(self, data: bytes) -> str:
        """Verify the evidence of an input. Raises PropertyError for evidence that shows nothing."""
        try:
            pair = json.loads(data)
            old, new = decode(pair["old"]).crd, decode(pair["new"]).crd
        except (ValueError, KeyError, TypeError):
            return "no input"
        server = Server()
        before, after = server.admit(pair["old"]), server.admit(pair["new"])
        if old is None or new is None or before is None or after is None:
            return "no input"
        changes = judge_changes([old], [new])
        for change in changes:
            if change.example is not None:
                self._check(server, before, after, change)
        return "\n".join(f"{change.rule} {change.hint}" for change in changes)

    @staticmethod
    def _check(server: Server, old: Crd, new: Crd, change: Change) -> None:
        if reason := server.reject(old, change.example, change.before, strict=True):
            raise PropertyError(f"the old CRD rejects the example of {change.rule}: {reason}\n{change}")
        stored = [server.server.validate(crd, change.example, change.before)[-1].stored for crd in (old, new)]
        if not server.reject(new, change.example, change.before) and stored[0] == stored[1]:
            raise PropertyError(f"the new CRD accepts the example of {change.rule}\n{change}")


def has_list_as_string(schema: Json, value: Json) -> bool:
    """Report whether a value is a list where the schema demands a string.

    Servers accept such a list if the string has a format, so that its removal rejects it. Nobody relies on that.
    """
    if isinstance(value, dict):
        children, values = schema.get("properties", {}), schema.get("additionalProperties")
        parts = (
            (children.get(key) or (values if isinstance(values, dict) else {}), part) for key, part in value.items()
        )
        return any(has_list_as_string(child, part) for child, part in parts)
    if isinstance(value, list):
        return schema.get("type") == "string" or any(
            has_list_as_string(schema.get("items", {}), part) for part in value
        )
    return False


def _get_schema(crd: Json) -> Json:
    return crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"].get("spec", {})


def _wrap(spec: Json) -> Json:
    """Return the object with this spec."""
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
