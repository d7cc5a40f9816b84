"""Random edits of the members of CRDs and of their versions, in plain data."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.random_crds import COLUMN, EMBEDDED, SCALE, list_nodes, list_selectable_paths, make_scale

Json = Any
MemberEdit = Callable[[Random, Json], None]


def _toggle(member: str, *values: Json) -> MemberEdit:
    """Return an edit that sets a member to another one of the values, or removes it."""

    def edit(random: Random, owner: Json) -> None:
        others = [value for value in values if value != owner.get(member)]
        if member in owner and (not others or random.random() < 0.5):
            del owner[member]
        else:
            owner[member] = copy.deepcopy(random.choice(others))

    edit.__name__ = f"edit_{member}"
    return edit


def _toggle_item(member: str, *items: Json) -> MemberEdit:
    """Return an edit that adds one item to a list, or removes it."""

    def edit(random: Random, owner: Json) -> None:
        present, item = owner.get(member, []), random.choice(items)
        owner[member] = [other for other in present if other != item] if item in present else [*present, item]
        if not owner[member]:
            del owner[member]

    edit.__name__ = f"edit_{member}"
    return edit


def _edit_subresources(random: Random, version: Json) -> None:
    edit = _toggle("status", {}) if random.random() < 0.5 else _toggle("scale", *_SCALES, make_scale(random, version))
    edit(random, version.setdefault("subresources", {}))
    if not version["subresources"]:
        del version["subresources"]


_SCALES = (
    SCALE, {**SCALE, "specReplicasPath": ".spec.size"}, {**SCALE, "statusReplicasPath": ".status.size"},
    {**SCALE, "labelSelectorPath": ".status.selector"},
)  # fmt: skip


def _edit_column(random: Random, version: Json) -> None:
    """Change a member of the first column."""
    if columns := version.get("additionalPrinterColumns"):
        changes = (("priority", 1), ("type", "date"), ("description", "b"), ("jsonPath", ".spec.b"))
        member, value = random.choice(changes)
        columns[0] = {**columns[0], member: value}


def _edit_selectable_fields(random: Random, version: Json) -> None:
    fields = version.get("selectableFields", [])
    paths = list_selectable_paths(version["schema"]["openAPIV3Schema"])
    _toggle_item("selectableFields", *fields, *({"jsonPath": path} for path in paths or [".spec.a"]))(random, version)


def _edit_warning(random: Random, version: Json) -> None:
    if version.get("deprecated"):
        _toggle("deprecationWarning", "a", "b")(random, version)


def _edit_served(_: Random, version: Json) -> None:
    version["served"] = not version["served"]


_STRINGS: tuple[Json, ...] = tuple(
    {"type": "string", **keywords}
    for keywords in (
        {}, {"maxLength": 2}, {"maxLength": 5}, {"minLength": 2}, {"pattern": "^[A-Z]"}, {"enum": ["a", "Thing"]},
        {"x-kubernetes-validations": [{"rule": "self.size() < 3"}]},
    )
)  # fmt: skip
_TYPES = (*_STRINGS, {"type": "string", "default": "v1"}, {"type": "string", "nullable": True})
_LABELS = {"type": "object", "additionalProperties": {"type": "string"}}
_METADATA = {"name": _STRINGS, "generateName": _STRINGS, "labels": (_LABELS, {**_LABELS, "maxProperties": 0})}
_IMPLICIT = {"apiVersion": _TYPES, "kind": _TYPES, "metadata": ({"type": "object"},), **_METADATA}


def _edit_implicit_fields(random: Random, version: Json) -> None:
    """Add a field that a resource has without its schema, or remove it."""
    root = version["schema"]["openAPIV3Schema"]
    embedded = [node for node in list_nodes(root) if node.get(EMBEDDED)]
    node = random.choice(embedded) if embedded and random.random() < 0.5 else root
    name, properties = random.choice([*_IMPLICIT]), node.setdefault("properties", {})
    if name in _METADATA and (node is root or "metadata" in properties):
        properties = properties.setdefault("metadata", {"type": "object"}).setdefault("properties", {})
    elif name in _METADATA:
        name = "metadata"
    if not properties.pop(name, None):
        properties[name] = copy.deepcopy(random.choice(_IMPLICIT[name]))


VERSION_EDITS: tuple[MemberEdit, ...] = (
    _edit_subresources, _toggle_item("additionalPrinterColumns", COLUMN, {**COLUMN, "name": "B"}), _edit_column,
    _edit_selectable_fields, _toggle("deprecated", True), _edit_warning, _edit_served,
    _edit_implicit_fields,
)  # fmt: skip


def _edit_names(random: Random, crd: Json) -> None:
    edits = (
        _toggle_item("shortNames", "th", "tg"), _toggle_item("categories", "all", "other"),
        _toggle("singular", "one", "other"), _toggle("listKind", "Things", "Others"),
    )  # fmt: skip
    random.choice(edits)(random, crd["spec"]["names"])


def _edit_plural(_: Random, crd: Json) -> None:
    crd["spec"]["names"]["plural"] = "thingies"
    crd["metadata"]["name"] = f"thingies.{crd['spec']['group']}"


def _edit_scope(_: Random, crd: Json) -> None:
    crd["spec"]["scope"] = "Cluster" if crd["spec"]["scope"] == "Namespaced" else "Namespaced"


def _edit_metadata(random: Random, crd: Json) -> None:
    member = random.choice(("labels", "annotations"))
    _toggle(member, {"a": "b"}, {"a": "c"}, {"d": "e"})(random, crd["metadata"])


_CLIENT = {"service": {"namespace": "a", "name": "b"}}
_WEBHOOK = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": _CLIENT}}
_OTHER = {**_WEBHOOK, "webhook": {**_WEBHOOK["webhook"], "conversionReviewVersions": ["v1", "v1beta1"]}}  # type: ignore[dict-item]


def _edit_conversion(random: Random, crd: Json) -> None:
    _toggle("conversion", _WEBHOOK, _OTHER)(random, crd["spec"])


def _edit_storage(_: Random, crd: Json) -> None:
    for version in crd["spec"]["versions"]:
        version["storage"] = not version["storage"]


def _edit_versions(random: Random, crd: Json) -> None:
    """Remove a version that is not stored, or add a copy of one."""
    versions = crd["spec"]["versions"]
    if len(versions) > 1 and random.random() < 0.5:
        crd["spec"]["versions"] = [version for version in versions if version["storage"]]
    else:
        versions.append({**copy.deepcopy(random.choice(versions)), "name": "v2", "storage": False, "served": True})


CRD_EDITS: tuple[MemberEdit, ...] = (
    _edit_names, _edit_names, _edit_plural, _edit_scope, _edit_metadata, _edit_conversion, _edit_storage,
    _edit_versions,
)  # fmt: skip
