"""Recorder of controller-gen's schemas of Kubernetes' types, of their .proto files, and of the required fields.

README.md shows how to run it. Each argument is the folder of a Go module: of k8s.io/api, k8s.io/apimachinery and
k8s.io/apiextensions-apiserver, at the versions of go.mod.
"""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.kubernetes_messages import get_json_name
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.conftest import ROOT
from tests.support.kubernetes_types import JUDGE, PROTOS, SCHEMAS, read_answers, read_api, read_protos

TABLE = ROOT / "protoc_gen_crd" / "generation" / "kubernetes_required_fields.py"
FIELDS_PER_LINE = 6
MARKER = re.compile(r"\s*\+\S")


def main(folders: list[str]) -> None:
    files = dict(list_protos(folders))
    packages = sorted({name.rpartition("/")[0] for name in files})
    run = subprocess.run(["go", "run", ".", *packages], cwd=JUDGE, stdout=subprocess.PIPE, text=True, check=True)
    SCHEMAS.write_text(run.stdout)
    PROTOS.write_bytes(lzma.compress(compile_protos(files).SerializeToString(deterministic=True), preset=9))
    write_table(read_answers(run.stdout))


def list_protos(folders: list[str]) -> Iterator[tuple[str, str]]:
    """The .proto files of Go modules, by the names that imports use."""
    for folder in folders:
        module = re.sub(r"@v[^/]+$", "", folder).partition("/k8s.io/")[2]
        for path in sorted(Path(folder).rglob("generated.proto")):
            name = path.relative_to(folder).as_posix()
            if "testapigroup" not in name:
                yield f"k8s.io/{module}/{name}", str(path)


def compile_protos(files: Mapping[str, str]) -> FileDescriptorSet:
    """The files without the text of comments; the lines of markers are kept."""
    problems = Problems()
    request = compile_files(files, [], problems)
    for file in request.proto_file:
        keep_markers(file)
    return FileDescriptorSet(file=request.proto_file)


def keep_markers(file: FileDescriptorProto) -> None:
    kept = []
    for location in file.source_code_info.location:
        lines = [line for line in location.leading_comments.split("\n") if MARKER.match(line)]
        if lines:
            kept.append((list(location.path), "".join(f"{line}\n" for line in lines)))
    del file.source_code_info.location[:]
    for path, comment in kept:
        file.source_code_info.location.add(path=path, span=[0, 0, 0], leading_comments=comment)


def write_table(schemas: Mapping[str, Any]) -> None:
    """Write the lines of the table of required fields."""
    rows: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    api, _ = read_api(read_protos())
    for name, schema in schemas.items():
        message = api.find_message(name)
        if message is None:
            continue
        names = {get_json_name(field) for field in message.fields}
        group, version, kind = name.split(".")[-3:]
        rows[f"{group}.{kind}"][version] = tuple(sorted(names & {*schema.get("required", ())}))
    lines = sorted(line for row, versions in rows.items() for line in format_row(row, versions))
    head, _, rest = TABLE.read_text().partition('_LINES = """\n')
    tail = rest.partition('"""')[2]
    TABLE.write_text(head + '_LINES = """\n' + "\n".join(lines) + '\n"""' + tail)


def format_row(row: str, versions: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """A line for all versions that agree, with the version where they do not."""
    group, _, kind = row.partition(".")
    alike = len({*versions.values()}) == 1
    for version, fields in {"": next(iter(versions.values()))}.items() if alike else versions.items():
        name = row if alike else f"{group}.{version}.{kind}"
        for start in range(0, len(fields), FIELDS_PER_LINE):
            yield " ".join([name, *fields[start : start + FIELDS_PER_LINE]])


if __name__ == "__main__":
    main(sys.argv[1:])
