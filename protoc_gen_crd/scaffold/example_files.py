"""The example for an empty folder: an API with one kind, a manifest, and a document that API servers must reject."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.escapes import proto_string

PROTO_FOLDER = "proto"
_PACKAGE = "acme/widgets/v1"

_PROTO = """\
syntax = "proto3";
package acme.widgets.v1;
import "protoc_gen_crd/v1/options.proto";
{go_package}
// A widget.
message Widget {{
  option (protoc_gen_crd.v1.resource).group = "acme.example";

  // The size of the widget.
  // +required
  // +kubebuilder:validation:Enum=Small;Medium;Large
  string size = 1;
  // The number of copies.
  // +kubebuilder:default=1
  // +kubebuilder:validation:Minimum=0
  int32 replicas = 2 [(protoc_gen_crd.v1.field).maximum = 9];
}}
"""

_VALID = """\
apiVersion: acme.example/v1
kind: Widget
metadata:
  name: small
spec:
  size: Small
  replicas: 3
"""

_INVALID = """\
# API servers must reject this document with an error that contains "_err".
_err: 'spec.replicas in body should be less than or equal to 9'
apiVersion: acme.example/v1
kind: Widget
metadata:
  name: too-many
spec:
  size: Large
  replicas: 100
"""


def make_example(go_module: str, documents: str) -> Iterator[tuple[str, str]]:
    """Yield the paths and contents of the files. With a Go module, the .proto file has a Go package in it."""
    path = f"{go_module}/{PROTO_FOLDER}/{_PACKAGE}"
    go_package = f"\noption go_package = {proto_string(path)};\n" if go_module else ""
    yield f"{PROTO_FOLDER}/{_PACKAGE}/widget.proto", _PROTO.format(go_package=go_package)
    yield f"{documents}/widget.yaml", _VALID
    yield f"{documents}/widget-invalid.yaml", _INVALID
