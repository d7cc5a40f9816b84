"""Deprecations of versions, fields and enum values in .proto files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.base.text_edits import TextEdit
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.api_version_names import is_at_least_as_stable
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.proto.source_elements import FIELD, VALUE, SourceElement, SourceFile
from protoc_gen_crd.versioning.api_sources import ApiSources, KindSource
from protoc_gen_crd.versioning.option_edits import add_member
from protoc_gen_crd.versioning.source_change import SourceChange

_DEPRECATED = {FIELD: 3, VALUE: 1}  # numbers of `deprecated` in FieldOptions and EnumValueOptions
_ELEMENT_HINT = "name a version, or a field or enum value such as acme.v1.Widget.color"


def choose_replacement(crds: Sequence[Crd], version: str, replacement: str, problems: Problems) -> str:
    """Return the version that replaces a deprecated one: the given or the preferred one.

    A replacement is a served version that is at least as stable; reports if there is none. Kubernetes' deprecation
    policy (rule 3) forbids a less stable replacement. That there is a replacement is a rule of this tool.
    """
    for crd in crds:
        old = next(crd_version for crd_version in crd.versions if crd_version.name == version)
        if old.deprecated:
            message = f"version {version} of {crd.names.kind} is already deprecated"
            problems.report("edit-deprecation", message, old.origin, path=f"{crd.name}.{version}")
            continue
        candidates = [
            crd_version.name
            for crd_version in crd.versions
            if crd_version.name != version and crd_version.served and not crd_version.deprecated
        ]
        fitting = sorted((name for name in candidates if is_at_least_as_stable(name, version)), key=get_priority_key)
        if replacement and replacement not in fitting:
            message = f'"{replacement}" cannot replace {version} of {crd.names.kind}: '
            message += "a replacement is served, not deprecated, and at least as stable"
            hint = suggest(replacement, fitting) or f"possible replacements: {', '.join(fitting) or 'none'}"
            problems.report("edit-deprecation", message, old.origin, path=f"{crd.name}.{version}", hint=hint)
        elif not fitting:
            message = f"no served version of {crd.names.kind} that is at least as stable replaces {version}"
            hint = "add the version that replaces it first: protoc-gen-crd version add"
            problems.report("edit-deprecation", message, old.origin, path=f"{crd.name}.{version}", hint=hint)
        replacement = replacement or next(iter(fitting), "")
    return replacement


def make_warning(crd: Crd, version: str, replacement: str) -> str:
    """Return the warning to clients of a version, as `replacement` of a resource generates it."""
    return f'{crd.names.plural}.{crd.group} version "{version}" is deprecated, use "{replacement}"'


def deprecate_version(
    api: ApiSources, kind: KindSource, version: str, replacement: str, warning: str, change: SourceChange
) -> None:
    """Deprecate a version of a kind in the message that defines it."""
    source = kind.find_source(version)
    if source is None:
        return
    file = api.get_message_file(source)
    reason = f"warning: {quote(warning)}" if warning else f'replacement: "{replacement}"'
    value = f'{{version: "{version}" {reason}}}'
    change.edit(file, [add_member(file, file.elements[source.message.full_name], "deprecated_versions", value)])


def quote(value: str) -> str:
    """Return a string in the text format of protobuf."""
    return json.dumps(value, ensure_ascii=False)


def find_element(api: ApiSources, name: str, problems: Problems) -> tuple[SourceFile, SourceElement] | None:
    """Return the field or enum value with a full name, or with a unique last part of one; reports if there is none."""
    known = {
        full_name: (file, element)
        for file in api.list_files()
        for full_name, element in file.elements.items()
        if element.kind in (FIELD, VALUE)
    }
    matching = [full_name for full_name in known if f".{full_name}".endswith(f".{name}")]
    if name in known or len(matching) == 1:
        return known[name if name in known else matching[0]]
    if matching:
        message, hint = f'"{name}" is ambiguous', f"use one of: {', '.join(matching)}"
    else:
        message, hint = f'unknown version, field or enum value "{name}"', _suggest(name, known)
    problems.report("edit-element", message, hint=hint)
    return None


def _suggest(name: str, known: Iterable[str]) -> str:
    """Suggest the nearest name with as many parts as the given one."""
    parts = name.count(".") + 1
    return suggest(name, [".".join(full_name.split(".")[-parts:]) for full_name in known]) or _ELEMENT_HINT


def deprecate_element(file: SourceFile, element: SourceElement, change: SourceChange, problems: Problems) -> None:
    """Set the option `deprecated` of a field or an enum value."""
    option = next((candidate for candidate in element.options if candidate.path == (_DEPRECATED[element.kind],)), None)
    if option is not None:
        value = option.values[0]
        if value.value == "true":
            at = Location(file.path, *file.find_position(option.start))
            problems.report(
                "edit-deprecation", f'"{element.full_name}" is already deprecated', at, path=element.full_name
            )
        change.edit(file, [TextEdit(value.start, value.end, "true")])
        return
    following = file.source.find_next_token(element.number_end)
    if following is not None and following.text == "[":
        blank = "" if file.text[following.end : following.end + 1].isspace() else " "
        change.edit(file, [TextEdit(following.end, following.end, f"deprecated = true,{blank}")])
    else:
        change.edit(file, [TextEdit(element.number_end, element.number_end, " [deprecated = true]")])
