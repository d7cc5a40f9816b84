"""Check of overrides in the settings that change no CRD."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.message_schemas import MessageBuilder
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.overrides import ElementOverride, OverriddenElement, Overrides
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum, Message
from protoc_gen_crd.schema.schema import TYPE, Schema, iterate_nodes
from protoc_gen_crd.settings.settings import Settings

_RULE = "override-unused"
_TEXT = "description"
_REPLACED = (_TEXT, "format", "map_type", "title", "type")  # options of a type that its fields can replace
_RESOURCE_RULES = ("resource-group", "resource-plural", "resource-version")  # the resource has no CRD


def check_unused_overrides(
    overrides: Overrides,
    api: ApiSet,
    collector: MarkerCollector,
    messages: MessageBuilder,
    settings: Settings,
    problems: Problems,
    group_elements: Collection[str] = (),
) -> None:
    """Report overrides of elements that no CRD contains, removals of missing markers, and keys beside `skip: true`.

    `group_elements` are the services, RPCs, and types of gRPC API groups, whose overrides are used, too.
    Call it after the CRDs are built, and before the markers of other elements are read.
    """
    incomplete = any(finding.rule.startswith(_RESOURCE_RULES) for finding in problems.findings)
    for name, (element, override) in overrides.elements.items():
        if isinstance(element, Message) and override.is_of_resource and not api.get_file(element.file).target:
            problem = f'unused override: "{element.file}" with "{name}" is not a file to generate'
            problems.report(_RULE, problem, override.at, path=name, hint="pass the file as an input")
        elif _is_in(name, group_elements):
            _check_removals(name, override, problems)
        elif _is_used(element, override, collector, messages, settings):
            if not (isinstance(element, tuple) and any(next(api.list_services(file), None) for file in element)):
                _check_omitted(name, override, problems)  # services have the group and version of a package
            _check_removals(name, override, problems)
        elif messages.version_cache.has_schema(name):
            problem = f'unused override: the schema of "{name}" does not depend on its markers'
            problems.report(_RULE, problem, override.at, path=name, hint='set its schema under "types:"')
        elif not incomplete:
            problem = f'unused override: no CRD contains "{name}"'
            hint = "remove it, or mark a message that contains it as a resource"
            problems.report(_RULE, problem, override.at, path=name, hint=hint)


def _is_in(name: str, group_elements: Collection[str]) -> bool:
    """Return whether an element, or the message or service that contains it, is in a group."""
    return name in group_elements or name.rpartition(".")[0] in group_elements


def _is_used(
    element: OverriddenElement,
    override: ElementOverride,
    collector: MarkerCollector,
    messages: MessageBuilder,
    settings: Settings,
) -> bool:
    if isinstance(element, tuple):
        return any(map(collector.is_collected, element))
    if isinstance(element, Message | Enum):
        name = element.full_name
        described = messages.version_cache.has_schema(name) and name not in settings.types
        return override.is_of_resource or (described and collector.is_collected(element))
    return collector.is_collected(element)


def _check_removals(name: str, override: ElementOverride, problems: Problems) -> None:
    for path, at in override.removed.items():
        if path not in override.effective and path not in override.omitted:
            problem = f'unused override: "{name}" has no marker "{".".join(path)}" to remove'
            problems.report(_RULE, problem, at, path=name, hint="remove the key")


def _check_omitted(name: str, override: ElementOverride, problems: Problems) -> None:
    for path in override.omitted:
        problem = (
            f'unused override: "{".".join(path)}" of "{name}" has no effect, because "skip: true" omits the element'
        )
        problems.report(_RULE, problem, override.at.append(*path), path=name, hint=f'remove "{path[-1]}" or "skip"')


def check_replaced_overrides(overrides: Overrides, crds: Iterable[Crd], problems: Problems) -> None:
    """Report overrides of types whose option every field of the type replaces by its own option or comment."""
    markers = {
        id(marker.at): marker
        for element, override in overrides.elements.values()
        if isinstance(element, Message | Enum) and not override.is_of_resource
        for marker in override.markers
        if marker.option.name in _REPLACED and marker.value and not (marker.steps or marker.within)
    }
    owners = {marker.owner for marker in markers.values()}
    applied: set[int] = set()
    used: set[int] = set()
    for node in iterate_nodes(version.schema for crd in crds for version in crd.versions) if markers else ():
        named = (node.facts or {}).get(TYPE)
        typed = named.schema if named is not None and named.name in owners else None
        if typed is not None:
            applied |= set(map(id, (typed.marks or {}).values()))
            kept = {key: at for key, at in (node.marks or {}).items() if key != _TEXT or _has_text(node, typed)}
            used |= set(map(id, kept.values()))
    for marker in [marker for key, marker in markers.items() if key in applied - used]:
        problem = f'unused override: every field of type "{marker.owner}" has its own {marker.option.name}'
        problems.report(_RULE, problem, marker.at, path=marker.owner, hint="override the fields instead")


def _has_text(node: Schema, typed: Schema) -> bool:
    """Return whether the description of a field contains that of its type. The comment of a field replaces it."""
    return str(typed.get(_TEXT)) in str(node.get(_TEXT))
