"""A flat summary of an API: its kinds, their versions, and the facts of each field by path.

Field paths are as in user documentation: `spec.ports[].name`, `spec.labels{}`. Facts are keywords of the schema and
their values; constraints on children are recorded at the children. The module does not access files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.recorded_types import Check, check_summary, require
from protoc_gen_crd.comparison.schemas.narrowed_constraints import get_constraints
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, DEPRECATED, DEPRECATED_VALUES, Schema
from protoc_gen_crd.schema.schema_decoder import PROPS, STRUCTS, UNIONS

FORMAT = 1

Facts = Mapping[str, Any]

_RECORDED_FACTS = (DEPRECATED, DEPRECATED_VALUES, CHANNEL, CHANNEL_VALUES)
_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")  # every object has them
_VERSION_FACTS = {
    "served": "bool", "storage": "bool", "deprecated": "bool", "deprecation_warning": "string", "status": "bool",
    "channel": "string",
}  # fmt: skip
HUB = "hub"
SCALE, SELECTABLE, COLUMNS = "scale", "selectableFields", "additionalPrinterColumns"

# The types of facts at any place: one that a place does not have is read like the same fact of a field.
FACTS: Mapping[str, str] = {
    **STRUCTS[PROPS], DEPRECATED: "bool", DEPRECATED_VALUES: "[]string", CHANNEL: "string",
    CHANNEL_VALUES: "map[string]string",
}  # fmt: skip
# The types of the output of `format_summary`, for `recorded_types`.
_TYPES: dict[str, dict[str, str]] = {
    **STRUCTS,
    "Summary": {"format": "int64", "kinds": "map[string]Kind"},
    "Kind": {"facts": "KindFacts", "versions": "map[string]Version"},
    "KindFacts": {
        **FACTS, "scope": "string", "plural": "string", "shortNames": "[]string", "categories": "[]string",
        HUB: "string",
    },
    "Version": {"facts": "VersionFacts", "root": "Root", "fields": "map[string]Field"},
    "VersionFacts": {**FACTS, **_VERSION_FACTS},
    "Root": {**FACTS, SCALE: "map[string]string", SELECTABLE: "[]string", COLUMNS: "[]string"},
    "Field": {**FACTS, "required": "bool"},
}  # fmt: skip


def _check_kinds(summary: Mapping[str, Any]) -> None:
    if names := [name for name in summary["kinds"] if "/" not in name]:
        raise ValueError(f'"{names[0]}" is not the name of a kind')


def _check_kind_facts(facts: Facts) -> None:
    if names := sorted(facts.keys() & FACTS.keys()):
        raise ValueError(f'a kind has the fact "{names[0]}" of another element')


ELEMENT_CHECKS: Mapping[str, Check] = {
    "Kind": require("facts", "versions"), "KindFacts": _check_kind_facts, "Version": require("facts", "fields"),
}  # fmt: skip
_CHECKS: Mapping[str, Check] = {"Summary": _check_kinds, **ELEMENT_CHECKS}


class VersionSummary(Record):
    """One version of a kind: its facts, and the facts of its fields by path.

    `root` has the facts of whole objects, from their schema and their subresources; None in summaries that were written
    by older versions of this tool.
    """

    facts: Facts
    fields: Mapping[str, Facts]
    root: Facts | None = None

    def find_channel(self, path: str, channels: Sequence[str], value: str = "") -> str:
        """Return the channel of a field or of its enum value: the last one of its own and those of its parents.

        `channels` are all channels in order; a channel that is not among them takes precedence.
        """
        own = self.fields.get(path, {})
        applicable = [self.facts.get(CHANNEL), own.get(CHANNEL_VALUES, {}).get(value)]
        applicable += [self.fields.get(ancestor, {}).get(CHANNEL) for ancestor in list_ancestors(path)]
        ordered = [name for name in channels if name in applicable]
        unknown = [name for name in applicable if name and name not in channels]  # its deprecation period is unknown
        return (unknown or ordered or [""])[-1]

    def list_channels(self) -> Iterator[str]:
        """Yield the channels of the version, its fields and their values."""
        for facts in (self.facts, *self.fields.values()):
            yield from filter(None, (facts.get(CHANNEL), *facts.get(CHANNEL_VALUES, {}).values()))


class KindSummary(Record):
    """One kind: its facts, and its versions by name."""

    facts: Facts
    versions: Mapping[str, VersionSummary]


ApiSummary = Mapping[str, KindSummary]  # by `group/Kind`


def list_ancestors(path: str) -> list[str]:
    """Return the paths of all parents and the path itself, outermost first; none for the empty path."""
    return [path[: match.start()] for match in re.finditer(r"[.\[{]|$", path)] if path else []


def get_parent(path: str) -> str:
    """Return the path of the parent of a field, item or map value; empty for the object itself."""
    return ["", *list_ancestors(path)][-2] if path else ""


def summarize_api(crds: tuple[Crd, ...]) -> ApiSummary:
    """Return the summary of an API."""
    return {f"{crd.group}/{crd.names.kind}": _summarize_kind(crd) for crd in crds}


def _summarize_kind(crd: Crd) -> KindSummary:
    names = {
        "plural": crd.names.plural,
        "shortNames": list(crd.names.short_names),
        "categories": list(crd.names.categories),
    }
    facts = {key: value for key, value in ({"scope": crd.scope} | names | {HUB: crd.hub}).items() if value}
    return KindSummary(facts, {version.name: _summarize_version(version) for version in crd.versions})


def _summarize_version(version: CrdVersion) -> VersionSummary:
    facts = {name: value for name in _VERSION_FACTS if (value := getattr(version, name))}
    fields = dict(_walk_fields(version.schema, "")) if version.schema else {}
    fields = {path: field_facts for path, field_facts in fields.items() if path not in _STANDARD_FIELDS}
    return VersionSummary(facts, fields, dict(_summarize_root(version)))


def _summarize_root(version: CrdVersion) -> Iterator[tuple[str, Any]]:
    """Yield the facts of objects as a whole, without their type."""
    facts = get_constraints(version.schema) if version.schema else {}
    yield from ((name, value) for name, value in facts.items() if name != "type")
    if scale := version.scale:
        paths = {
            "specReplicasPath": scale.spec_replicas_path,
            "statusReplicasPath": scale.status_replicas_path,
            "labelSelectorPath": scale.label_selector_path,
        }
        yield SCALE, {name: path for name, path in paths.items() if path}
    if version.selectable_fields:
        yield SELECTABLE, list(version.selectable_fields)
    if version.columns:
        yield COLUMNS, [f"{column.name} {column.json_path}" for column in version.columns]


def _walk_fields(schema: Schema, path: str) -> Iterator[tuple[str, Facts]]:
    """Yield all fields below a node, parents first, sorted by name."""
    for step, child, is_required in _list_fields(schema):
        place = f"{path}{step}" if path else step.removeprefix(".")
        yield place, _get_facts(child, is_required=is_required)
        yield from _walk_fields(child, place)


def _list_fields(schema: Schema) -> Iterator[tuple[str, Schema, bool]]:
    """Yield the step, the schema, and whether it is required, of each field, and of items and map values."""
    required = schema.get("required") or ()
    for name, child in sorted(schema.properties.items()):
        yield f".{name}", child, name in required
    if schema.items:
        yield "[]", schema.items, False
    if isinstance(schema.additional, Schema):
        yield "{}", schema.additional, False


def _get_facts(schema: Schema, *, is_required: bool) -> Facts:
    facts = schema.facts or {}
    recorded = {name: facts[name] for name in _RECORDED_FACTS if name in facts}
    return {**({"required": True} if is_required else {}), **recorded, **get_constraints(schema)}


def format_summary(summary: ApiSummary) -> str:
    """Format a summary as JSON with one line for each field, so that diffs show the changes."""
    kinds = [f"  {_format_json(name)}: {_format_kind(kind)}" for name, kind in sorted(summary.items())]
    return f'{{\n "format": {FORMAT},\n "kinds": {{\n' + ",\n".join(kinds) + "\n }\n}\n"


def _format_kind(kind: KindSummary) -> str:
    versions = [f"    {_format_json(name)}: {_format_version(version)}" for name, version in kind.versions.items()]
    return f'{{\n   "facts": {_format_json(kind.facts)},\n   "versions": {{\n' + ",\n".join(versions) + "\n   }\n  }"


def _format_version(version: VersionSummary) -> str:
    fields = ",\n".join(f"      {_format_json(path)}: {_format_json(facts)}" for path, facts in version.fields.items())
    facts = f'"facts": {_format_json(version.facts)},\n     "root": {_format_json(version.root or {})}'
    return f'{{\n     {facts},\n     "fields": {{\n{fields}\n     }}\n    }}'


def _format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def parse_summary(
    content: str,
    known: ApiSummary | None = None,
    types: Mapping[str, Mapping[str, str]] = {},
    checks: Mapping[str, Check] = _CHECKS,
) -> ApiSummary:
    """Parse the output of `format_summary`.

    Args:
        content: The output.
        known: A parsed summary. Facts of fields that are equal to its facts are shared, and not checked again.
        types: The types of facts that differ from those of kinds.
        checks: The checks of elements.

    Raises:
        ValueError: The content is anything else, or has the format of a newer version of this tool.
    """
    try:
        plain = parse_json(content)
        if plain["format"] != FORMAT:
            raise ValueError(f"unsupported format {plain['format']}, expected {FORMAT}")
        checked = _share_known_facts(plain, known) if known else plain
        check_summary(checked, {**_TYPES, **types}, checks, UNIONS)
        return {name: _parse_kind(kind) for name, kind in plain["kinds"].items()}
    except KeyError as error:
        raise ValueError(f"missing field {error}") from None
    except (TypeError, AttributeError, RecursionError):
        raise ValueError("not an API summary") from None


def _share_known_facts(plain: Any, known: ApiSummary) -> Any:
    """Replace facts of fields by equal known ones, and return the summary without them; all of it if it is invalid."""
    try:
        kinds = {
            name: {**kind, "versions": _share_versions(kind["versions"], known[name].versions)}
            for name, kind in plain["kinds"].items()
            if name in known
        }
        return {**plain, "kinds": {**plain["kinds"], **kinds}}
    except (AttributeError, KeyError, TypeError):
        return plain


def _share_versions(versions: dict[str, Any], known: Mapping[str, VersionSummary]) -> dict[str, Any]:
    """Replace facts in versions by equal known ones, and return the versions without them."""
    reduced = dict(versions)
    for name in versions.keys() & known.keys():
        fields, before = versions[name]["fields"], known[name].fields
        equal = {path: before[path] for path, facts in fields.items() if before.get(path) == facts}
        fields.update(equal)
        reduced[name] = {**versions[name], "fields": {path: fields[path] for path in fields.keys() - equal.keys()}}
    return reduced


def _parse_kind(plain: Mapping[str, Any]) -> KindSummary:
    versions = {name: _parse_version(version) for name, version in plain["versions"].items()}
    return KindSummary(_drop_nulls(plain["facts"]), versions)


def _parse_version(plain: Mapping[str, Any]) -> VersionSummary:
    fields = {path: _drop_nulls(facts) for path, facts in plain["fields"].items()}
    root = plain.get("root")
    return VersionSummary(_drop_nulls(plain["facts"]), fields, root if root is None else _drop_nulls(root))


def _drop_nulls(plain: Mapping[str, Any]) -> Facts:
    """Return facts without those that are null, such as a default: they count as absent."""
    return plain if None not in plain.values() else {name: value for name, value in plain.items() if value is not None}
