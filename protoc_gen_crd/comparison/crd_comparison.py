"""The comparison of the members of CRDs and of their versions, without schemas.

Each rule claims members of `Crd`, `Names` or `CrdVersion`; a test compares the claims with the fields of these types.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.crd.crd import Crd, CrdVersion

Compare = Callable[[Any, Any], Iterator[Difference]]


class MemberRule(Record):
    """A comparison of the members that it claims, of a Crd or a CrdVersion."""

    members: tuple[str, ...]
    compare: Compare


def _compare_value(rule: str, member: str, get: Callable[[Any], Any]) -> Compare:
    """Return a comparison that reports another value."""

    def compare(old: Any, new: Any) -> Iterator[Difference]:
        if get(old) != get(new):
            yield Difference(rule, member, get(old), get(new))

    return compare


def _compare_flag(member: str, get: Callable[[Any], bool], added: str, removed: str) -> Compare:
    def compare(old: Any, new: Any) -> Iterator[Difference]:
        before, after = bool(get(old)), bool(get(new))
        if before != after:
            yield Difference(added if after else removed, member, before, after)

    return compare


def _compare_items(member: str, get: Callable[[Any], Collection[str]], added: str, removed: str) -> Compare:
    """Return a comparison that reports each added and each removed item."""

    def compare(old: Any, new: Any) -> Iterator[Difference]:
        before, after = get(old), get(new)
        yield from (Difference(removed, member, item, None) for item in before if item not in after)
        yield from (Difference(added, member, None, item) for item in after if item not in before)

    return compare


def _compare_names(old: Crd, new: Crd) -> Iterator[Difference]:
    before, after = _get_names(old), _get_names(new)
    changed = [name for name in before if before[name] != after[name]]
    defaults = [_get_default_names(crd) for crd in (old, new)]
    for member in changed:
        is_derived = all(names[member] == own.get(member) for names, own in zip((before, after), defaults, strict=True))
        if not ("kind" in changed and is_derived):
            change_class = ChangeClass.SEMANTIC if member == "singular" else None  # only for display
            yield Difference("change-names", f"names.{member}", before[member], after[member], change_class)


def _get_names(crd: Crd) -> Mapping[str, str]:
    names, defaults = crd.names, _get_default_names(crd)
    return {
        "kind": names.kind,
        "plural": names.plural,
        "singular": names.singular or defaults["singular"],
        "listKind": names.list_kind or defaults["listKind"],
    }


def _get_default_names(crd: Crd) -> Mapping[str, str]:
    """Return the names that follow from the kind. Source: k8s.io/apiextensions-apiserver pkg/apis v1/defaults.go."""
    return {"singular": crd.names.kind.lower(), "listKind": f"{crd.names.kind}List"}


def _compare_conversion(old: Crd, new: Crd) -> Iterator[Difference]:
    before, after = _normalize_conversions(old.conversion or {}, new.conversion or {})
    if before["strategy"] != after["strategy"]:
        change_class = ChangeClass.BREAK if after["strategy"] == "None" else None
        yield Difference("change-conversion", "conversion", before["strategy"], after["strategy"], change_class)
    elif before != after:
        member, old_value, new_value = _find_changed_member("conversion", before, after)
        change_class = ChangeClass.NONE if member.endswith(f".{_CA_BUNDLE}") else None  # only for the connection
        yield Difference("change-conversion", member, old_value, new_value, change_class)


_CA_BUNDLE = "caBundle"
_SERVICE_DEFAULTS = {"path": "/", "port": 443}


def _normalize_conversions(*conversions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return conversions with the defaults of servers, without a CA bundle that only one has: controllers insert it."""
    configs = [(conversion.get("webhook") or {}).get("clientConfig") or {} for conversion in conversions]
    omitted = () if all(config.get(_CA_BUNDLE) for config in configs) else (_CA_BUNDLE,)
    return [
        {"strategy": "None", **conversion, "webhook": {**(conversion.get("webhook") or {}), "clientConfig": config}}
        for conversion, config in zip(conversions, [_normalize_config(each, omitted) for each in configs], strict=True)
    ]


def _normalize_config(config: Mapping[str, Any], omitted: Collection[str]) -> dict[str, Any]:
    normalized = {member: value for member, value in config.items() if member not in omitted and value is not None}
    if service := normalized.get("service"):
        members = {member: value for member, value in service.items() if value not in (None, "")}
        normalized["service"] = {**_SERVICE_DEFAULTS, **members}
    return normalized


