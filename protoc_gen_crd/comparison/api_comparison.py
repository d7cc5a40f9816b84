"""The comparison of two APIs, as CRDs of any origin."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import MESSAGE_ITSELF, Change, ChangeClass, Difference
from protoc_gen_crd.comparison.change_rule_messages import describe_difference
from protoc_gen_crd.comparison.change_rules import get_class
from protoc_gen_crd.comparison.channel_moves import classify_moves
from protoc_gen_crd.comparison.crd_comparison import CRD_RULES, VERSION_RULES, MemberRule, compare_members
from protoc_gen_crd.comparison.evidence.kind_judge import KindJudge, judge_added_kind
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.comparison.schemas.node_pair import ENUM_KEYWORDS, PROPERTY, NodePair
from protoc_gen_crd.comparison.schemas.scale_restrictions import find_restricted_node
from protoc_gen_crd.comparison.schemas.schema_comparison import SchemaComparer
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.schema import LOGICAL_KEYWORDS, VALIDATIONS, Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode_rule

_REQUIRED = ("change-required-added", "change-required-removed")
ChangeKey = tuple[object, ...]


class KindComparison(Record):
    """The changes of one kind, with the CRDs of both sides; None for a side without the kind."""

    old: Crd | None
    new: Crd | None
    changes: tuple[Change, ...]

    @property
    def is_changed(self) -> bool:
        """Return whether the CRDs differ, even if only in what no rule reports."""
        if self.changes or self.old is None or self.new is None:
            return True
        return _differs_unreported(self.old, self.new)


def compare_apis(
    old: Sequence[Crd], new: Sequence[Crd], minor: int = NEWEST, channels: Sequence[str] = ()
) -> tuple[Change, ...]:
    """Return the changes between two APIs by kind, as Kubernetes 1.`minor` sees them, without evidence.

    Changes of several versions, and of one message at several paths, are merged. `channels` are the release channels
    in order.
    """
    return tuple([change for pair in compare_kinds(old, new, minor, channels) for change in pair.changes])


def judge_changes(
    old: Sequence[Crd],
    new: Sequence[Crd],
    minors: Sequence[int] = (NEWEST,),
    objects: Sequence[Mapping[str, Any]] = (),
    channels: Sequence[str] = (),
    known: Collection[ChangeKey] = (),
    needs_evidence: Callable[[Change], bool] = lambda _: True,
) -> tuple[Change, ...]:
    """Return the changes between two APIs with their evidence, as these versions of Kubernetes see them.

    `objects` are the test documents and samples of the old API, `channels` the release channels in order. Changes that
    are `known` are not merged with others. `needs_evidence` selects the changes whose evidence is searched.
    """
    judged, compiler = list[Change](), RuleCompiler()
    for pair in compare_kinds(old, new, minors[-1], channels, known):
        before, after, changes = pair.old, pair.new, pair.changes
        if before is None and after is not None:
            judged += judge_added_kind(after, changes, minors, get_kind(after), compiler)
        elif before is None or after is None or not pair.is_changed:
            judged += changes
        else:
            own = [manifest for manifest in objects if manifest.get("kind") == after.names.kind]
            judge = KindJudge(before, after, minors, own, needs_evidence, compiler)
            judged += judge.judge(changes, get_kind(after))
    return tuple(judged)


def compare_kinds(
    old: Sequence[Crd],
    new: Sequence[Crd],
    minor: int = NEWEST,
    channels: Sequence[str] = (),
    known: Collection[ChangeKey] = (),
) -> Iterator[KindComparison]:
    """Yield the changes of each kind without evidence; the arguments are those of `judge_changes`."""
    switches = Switches.from_minor(minor)
    for before, after in _pair_crds(old, new):
        if before and after:
            changes = classify_moves(_compare_crds(before, after, switches), channels)
            yield KindComparison(before, after, tuple(merge_changes(changes, known)))
        else:
            yield KindComparison(before, after, (_make_kind_change(before, after),))


def _differs_unreported(old: Crd, new: Crd) -> bool:
    """Report whether two CRDs without changes differ in what no rule reports, but servers may reject."""
    if old is new:
        return False
    from protoc_gen_crd.crd.crd_differences import find_differences  # noqa: PLC0415 - most CRDs have changes
    from protoc_gen_crd.crd.crd_encoder import encode  # noqa: PLC0415

    return any(find_differences(encode(old, EncodedSchemas()), encode(new, EncodedSchemas())))


def _pair_crds(old: Sequence[Crd], new: Sequence[Crd]) -> Iterator[tuple[Crd | None, Crd | None]]:
    """Yield the CRDs of both sides by name, as servers store them, and others by kind; the first of several counts."""
    before, after = ({crd.name: crd for crd in reversed(crds)} for crds in (old, new))
    others = {(crd.group, crd.names.kind): crd for crd in reversed(old) if crd.name not in after}
    for crd in {crd.name: after[crd.name] for crd in new}.values():
        yield before.get(crd.name) or others.pop((crd.group, crd.names.kind), None), crd
    yield from ((crd, None) for crd in reversed(others.values()))


def get_kind(crd: Crd | None) -> str:
    """Return the name of a kind as in changes: its group and kind."""
    return f"{crd.group}/{crd.names.kind}" if crd else ""


def _make_kind_change(old: Crd | None, new: Crd | None) -> Change:
    kind = get_kind(new or old)
    rule = "change-kind-added" if old is None else "change-kind-removed"
    difference = Difference(rule, "", old and kind, new and kind)
    places = new.origin if new else None, old.origin if old else None
    removed = tuple(version.name for version in old.versions if version.served) if old else ()
    return _make_change(difference, kind, "", (), places).replace(removed_versions=removed)


def _compare_crds(old: Crd, new: Crd, switches: Switches) -> Iterator[Change]:
    kind = get_kind(new)
    yield from _compare_members(kind, old, new, CRD_RULES, ())
    yield from _compare_unknown_fields(kind, old, new)
    before = {version.name: version for version in old.versions}
    after = {version.name: version for version in new.versions}
    comparer = SchemaComparer(switches)
    for name in dict.fromkeys((*after, *before)):
        if name in before and name in after:
            is_stored = before[name].storage or after[name].storage
            others = [version.schema for version in old.versions if version.name != name and version.served]
            schemas = [schema for schema in others if schema is not None]
            yield from _compare_versions(kind, before[name], after[name], schemas if is_stored else (), comparer)
        elif name in after:
            difference = Difference("change-version-added", "", None, name)
            yield _make_change(difference, kind, "", (name,), (after[name].origin, None))
        else:
            difference = Difference("change-version-removed", "", name)
            yield _make_change(difference, kind, "", (name,), (new.get_place("versions"), before[name].origin))


def _compare_unknown_fields(kind: str, old: Crd, new: Crd) -> Iterator[Change]:
    """Yield the changes of unknown fields: they have no effect, since API servers drop them."""
    if not (old.unknown_fields or new.unknown_fields):
        return
    from protoc_gen_crd.comparison.unknown_fields import compare_unknown_fields  # noqa: PLC0415 - few CRDs have unknown fields

    for pair in compare_unknown_fields(old, new):
        before, after = (field.value if field else None for field in (pair.old, pair.new))
        difference = Difference("change-unclassified", pair.name, before, after, ChangeClass.NONE)
        versions = (pair.version,) if pair.version else ()
        places = pair.place, pair.old.origin if pair.old else None
        change = _make_change(difference, kind, pair.path, versions, places)
        hint = pair.new.make_hint() if pair.new else ""
        yield change.replace(message=f"{change.message} (API servers drop this unknown field)", hint=hint)


def _compare_versions(
    kind: str, old: CrdVersion, new: CrdVersion, others: Sequence[Schema], comparer: SchemaComparer
) -> Iterator[Change]:
    """Yield the changes of a version; `others` are the old schemas of the versions whose objects it stores."""
    for change in _compare_members(kind, old, new, VERSION_RULES, (new.name,)):
        is_scale = change.rule in ("change-scale", "change-scale-added")
        pair = find_restricted_node(old, new, comparer.switches) if is_scale else None
        yield _restrict(change, pair) if pair else change
    if old.schema is not None and new.schema is not None:
        root = NodePair(old.schema, new.schema, version=new)
        root.others = others
        for schema_difference in comparer.compare(root):
            difference, pair = schema_difference.difference, schema_difference.pair
            path, places = schema_difference.path, _find_places(pair, difference)
            if difference.rule in _REQUIRED:  # located at the field, not at the list of names
                name = difference.new or difference.old
                path = f"{path}.{name}" if path else name
                places = _find_field_place(pair.new, name), _find_old_field_place(pair, name)
            yield _make_change(difference, kind, path, (new.name,), places).replace(nodes=pair)


def _find_places(pair: NodePair, difference: Difference) -> tuple[Place | None, Place | None]:
    """Return the places of a keyword in both APIs; in the new one, that of the rule in a list of rules."""
    place = None
    if difference.keyword == VALIDATIONS and difference.new is not None:
        place = next((rule.origin for rule in pair.new.rules if encode_rule(rule) == difference.new), None)
    return place or pair.find_place(difference.keyword), pair.find_old_place(difference.keyword)


def _restrict(change: Change, pair: NodePair) -> Change:
    """Return a change of the scale subresource with the first field whose values it restricts."""
    return change.replace(change_class=max(change.change_class, ChangeClass.TIGHTEN), nodes=pair)


def _find_field_place(schema: Schema, name: str) -> Place | None:
    """Return the place of a field, or of the list of required fields."""
    field = schema.properties.get(name)
    return field.origin if field and field.origin else schema.get_place("required")


def _find_old_field_place(pair: NodePair, name: str) -> Place | None:
    """Return the same as `_find_field_place` for the old API."""
    field = pair.old.properties.get(name)
    if field is None or field.origin is None:
        return pair.find_old_place("required")
    return NodePair(field, field, pair.path, PROPERTY, pair, name).find_old_place()


def _compare_members(
    kind: str, old: Any, new: Any, rules: tuple[MemberRule, ...], versions: tuple[str, ...]
) -> Iterator[Change]:
    for difference in compare_members(old, new, rules):
        places = _find_member_place(new, difference), _find_member_place(old, difference)
        yield _make_change(difference, kind, "", versions, places)


def _find_member_place(owner: Any, difference: Difference) -> Place | None:
    """Return the place of the member of a CRD or a version that differs."""
    if difference.rule == "change-storage-version":
        return next((version.get_place("storage") for version in owner.versions if version.storage), None)
    place: Place | None = owner.get_place(difference.keyword)
    return place


def _make_change(
    difference: Difference, kind: str, path: str, versions: tuple[str, ...], places: tuple[Place | None, Place | None]
) -> Change:
    return Change(
        difference.rule,
        get_class(difference),
        kind,
        path,
        describe_difference(difference),
        versions,
        difference.old,
        difference.new,
        at=places[0] or places[1],
        old_at=places[1],
        keyword=difference.keyword,
    )


def list_keys(change: Change) -> list[ChangeKey]:
    """Return what distinguishes a change from others, once for each of its versions and paths."""
    own = (change.rule, change.kind, change.keyword, change.message, to_key([change.old, change.new]))
    paths = (change.path, *change.other_paths)
    return [(*own, version, path) for version in change.versions or ("",) for path in paths]


def merge_changes(changes: Iterable[Change], known: Collection[ChangeKey] = ()) -> Iterator[Change]:
    """Merge equal changes of several versions, and of the locations of one message, which have one place.

    Changes that are `known` are merged only with each other.
    """
    by_path: dict[tuple[object, ...], list[Change]] = {}
    for change in changes:
        is_known = bool(known) and list_keys(change)[0] in known
        by_path.setdefault((is_known, *_get_key(change), change.path, _list_steps(change)), []).append(change)
    by_place: dict[object, list[Change]] = {}
    for key, group in by_path.items():
        versions = tuple(dict.fromkeys(name for change in group for name in change.versions))
        merged = group[0].replace(versions=versions)
        by_place.setdefault((key[0], *_get_key(merged), versions, get_place(merged)), []).append(merged)
    for first, *others in by_place.values():
        yield first.replace(other_paths=tuple([other.path for other in others]))


def _get_key(change: Change) -> tuple[object, ...]:
    return change.rule, change.change_class, change.message, to_key([change.old, change.new])


def get_place(change: Change) -> tuple[object, ...]:
    """Return what is equal for changes of the same element: its place with the last step of the path, or its path."""
    at = change.at.resolve() if change.at and change.path else None
    # located at the message, enum, or oneof, whose fields have different names
    is_of_type = change.keyword in (MESSAGE_ITSELF, *ENUM_KEYWORDS, *LOGICAL_KEYWORDS)
    step = "" if is_of_type else re.split(r"[.\[{]", change.path)[-1]
    return (at.file, at.line, at.column, step) if at and at.line and at.column else (change.path, _list_steps(change))


def _list_steps(change: Change) -> tuple[tuple[str, str], ...]:
    """Return the steps to the changed node, the last first: a property `a.b` has the path of `b` in `a`."""
    steps, pair = list[tuple[str, str]](), change.nodes
    while pair is not None:
        steps.append((pair.position, pair.name))
        pair = pair.parent
    return tuple(steps)
