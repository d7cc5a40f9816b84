"""Rows that users add to the table of well-known types: schemas for messages, from the setting `types`."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.suggestions import nearest_path, suggestion
from protoc_gen_crd.build import wellknown
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.settings import Settings, TypeRow


def settings_rows(api: ApiSet, settings: Settings, problems: Problems) -> dict[str, Schema]:
    """The schemas by full message name. What cannot be used is left out, with findings."""
    made: dict[str, Schema] = {}
    for name, row in settings.types.items():
        known = name in wellknown.MESSAGES or name in wellknown.WRAPPERS
        if not known and api.message(name) is None:
            what = f'the enum "{name}"' if api.enum(name) is not None else f'"{name}"'
            problem = f'"types" must name messages of the request, found {what}'
            near = nearest_path(name, api.names(), ".")
            problems.report("type-unused", problem, row.places(()), hint=f'did you mean "{near}"?' if near else "")
        schema = _decoded(name, row, problems)
        if schema is not None:
            made[name] = schema
    return made


def _decoded(name: str, row: TypeRow, problems: Problems) -> Schema | None:
    from protoc_gen_crd.schema.decode import PROPS, STRUCTS, decoder  # noqa: PLC0415 - few settings have rows
    from protoc_gen_crd.schema.wire import joined  # noqa: PLC0415

    decoding = decoder(row.places)
    schema: Schema | None = decoding.decode(row.schema, PROPS)
    if decoding.misfit is not None:
        problem = f'a schema in "types" must be one that an API server reads, found for "{name}":'
        at = row.places(decoding.misfit.path)
        problems.report("option-value", f"{problem} {decoding.misfit.words(inner=True)}", at)
        return None
    for path in decoding.unknown:
        problem = f'a schema in "types" must hold keywords that exist, found "{joined(path)}" for "{name}"'
        problems.report("option-value", problem, row.places(path), hint=suggestion(str(path[-1]), STRUCTS[PROPS]))
    return schema
