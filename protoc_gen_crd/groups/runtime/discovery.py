"""Discovery: a service that lists the versions of groups, `protoc_gen_crd.groups.v1.Discovery`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from .services import VersionService, list_version_services

SERVICE = "protoc_gen_crd.groups.v1.Discovery"
METHOD = "ListVersions"
_PACKAGE, _, _NAME = SERVICE.rpartition(".")
_STRING, _MESSAGE = 9, 11  # types of fields in descriptor.proto
_OPTIONAL, _REPEATED = 1, 3  # labels in descriptor.proto


def _make_file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(
        name="protoc_gen_crd/groups/v1/discovery.proto", package=_PACKAGE, syntax="proto3"
    )
    request = file.message_type.add(name="ListVersionsRequest")
    request.field.add(name="group", number=1, type=_STRING, label=_OPTIONAL, json_name="group")
    response = file.message_type.add(name="ListVersionsResponse")
    response.field.add(
        name="versions",
        number=1,
        type=_MESSAGE,
        label=_REPEATED,
        type_name=f".{_PACKAGE}.Version",
        json_name="versions",
    )
    version = file.message_type.add(name="Version")
    for number, name in enumerate(("group", "version", "service", "deprecated", "status", "released"), 1):
        version.field.add(name=name, number=number, type=_STRING, label=_OPTIONAL, json_name=name)
    service = file.service.add(name=_NAME)
    service.method.add(
        name=METHOD,
        input_type=f".{_PACKAGE}.ListVersionsRequest",
        output_type=f".{_PACKAGE}.ListVersionsResponse",
    )
    return file


pool = descriptor_pool.DescriptorPool()
pool.AddSerializedFile(_make_file().SerializeToString())


def _get_class(name: str) -> Any:
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))


ListVersionsRequest = _get_class("ListVersionsRequest")
ListVersionsResponse = _get_class("ListVersionsResponse")


def make_service(services: Iterable[VersionService], *, is_aio: bool) -> VersionService:
    """Return the service that lists other services."""
    rows = [
        {"group": each.group, "version": each.version, "service": each.name}
        | {"deprecated": each.deprecated, "status": each.status, "released": each.released}
        for each in list_version_services(services)
    ]

    def list_versions(request: Any, _: object) -> Any:
        return ListVersionsResponse(versions=[row for row in rows if request.group in ("", row["group"])])

    async def list_versions_aio(request: Any, context: object) -> Any:
        return list_versions(request, context)

    handler = grpc.unary_unary_rpc_method_handler(
        list_versions_aio if is_aio else list_versions,
        ListVersionsRequest.FromString,
        ListVersionsResponse.SerializeToString,
    )
    return VersionService("", "v1", SERVICE, "", "", {METHOD: handler}, pool)