def _find_changed_member(path: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """Return the path and the values of the smallest member that contains all differences of two values."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return path, old, new
    changed = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
    if len(changed) > 1:
        return path, old, new
    return _find_changed_member(f"{path}.{changed[0]}", old.get(changed[0]), new.get(changed[0]))


def _compare_storage(old: Crd, new: Crd) -> Iterator[Difference]:
    before, after = (next((version.name for version in crd.versions if version.storage), "") for crd in (old, new))
    if before and after and before != after:
        yield Difference("change-storage-version", "versions", before, after)


def _compare_columns(old: CrdVersion, new: CrdVersion) -> Iterator[Difference]:
    before, after = ({column.name: column for column in version.columns} for version in (old, new))
    for name in dict.fromkeys((*before, *after)):
        suffix = "added" if name not in before else "removed" if name not in after else ""
        if suffix or _describe_column(before[name]) != _describe_column(after[name]):
            rule = "-".join(filter(None, ("change-column", suffix)))
            values = [name if name in side else None for side in (before, after)]
            yield Difference(rule, "additionalPrinterColumns", values[0], values[1])


def _describe_column(column: Any) -> Any:
    return column.replace(origin=None)


def _compare_scale(old: CrdVersion, new: CrdVersion) -> Iterator[Difference]:
    """Compare the paths of the scale subresource. Only the path of the label selector can be added alone."""
    before, after = (_get_scale_paths(version) for version in (old, new))
    if not before or not after:
        rule = "change-scale-removed" if before else "change-scale-added"
        if before or after:
            path = (before or after)["specReplicasPath"]
            yield Difference(rule, "subresources.scale", path if before else None, path if after else None)
    elif before != after:
        lost, added = (
            {name: path for name, path in own.items() if other.get(name) != path}
            for own, other in ((before, after), (after, before))
        )
        change_class = None if lost else ChangeClass.ADDITIVE
        yield Difference("change-scale", "subresources.scale", lost or None, added or None, change_class)


def _get_scale_paths(version: CrdVersion) -> Mapping[str, str]:
    """Return the paths of the scale subresource, none without it."""
    if version.scale is None:
        return {}
    paths = {
        "specReplicasPath": version.scale.spec_replicas_path,
        "statusReplicasPath": version.scale.status_replicas_path,
        "labelSelectorPath": version.scale.label_selector_path or "",
    }
    return {name: path for name, path in paths.items() if path or name == "specReplicasPath"}


def _compare_deprecation(old: CrdVersion, new: CrdVersion) -> Iterator[Difference]:
    if old.deprecated != new.deprecated:
        rule = "change-deprecated" if new.deprecated else "change-deprecation-withdrawn"
        yield Difference(rule, "deprecated", old.deprecated, new.deprecated)
    elif (old.deprecation_warning or "") != (new.deprecation_warning or ""):
        yield Difference("change-documentation", "deprecationWarning", old.deprecation_warning, new.deprecation_warning)


def _compare_metadata(old: Crd, new: Crd) -> Iterator[Difference]:
    for member in ("labels", "annotations"):
        before, after = dict(getattr(old, member)), dict(getattr(new, member))
        if before != after:
            yield Difference("change-metadata", f"metadata.{member}", before, after)


_NAME_RULES = "change-name-added", "change-name-removed"
CRD_RULES = (
    MemberRule(("group",), _compare_value("change-names", "group", lambda crd: crd.group)),
    MemberRule(("names", "metadata"), _compare_names),
    MemberRule(("scope",), _compare_value("change-scope", "scope", lambda crd: crd.scope)),
    MemberRule(("conversion",), _compare_conversion),
    MemberRule(("versions",), _compare_storage),
    MemberRule(("names",), _compare_items("names.shortNames", lambda crd: crd.names.short_names, *_NAME_RULES)),
    MemberRule(("names",), _compare_items("names.categories", lambda crd: crd.names.categories, *_NAME_RULES)),
    MemberRule(
        ("preserve_unknown_fields",),
        _compare_flag(
            "preserveUnknownFields", lambda crd: crd.preserve_unknown_fields, "change-unknown-fields-preserved",
            "change-unknown-fields-pruned",
        ),
    ),
    MemberRule(("labels", "annotations"), _compare_metadata),
)  # fmt: skip
VERSION_RULES = (
    MemberRule(
        ("served",),
        _compare_flag("served", lambda version: version.served, "change-version-served", "change-version-unserved"),
    ),
    MemberRule(("deprecated", "deprecation_warning"), _compare_deprecation),
    MemberRule(
        ("status",),
        _compare_flag(
            "subresources.status", lambda version: version.status, "change-status-subresource-added",
            "change-status-subresource-removed",
        ),
    ),
    MemberRule(("scale",), _compare_scale),
    MemberRule(
        ("selectable_fields",),
        _compare_items(
            "selectableFields", lambda version: version.selectable_fields, "change-selectable-field-added",
            "change-selectable-field-removed",
        ),
    ),
    MemberRule(("columns",), _compare_columns),
    MemberRule(("channel",), _compare_value("change-channel", "channel", lambda version: version.channel)),
)  # fmt: skip
# Members without meaning for a change: places, the spelling of a manifest, and what a cluster or the generator adds.
# `unknown_fields` compares the fields that API servers drop.
UNCOMPARED = ("origin", "marks", "explicit_empty", "status", "hub", "earlier_hubs", "unknown_fields")


def compare_members(old: Any, new: Any, rules: tuple[MemberRule, ...]) -> Iterator[Difference]:
    """Yield the differences of the members that the rules claim."""
    for rule in rules:
        yield from rule.compare(old, new)
