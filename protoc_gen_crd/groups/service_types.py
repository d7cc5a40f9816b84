"""The types that the RPCs of services use, directly or in other types."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.groups.group_model import WELL_KNOWN_PACKAGE
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum, Message, Service


def find_types(api: ApiSet, service: Service) -> dict[str, Message | Enum]:
    """Return the types of a service by full name, in the order of use, without well-known types."""
    names = [name for method in service.methods for name in (method.input_type, method.output_type)]
    return _find_reachable(api, names)


def _find_reachable(api: ApiSet, names: Iterable[str]) -> dict[str, Message | Enum]:
    types: dict[str, Message | Enum] = {}
    stack = [*names][::-1]
    while stack:
        full_name = stack.pop()
        element = api.find_message(full_name) or api.find_enum(full_name)
        if full_name in types or element is None or full_name.startswith(f"{WELL_KNOWN_PACKAGE}."):
            continue
        types[full_name] = element
        if isinstance(element, Message):
            stack += [field.type_name for field in reversed(element.fields) if field.type_name]
    return types


def list_service_elements(api: ApiSet) -> frozenset[str]:
    """Return the full names of the services of the files to generate, and of their RPCs and types."""
    services = [service for file in api.list_targets() for service in api.list_services(file)]
    names = [element.full_name for service in services for element in (service, *service.methods)]
    return frozenset([*names, *(name for service in services for name in find_types(api, service))])


def check_group_options(markers: Iterable[Marker], api: ApiSet, problems: Problems) -> None:
    """Warn of options of gRPC API groups on types that no service of the request uses. The group may be elsewhere."""
    elements = list_service_elements(api)
    for marker in {(marker.owner, marker.name): marker for marker in markers if marker.owner not in elements}.values():
        problem = f'"{marker.name}" applies to types of gRPC API groups, but no service uses "{marker.owner}"'
        problems.report(
            "marker-target",
            problem,
            marker.at,
            path=marker.owner,
            hint=_HINTS.get(marker.name, "remove it"),
            excerpt=marker.excerpt,
            severity=Severity.WARNING,
        )


_HINTS = {"type_conversion": 'to convert fields between versions of a CRD, set "conversion" of a field'}
