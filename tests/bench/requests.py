"""Requests to measure with: upstream's networking API where it is at hand, and made-up APIs of any size."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

_FOLDERS = ("analysis/", "meta/", "networking/", "type/")


def networking(parameter: str, shared: Path) -> bytes | None:
    """The request for Istio's networking API as protoc sends it; None where the image is absent."""
    image = shared / "corpora" / "istio-networking" / "image.binpb"
    if not image.exists():
        return None
    files = FileDescriptorSet.FromString(image.read_bytes()).file
    targets = [file for file in files if file.name.startswith(_FOLDERS)]
    request = CodeGeneratorRequest(
        file_to_generate=[file.name for file in targets],
        parameter=parameter,
        proto_file=files,
        source_file_descriptors=targets,
    )
    return request.SerializeToString()


def scaled(scale: int, shared: Path) -> bytes | None:
    """150 kinds for scale 10, three versions each; None where the generator of such APIs is absent."""
    maker = shared / "tools" / "make_scale.py"
    if not maker.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "request.binpb")
        command = [sys.executable, str(maker), "-o", str(out), "--scale", str(scale)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return out.read_bytes()
