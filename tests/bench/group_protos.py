"""The protos of 6 gRPC API groups with 4 versions each, in the size of csi-proxy's: 6 RPCs in each version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

FOLDER = ROOT / ".bench" / "groups"
SETTINGS = FOLDER / "protoc-gen-crd.yaml"
_VERSIONS = ("v1alpha1", "v1beta1", "v1beta2", "v1")
_RPCS = ("List", "Get", "Resize", "Mount", "Unmount", "Format")


def write_groups(shared: Path) -> bytes | None:
    """Write the protos and their settings."""
    for group in ("disk", "volume", "share", "system", "files", "iscsi"):
        for age, version in enumerate(_VERSIONS):
            path = FOLDER / "proto" / group / version / "api.proto"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(_write_version(group, version, age)))
    SETTINGS.write_text("inputs: [proto]\nout: gen\ngroups: groups\n")
    return b""


def _write_version(group: str, version: str, age: int) -> Iterator[str]:
    yield f'syntax = "proto3"; package {group}.{version}; import "protoc_gen_crd/v1/options.proto";'
    yield f"service {group.title()} {{"
    yield from (f"  rpc {rpc}({rpc}Request) returns ({rpc}Response);" for rpc in _RPCS)
    yield "}"
    for rpc in _RPCS:
        yield f"message {rpc}Request {{ string name = 1; {_write_id(age)} repeated Item items = 3; }}"
        yield f"message {rpc}Response {{ {'int64' if age > 1 else 'int32'} size = 1; map<string, Item> found = 2; }}"
    yield f"message Item {{ string path = 1; bool readonly = 2; {'string label = 3;' if age else ''} }}"


def _write_id(age: int) -> str:
    """Return a field that the third version renames and makes a number."""
    if age < 2:
        return "string id = 2;"
    declared = ' [(protoc_gen_crd.v1.field).conversion = {renamed_from: "id" decimal: true}]' if age == 2 else ""
    return f"uint32 number = 2{declared};"
