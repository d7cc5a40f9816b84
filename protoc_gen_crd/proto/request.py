"""Reader of a CodeGeneratorRequest of protoc or buf, with checks of its consistency."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import DecodeError

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems

_LARGE = 2**17  # bytes of a request whose second copies take longer to parse than to find
_HINT = "run this plugin from protoc or buf, or pass a file saved with dump_request to --request"


class Request(Record):
    """The files of a request by name, including dependencies; the targets in order; the raw parameter.

    `paths` are the paths on disk of files whose names differ from their paths, by name. `shown_names` are the names of
    files in locations, if another request of the run has files of the same names.
    """

    files: Mapping[str, FileDescriptorProto]
    targets: tuple[str, ...]
    parameter: str
    paths: Mapping[str, str]
    shown_names: Mapping[str, str] = {}

    @classmethod
    def from_bytes(cls, data: bytes, problems: Problems) -> Request | None:
        """Read a request. Return None, with findings, if it is invalid."""
        try:
            message = CodeGeneratorRequest.FromString(data) if len(data) < _LARGE else _parse_without_copies(data)
        except (DecodeError, RecursionError):
            problems.report(
                "request-invalid",
                f"{len(data)} bytes are not a CodeGeneratorRequest, or it is nested more than 100 deep",
                hint=_HINT,
            )
            return None
        if not message.ListFields():
            problem = f"CodeGeneratorRequest of {len(data)} bytes contains no files"
            problems.report("request-invalid", problem, hint=_HINT)
            return None
        return cls.from_message(message, problems)

    @classmethod
    def from_message(
        cls, message: CodeGeneratorRequest, problems: Problems, paths: Mapping[str, str] | None = None
    ) -> Request | None:  # fmt: skip
        """Check a parsed request. Return None, with findings, if files are missing or repeated, or cyclic imports."""
        before = len(problems.findings)
        for string in (message.parameter, *message.file_to_generate, *(file.name for file in message.proto_file)):
            if not is_text(string):
                problems.report("request-invalid", f"file name or parameter {string!r} is not UTF-8")
                return None
        files: dict[str, FileDescriptorProto] = {}
        for file in message.proto_file:
            if file.name in files:
                problems.report("request-file-repeated", f'duplicate file "{file.name}" in the request')
            files[file.name] = file
        targets = tuple(dict.fromkeys(message.file_to_generate))
        for name in targets:
            if name not in files:
                problems.report("request-target-missing", f'file to generate "{name}" is not in the request')
        _check_imports(files, problems)
        # Only these copies of the targets contain options with source retention.
        files |= {file.name: file for file in message.source_file_descriptors if file.name in files}
        return cls(files, targets, message.parameter, paths or {}) if len(problems.findings) == before else None


def _parse_without_copies(data: bytes) -> CodeGeneratorRequest:
    from protoc_gen_crd.proto.large_requests import parse_without_copies  # noqa: PLC0415 - most requests are small

    return parse_without_copies(data)


def is_text(value: object) -> bool:
    """Return whether a string of a request is UTF-8. Otherwise protobuf returns bytes, despite its type hints."""
    return isinstance(value, str)


def _check_imports(files: Mapping[str, FileDescriptorProto], problems: Problems) -> None:
    """Report imports that are not in the request, and import cycles."""
    for name, file in files.items():
        for dependency in file.dependency:
            if dependency not in files:
                problems.report(
                    "request-import-missing", f'import "{dependency}" is not in the request',
                    Location(name), hint="build the image with its imports, or run protoc with all import paths",
                )  # fmt: skip
    done: set[str] = set()
    for name in files:
        cycle = _find_cycle(name, files, done)
        if cycle:
            problems.report("request-import-cycle", f"import cycle: {' -> '.join(cycle)}")
            return


def _find_cycle(start: str, files: Mapping[str, FileDescriptorProto], done: set[str]) -> list[str]:
    """Return the first import cycle from a file, empty if there is none. Files without a cycle are added to `done`."""
    path: list[str] = []
    stack = [(start, False)]
    while stack:
        name, is_exit = stack.pop()
        if is_exit:
            done.add(path.pop())
        elif name in path:
            return [*path[path.index(name) :], name]
        elif name in files and name not in done:
            path.append(name)
            stack.append((name, True))
            stack.extend((dependency, False) for dependency in files[name].dependency)
    return []
