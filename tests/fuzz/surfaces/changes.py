"""Random pairs of CRDs: the reported changes, compared with the verdicts of servers on objects."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.evidence.example_object import FIXED
from protoc_gen_crd.comparison.schemas.enforced_keywords import is_in_status
from protoc_gen_crd.comparison.schemas.node_pair import METADATA, VALUE
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.samples.path_changes import NOTHING, ValuePath, change_at
from protoc_gen_crd.samples.sample_validator import SampleValidator
from protoc_gen_crd.schema.schema import Schema
from tests.fuzz.edits import Editor
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.probes import UNKNOWN, make_objects
from tests.fuzz.random_crds import EMBEDDED, GROUP, has_wrapped_bound, make_crd
from tests.fuzz.stored_values import find_changed_values, find_lost_values

Json = Any
Compare = Callable[[Sequence[Crd], Sequence[Crd]], Sequence[Change]]
_TRIES = 40
_SIDES = ("old", "new")
_NO_EFFECT = "change-no-effect"  # off by default
_COMPOUND_EDITS = ("count_fields", "add_field_with_rule")  # which change several keywords
_PROPERTY_EDITS = ("add_property", "add_required_property", "remove_property")
_KEYWORD_EDITS = ("edit_nullability", "set_keyword", "set_likely_keyword")


class Server:
    """A server with the CRDs of a pair."""

    def __init__(self) -> None:
        self.server = AdmissionServer(cel=RuleCompiler())
        self._validator = SampleValidator()
        self._admitted: dict[str, Crd | None] = {}

    def admit(self, plain: Json) -> Crd | None:
        """Return the CRD if the server accepts it."""
        key = json.dumps(plain)
        if key not in self._admitted:
            verdict = self.server.admit_data(plain)[-1]
            self._admitted[key] = verdict.object if verdict.accepted else None
        return self._admitted[key]

    def reject(self, crd: Crd, obj: Json, old: Json = None, *, strict: bool = False, status: bool = False) -> str:
        """Return why an object is rejected, with `strict` also for fields that are unknown and not meant to be."""
        verdict = self.server.validate(crd, obj, old, status=status)[-1]
        unknown = [cause for cause in verdict.unknown_fields if UNKNOWN not in cause.message]
        causes = (*verdict.causes, *(unknown if strict else ()))
        return "; ".join(cause.message for cause in causes)

    def read_back(self, crd: Crd, obj: Json, old: Json = None, *, status: bool = False) -> Json:
        """Return an accepted object as a client reads it: without the fields that the server drops."""
        return self.server.validate(crd, obj, old, status=status)[-1].object

    def set_defaults(self, crd: Crd, version: str, obj: Json) -> Json:
        """Return an object with the defaults of a version."""
        schema = next(own.schema for own in crd.versions if own.name == version)
        return self._validator.apply_defaults(schema or Schema({}), obj, root=True)


class Changes(Fuzzer):
    """Pairs of CRDs: soundness, one finding for one edit, and mirrored findings for the mirrored pair."""

    name, slice, seconds = "changes", 150, 6.0

    def __init__(self, compare: Compare = compare_apis) -> None:
        self._compare = compare
        self._server = Server()  # the last pair, which is validated once

    def generate(self, random: Random) -> bytes:
        """Return a pair of CRDs that a server accepts, and the names of the edits between them."""
        self._server = Server()
        while self._server.admit(old := make_crd(random)) is None or has_wrapped_bound(old):
            pass
        editor, names = Editor(random), list[str]()
        if self._server.admit(prepared := editor.prepare(old)) is not None:
            old = prepared
        new = old
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            for _ in range(_TRIES):
                name, edited = editor.edit(new)
                if edited != new and not has_wrapped_bound(edited) and self._server.admit(edited) is not None:
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
        admitted = [self._server.admit(pair[side]) for side in ("old", "new")]
        if old is None or new is None or None in admitted:
            return "no input"
        changes = self._compare([old], [new])
        for version in list_common_versions(pair, _SIDES):
            check_soundness(self._server, pair, _SIDES, version, changes, Random(zlib.crc32(data)))
        if len(pair["edits"]) == 1 and pair["edits"][0] not in _COMPOUND_EDITS and pair["old"] != pair["new"]:
            self._check_single(changes, pair)
            self._check_mirror(changes, self._compare([new], [old]), *pair["edits"])
        return "\n".join(f"{change.rule} {change.path} {change.message}" for change in changes)

    @staticmethod
    def _check_single(changes: Sequence[Change], pair: Json) -> None:
        if len(_select_shown(changes, *pair["edits"])) != 1:
            reported = [f"{change.rule} {change.path} {change.message}" for change in changes]
            raise PropertyError(f"{len(changes)} findings for one edit {pair['edits']}: {reported}")

    @staticmethod
    def _check_mirror(changes: Sequence[Change], mirrored: Sequence[Change], edit: str) -> None:
        rules, mirrors = ([change.rule for change in _select_shown(side, edit)] for side in (changes, mirrored))
        if len(mirrors) != 1 or mirrors[0] not in CHANGE_RULES[rules[0]].mirrors:
            raise PropertyError(f"the mirror of {rules} is {mirrors}")


def check_soundness(
    server: Server, crds: Json, sides: Sequence[str], version: str, changes: Sequence[Change], random: Random
) -> None:
    """Compare the verdicts of the last side with those of the others, on objects of a version and on updates of them.

    If no change is reported that can store something else, compare what they store, too. Raises PropertyError for an
    object that only the last side rejects or stores otherwise, if no change is reported that can do this.
    """
    strongest = max((change.change_class for change in changes), default=ChangeClass.NONE)
    schemas = [_get_version(crds[side], version)["schema"]["openAPIV3Schema"] for side in sides]
    admitted = [crd for side in sides if (crd := server.admit(crds[side]))]
    statuses = (False, True) if all(_has_status(crds[side], version) for side in sides) else (False,)
    if len(admitted) < len(sides) or schemas[-1] in schemas[:-1] or strongest >= ChangeClass.TIGHTEN:
        return
    *olds, new = admitted
    before: Json = None
    for obj in make_objects(
        schemas[0], schemas[-1], random, _make_head(version), lambda obj: not server.reject(olds[0], obj)
    ):
        if has_list_as_string(schemas[0], obj):
            continue
        for stored, status in [(None, False), *((before, status) for status in statuses if before)]:
            if any(server.reject(old, obj, stored, strict=True, status=status) for old in olds):
                continue
            if status and any(server.reject(old, obj, strict=True) for old in olds):
                continue  # a client sends an object that it has read
            reason = server.reject(new, obj, stored, strict=True, status=status)
            kept, *others = (server.read_back(old, obj, stored, status=status) for old in olds)
            is_kept = not any(lost for other in others for lost in find_lost_values(schemas[0], kept, other))
            if strongest < ChangeClass.SEMANTIC and not reason and is_kept:
                after = server.read_back(new, obj, stored, status=status)
                written = server.set_defaults(olds[0], version, obj)
                reason = ", ".join(find_changed_values(schemas[0], written, kept, after))
            # Another storage version can drop required fields.
            before = before if server.reject(olds[0], kept) else kept
            if reason:
                reported = [f"{change.rule} {change.path}" for change in changes]
                raise PropertyError(f"not reported ({crds.get('edits')}, {reported}): {reason}\n{obj}\n{stored}")


def _select_shown(changes: Sequence[Change], edit: str) -> Sequence[Change]:
    """Return the changes that users see by default: those without effect only if there are no others.

    A schema of the metadata of an embedded resource, or of fields in it, changes the treatment of nulls, too. Several
    such changes are one, unless the edit is that of a keyword.
    """
    shown = [change for change in changes if change.rule != _NO_EFFECT] or changes
    if edit in _KEYWORD_EDITS:
        return shown
    is_property = edit in _PROPERTY_EDITS
    return [change for change in shown if not _is_in_metadata(change, is_property=is_property)] or shown[:1]


def _is_in_metadata(change: Change, *, is_property: bool) -> bool:
    """Report whether a change is that of nulls as the metadata of an embedded resource, or as a label or annotation.

    The metadata that an edit of a property adds or removes is implicit in the other CRD, so its keywords change.
    """
    pair = change.nodes
    if pair is None or not (is_property or change.keyword == "nullable"):
        return False
    if pair.position == VALUE and pair.get_parent().name in ("labels", "annotations"):
        pair = pair.get_parent().get_parent()
    owner = pair.get_parent()
    return pair.name == METADATA and bool(owner.old.get(EMBEDDED) or owner.new.get(EMBEDDED))


class Examples(Fuzzer):
    """The evidence of random pairs: servers accept it before, and reject it or store something else after."""

    name, slice, seconds = "examples", 40, 20.0

    def generate(self, random: Random) -> bytes:
        """Return a pair of CRDs."""
        return Changes().generate(random)

    def run(self, data: bytes) -> str:
        """Verify the evidence of an input. Raises PropertyError for evidence without a difference."""
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
                self._check(server, before, after, change, is_only=len(changes) == 1)
        return "\n".join(f"{change.rule} {change.hint}" for change in changes)

    @staticmethod
    def _check(server: Server, old: Crd, new: Crd, change: Change, *, is_only: bool) -> None:
        """Check the example of a change, and its size if there is no other change with the same message."""
        example, before = change.example, change.before
        status = before is not None and is_in_status(change.nodes.path if change.nodes else "")
        status = status and all(_has_status_subresource(crd, example) for crd in (old, new))
        strict = change.rule != "change-unknown-fields-preserved"  # whose examples have unknown fields of any name
        if reason := server.reject(old, example, before, strict=strict, status=status):
            raise PropertyError(f"the old CRD rejects the example of {change.rule}: {reason}\n{change}")
        stored = [server.server.validate(crd, example, before, status=status)[-1].stored for crd in (old, new)]
        reason = server.reject(new, example, before, status=status)
        if not reason and stored[0] == stored[1]:
            raise PropertyError(f"the new CRD accepts the example of {change.rule}\n{change}")
        rejection = change.hint.partition(" is rejected: ")[2]
        message, exemption, _ = rejection.partition(", stored objects with such a value")
        message = message.rpartition("; with Kubernetes ")[0] if exemption else message
        if message not in reason or bool(message) != bool(reason):
            raise PropertyError(f"the new CRD rejects the example of {change.rule} with another message\n{change}")
        if not is_only:
            return
        for smaller, stored_before in _list_smaller(example, before, is_status=status):
            is_stored = stored_before is None or not server.reject(old, stored_before)
            is_accepted = is_stored and not server.reject(old, smaller, stored_before, strict=strict, status=status)
            if message and is_accepted and message in server.reject(new, smaller, stored_before, status=status):
                raise PropertyError(f"the example of {change.rule} is not minimal: {smaller}\n{change}")


def _list_smaller(obj: Json, before: Json, *, is_status: bool) -> Iterator[tuple[Json, Json]]:
    """Yield the object with one part less, and the object that it updates.

    An update of a status alone has the other parts of the object that it updates.
    """
    is_creation = is_status and before == {name: value for name, value in obj.items() if name != "status"}
    for path in _list_paths(obj):
        smaller = change_at(obj, path, NOTHING)
        is_common = is_creation and path[0] != "status"
        yield smaller, change_at(before, path, NOTHING) if is_common else before


def _list_paths(value: Json, path: ValuePath = ()) -> Iterator[ValuePath]:
    steps = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        if path or step not in FIXED:
            yield (*path, step)
            yield from _list_paths(value[step], (*path, step))


def _has_status_subresource(crd: Crd, obj: Json) -> bool:
    """Report whether the version of an object has the status subresource."""
    return any(version.status for version in crd.versions if obj["apiVersion"] == f"{crd.group}/{version.name}")


def has_list_as_string(schema: Json, value: Json) -> bool:
    """Report whether a value is a list where the schema requires a string.

    Servers accept such a list if the string has a format, and reject it without the format. Nobody relies on that.
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


def _get_version(crd: Json, name: str) -> Json:
    return next(version for version in crd["spec"]["versions"] if version["name"] == name)


def list_common_versions(crds: Json, sides: Sequence[str]) -> list[str]:
    """Return the versions that all sides serve."""
    served = [[version["name"] for version in crds[side]["spec"]["versions"] if version["served"]] for side in sides]
    return [name for name in served[0] if all(name in names for names in served)]


def _has_status(crd: Json, version: str) -> bool:
    return "status" in _get_version(crd, version).get("subresources", {})


def _make_head(version: str) -> Json:
    """Return the common fields of all objects of a version."""
    return {"apiVersion": f"{GROUP}/{version}", "kind": "Thing", "metadata": {"name": "a"}}
