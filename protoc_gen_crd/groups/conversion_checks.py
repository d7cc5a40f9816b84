"""Checks of conversions that are used: values that an older version does not know, and missing functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.groups.declared_value_conversions import describe_type
from protoc_gen_crd.groups.group_model import (
    Declaration,
    GroupVersion,
    HubTypes,
    MessageLineage,
    ServiceGroup,
    VersionField,
)
from protoc_gen_crd.groups.hub_messages import HubMessage
from protoc_gen_crd.groups.message_usage import REQUEST, RESPONSE, find_usage, iterate_fields

_ENDS = {REQUEST: "requests", RESPONSE: "responses"}


def check_conversions(
    group: ServiceGroup, types: HubTypes, messages: Mapping[str, HubMessage], problems: Problems
) -> None:
    """Report conversions of a group that can fail, or that have no function for a used direction."""
    if group.hub < len(group.versions) - 1:
        _check_hub(group, messages, problems)
    for version in group.versions:
        for name, field in iterate_fields(group, types, version, RESPONSE):
            if field.type.value.kind == "enum":
                _check_enum(version, messages[name], field, types, problems)
        for name, way in find_usage(group, types, version):
            _check_functions(group, types.messages[name], version.index, way, problems)


def _check_hub(group: ServiceGroup, messages: Mapping[str, HubMessage], problems: Problems) -> None:
    """Report fields of versions that are newer than the hub and have values that the hub cannot represent."""
    hub = group.versions[group.hub].name
    pairs = [pair for message in messages.values() for pair in message.links if pair.newer.version.index > group.hub]
    for pair in pairs:
        for link in pair.links:
            if link.change.is_lossy_down():
                newer = pair.newer.fields[link.newer[0]]
                problem = f'hub version {hub} cannot represent "{newer.name}" ({describe_type(newer.type)}) '
                problem += f"of {pair.newer.version.name}"
                hint = "choose a newer hub version"
                problems.report("group-hub", problem, newer.field.at, path=newer.field.full_name, hint=hint)


def _check_enum(
    version: GroupVersion, message: HubMessage, field: VersionField, types: HubTypes, problems: Problems
) -> None:
    """Report the values of the hub version that a response field of an older version does not have."""
    enum = types.enums[field.type.value.name]
    if version.index not in enum.members or message.hub <= version.index:
        return
    own = {value.name for value in enum.members[version.index].values}
    newest = enum.members[max(enum.members)]
    mapped = {
        there for declaration in _list_declarations(message.lineage, field) for there in _list_values(declaration)
    }
    missing = [value for value in newest.values if value.name not in own | mapped]
    for value in missing[:1]:
        names = ", ".join(f'"{function.name}"' for function in missing)
        problem = (
            f'{version.name} does not know {names} of "{newest.name}", which responses with "{field.name}" may have'
        )
        hint = 'map them with conversion {values: {there: "..." here: "..."}} on the newer field'
        problems.report("group-enum", problem, value.at, path=newest.full_name, hint=hint)


def _list_declarations(lineage: MessageLineage, field: VersionField) -> Iterator[Declaration]:
    """Yield the declarations of the fields of all versions that have the enum of a field."""
    for member in lineage.members.values():
        for other in member.fields.values():
            if other.type.value == field.type.value:
                yield from other.declarations


def _list_values(declaration: Declaration) -> list[str]:
    return [str(pair.get("here", "")) for pair in declaration.values.get("values", ())]


def _check_functions(group: ServiceGroup, lineage: MessageLineage, version: int, way: str, problems: Problems) -> None:
    """Report declared functions without the direction that a version needs, at the version that declares them."""
    newer = [index for index in lineage.members if index > version]
    if not newer:
        return
    member = lineage.members[min(newer)]
    declarations = [
        *member.declarations,
        *(declaration for field in member.fields.values() for declaration in field.declarations),
    ]
    for declaration in declarations:
        functions = declaration.values.get("function")
        versions = declaration.values.get("versions") or [group.versions[version].name]
        if functions and not functions.get(way) and group.versions[version].name in versions:
            problem = f'"function" has no "{way}", but {_ENDS[way]} of {group.versions[version].name} are converted'
            problems.report("conversion-value", problem, declaration.at, path=declaration.owner)
