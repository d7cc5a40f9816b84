"""An API, flat: its kinds, their versions, and the fields of each by path, with what is said of each of them.

Field paths are written as users write them: `spec.ports[].name`, `spec.labels{}`. Facts are keywords of the schema with
their values; what the schema of a field says of its children stands at the children. Knows no files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.narrower import said
from protoc_gen_crd.schema.types import CHANNEL, CHANNEL_VALUES, DEPRECATED, DEPRECATED_VALUES, Schema

FORMAT = 1

Facts = Mapping[str, Any]

_FACTS = (DEPRECATED, DEPRECATED_VALUES, CHANNEL, CHANNEL_VALUES)
_KUBERNETES = ("apiVersion", "kind", "metadata")  # every object has them
_VERSION = ("served", "storage", "deprecated", "deprecation_warning", "status", "channel")
HUB = "hub"
SCALE, SELECTABLE, COLUMNS = "scale", "selectableFields", "additionalPrinterColumns"


class VersionSummary(Record):
    """One version of a kind: what is said of it, and the facts of its fields by path.

    `root` is what its objects as a whole have, from their schema and beside it; None where a summary of an older
    program does not tell.
    """

    facts: Facts
    fields: Mapping[str, Facts]
    root: Facts | None = None

    def channel(self, path: str, channels: Sequence[str], value: str = "") -> str:
        """The channel of a field or of a value of it: the latest of its own and of all that it is a part of."""
        own = self.fields.get(path, {})
        said = [self.facts.get(CHANNEL), own.get(CHANNEL_VALUES, {}).get(value)]
        said += [self.fields.get(each, {}).get(CHANNEL) for each in above(path)]
        known = [name for name in channels if name in said]
        strange = [name for name in said if name and name not in channels]  # nobody tells what it promised
        return (strange or known or [""])[-1]

    def channels(self) -> Iterator[str]:
        """The channels that are named anywhere."""
        for facts in (self.facts, *self.fields.values()):
            yield from filter(None, (facts.get(CHANNEL), *facts.get(CHANNEL_VALUES, {}).values()))


class KindSummary(Record):
    """One kind: what is said of it, and its versions by name."""

    facts: Facts
    versions: Mapping[str, VersionSummary]


Summary = Mapping[str, KindSummary]  # by `group/Kind`


def above(path: str) -> list[str]:
    """A path and those of what it is a part of, outermost first; of the empty one none."""
    return [path[: match.start()] for match in re.finditer(r"[.\[{]|$", path)] if path else []


def parent(path: str) -> str:
    """The path of what a field, an item or a value is in; empty for the object itself."""
    return ["", *above(path)][-2] if path else ""


def summarise(crds: tuple[Crd, ...]) -> Summary:
    """The summary of an API."""
    return {f"{crd.group}/{crd.names.kind}": _kind(crd) for crd in crds}


def _kind(crd: Crd) -> KindSummary:
    names = {
        "plural": crd.names.plural,
        "shortNames": list(crd.names.short_names),
        "categories": list(crd.names.categories),
    }
    facts = {key: value for key, value in ({"scope": crd.scope} | names | {HUB: crd.hub}).items() if value}
    return KindSummary(facts, {version.name: _version(version) for version in crd.versions})


def _version(version: Version) -> VersionSummary:
    facts = {name: value for name in _VERSION if (value := getattr(version, name))}
    fields = dict(_fields(version.schema, "")) if version.schema else {}
    fields = {path: said for path, said in fields.items() if path not in _KUBERNETES}
    return VersionSummary(facts, fields, dict(_root(version)))


def _root(version: Version) -> Iterator[tuple[str, Any]]:
    """What is said of the objects as a whole; the type goes without saying."""
    facts = said(version.schema) if version.schema else {}
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


def _fields(schema: Schema, path: str) -> Iterator[tuple[str, Facts]]:
    """Every field below a node, parents first, by name."""
    required = schema.get("required") or ()
    for name, child in sorted(schema.properties.items()):
        own = {"required": True} if name in required else {}
        yield from _field(child, f"{path}.{name}" if path else name, own)
    if isinstance(schema.items, Schema):
        yield from _field(schema.items, f"{path}[]", {})
    if isinstance(schema.additional, Schema):
        yield from _field(schema.additional, f"{path}{{}}", {})


def _field(schema: Schema, path: str, own: Facts) -> Iterator[tuple[str, Facts]]:
    facts = schema.facts or {}
    known = {name: facts[name] for name in _FACTS if name in facts}
    yield path, {**own, **known, **said(schema)}
    yield from _fields(schema, path)


def write(summary: Summary) -> str:
    """The summary as JSON, a line for each field, so that a diff shows what changed."""
    kinds = [f"  {_text(name)}: {_written_kind(kind)}" for name, kind in sorted(summary.items())]
    return f'{{\n "format": {FORMAT},\n "kinds": {{\n' + ",\n".join(kinds) + "\n }\n}\n"


def _written_kind(kind: KindSummary) -> str:
    versions = [f"    {_text(name)}: {_written_version(version)}" for name, version in kind.versions.items()]
    return f'{{\n   "facts": {_text(kind.facts)},\n   "versions": {{\n' + ",\n".join(versions) + "\n   }\n  }"


def _written_version(version: VersionSummary) -> str:
    fields = ",\n".join(f"      {_text(path)}: {_text(facts)}" for path, facts in version.fields.items())
    facts = f'"facts": {_text(version.facts)},\n     "root": {_text(version.root or {})}'
    return f'{{\n     {facts},\n     "fields": {{\n{fields}\n     }}\n    }}'


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def read(text: str) -> Summary:
    """The summary that `write` wrote. Raises ValueError for anything else, and for a format of a newer program."""
    plain = json.loads(text)
    try:
        if plain["format"] != FORMAT:
            raise ValueError(f"the format must be {FORMAT}, found {plain['format']}")
        return {name: _read_kind(kind) for name, kind in plain["kinds"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"a summary of an API must have all its members, found no {error}") from None


def _read_kind(plain: Mapping[str, Any]) -> KindSummary:
    versions = {
        name: VersionSummary(each["facts"], each["fields"], each.get("root"))
        for name, each in plain["versions"].items()
    }
    return KindSummary(plain["facts"], versions)
