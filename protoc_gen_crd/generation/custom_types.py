"""Schemas of messages that users define in the setting `types`, in addition to the well-known types."""

from __future__ import annotations

from protoc_gen_crd.base.suggestions import find_nearest_path, suggest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation import well_known_types
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings, TypeEntry
from protoc_gen_crd.settings.settings_document import describe_value


def load_custom_types(api: ApiSet, settings: Settings, problems: Problems) -> dict[str, Schema]:
    """Return the schemas by full message name. Invalid entries are findings and omitted."""
    schemas: dict[str, Schema] = {}
    for name, row in settings.types.items():
        well_known = name in well_known_types.MESSAGES or name in well_known_types.WRAPPERS
        if not well_known and api.find_message(name) is None:
            subject = f'the enum "{name}"' if api.find_enum(name) is not None else f'"{name}"'
            problem = f'"types" names {subject}, which is not a message of the request'
            near = find_nearest_path(name, api.list_names(), ".")
            problems.report("type-unused", problem, row.places(()), hint=f'did you mean "{near}"?' if near else "")
        schema = _decode_row(name, row, problems)
        if schema is not None:
            schemas[name] = schema
    return schemas


def _decode_row(name: str, row: TypeEntry, problems: Problems) -> Schema | None:
    if not isinstance(row.schema, dict):
        problem = f'schema of "{name}" is {describe_value(row.schema)}, expected a mapping'
        problems.report("option-value", problem, row.places(()))
        return None
    from protoc_gen_crd.schema.go_type_decoder import format_path  # noqa: PLC0415
    from protoc_gen_crd.schema.schema_decoder import PROPS, STRUCTS, make_decoder  # noqa: PLC0415 - few settings have rows

    decoding = make_decoder(row.places)
    schema: Schema | None = decoding.decode(row.schema, PROPS)
    if decoding.misfit is not None:
        problem = f'invalid schema for "{name}" in "types":'
        at = row.places(decoding.misfit.path)
        problems.report("option-value", f"{problem} {decoding.misfit.format_message(inner=True)}", at)
        return None
    for path, struct in (decoding.unknown | decoding.unreported).items():
        problem = f'unknown schema keyword "{format_path(path)}" for "{name}" in "types"'
        problems.report("option-value", problem, row.places(path), hint=suggest(str(path[-1]), STRUCTS[struct]))
    return schema
