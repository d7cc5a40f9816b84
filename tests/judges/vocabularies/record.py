"""Records the verdicts of protovalidate on the cases of buf.validate; see README.md.

Run as `python -m tests.judges.vocabularies.record VALIDATE.BINPB`, in an environment that has protovalidate.
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.support.plugin import INCLUDE
from tests.support.vocabulary_cases import FOLDER, cases, proto

VOCABULARY, FILE = "buf_validate", "buf/validate/validate.proto"


def pool_of(declaration: bytes) -> descriptor_pool.DescriptorPool:
    """The cases compiled, with protovalidate's own declaration in place of the stand-in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.proto"
        path.write_text(proto(VOCABULARY), "utf-8")
        request = compile_files({"cases.proto": str(path)}, [folder, str(INCLUDE)], Problems())
    pool = descriptor_pool.DescriptorPool()
    for file in request.proto_file:
        pool.AddSerializedFile(declaration if file.name == FILE else file.SerializeToString())
    return pool


def accepted(validator: Any, message: Any) -> bool:
    """Return true if protovalidate accepts a message."""
    return not validator.collect_violations(message)


def answers(declaration: bytes) -> list[dict[str, Any]]:
    """Return the verdicts on all documents."""
    pool = pool_of(declaration)
    validator = import_module("protovalidate").Validator()
    rows = []
    for case in cases(VOCABULARY):
        kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(f"cases.v1.{case.name}"))
        rows += [
            {"body": case.body, "spec": spec, "accepted": _takes(validator, spec, kind())}
            for spec in (*case.good, *case.bad)
        ]
    return rows


def _takes(validator: Any, spec: Any, message: Any) -> bool:
    """Whether it takes a document; what is no JSON of the message never reaches it, and rules may fail."""
    try:
        return accepted(validator, json_format.ParseDict(spec, message))
    except (json_format.ParseError, import_module("protovalidate").EvaluationError):
        return False


def main() -> None:
    """Write the answers."""
    declaration = descriptor_pb2.FileDescriptorProto.FromString(Path(sys.argv[1]).read_bytes())
    declaration.name = FILE
    lines = [json.dumps(answer, ensure_ascii=False) for answer in answers(declaration.SerializeToString())]
    (FOLDER / "protovalidate.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
