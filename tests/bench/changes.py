"""Inputs of `changes`: Istio's networking API as protos and as CRDs, each with an edited copy."""

from __future__ import annotations

import os
import re
from pathlib import Path

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

from tests.bench.pages import ACCEPTED
from tests.conftest import ROOT

FOLDER = ROOT / ".bench" / "changes"
PROTOS = ("changes", str(FOLDER / "new.binpb"), "--old", str(FOLDER / "old.binpb"))
CRDS = ("changes", str(FOLDER / "new.yaml"), "--old", str(FOLDER / "old.yaml"))
SETTINGS = FOLDER / "protoc-gen-crd.yaml"
NO_INPUT = Path(os.devnull)
_CORPUS = Path("corpora", "istio-networking")
_NUMBER = 900  # of added fields
_SEPARATOR = "\n---\n"
_MAX_LENGTH = re.compile(r"maxLength: (\d+)")


def edited_protos(shared: Path) -> bytes | None:
    """Nothing, once the folder has the API and a copy with a new field in each message; None without the API."""
    image = shared / _CORPUS / "image.binpb"
    if not image.exists():
        return None
    files = FileDescriptorSet.FromString(image.read_bytes())
    for message in (each for file in files.file if file.name.startswith("networking/") for each in file.message_type):
        message.field.add(
            name="added", json_name="added", number=_NUMBER, type=FieldDescriptorProto.TYPE_STRING,
            label=FieldDescriptorProto.LABEL_OPTIONAL,
        )  # fmt: skip
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "old.binpb").write_bytes(image.read_bytes())
    (FOLDER / "new.binpb").write_bytes(files.SerializeToString())
    SETTINGS.write_text(ACCEPTED)
    return b""


def edited_crds(shared: Path) -> bytes | None:
    """Nothing, once the folder has the CRDs and an edited copy; None without the API."""
    crds = shared / _CORPUS / "expected.yaml"
    if not crds.exists():
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    documents = crds.read_text("utf-8").split(_SEPARATOR)
    (FOLDER / "old.yaml").write_text(_SEPARATOR.join(documents))
    (FOLDER / "new.yaml").write_text(_SEPARATOR.join(map(edit_bound, documents)))
    return b""


def edit_bound(text: str) -> str:
    """Return a CRD whose first bound is smaller."""
    return _MAX_LENGTH.sub(lambda bound: f"maxLength: {int(bound[1]) - 1}", text, count=1)
