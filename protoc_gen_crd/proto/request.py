"""CodeGeneratorRequest bytes to Request: what protoc or buf handed over, checked for what loading relies on."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import DecodeError

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems

_HINT = "run this plugin from protoc or buf, or pass a file saved with dump_request to --request"


class Request(Record):
    """The files of a request by name, dependencies included; the targets in the order asked; the raw parameter.

    `paths` says by name where those lie on disk that are not called so there.
    """

    files: Mapping[str, FileDescriptorProto]
    targets: tuple[str, ...]
    parameter: str
    paths: Mapping[str, str]

    @classmethod
    def from_bytes(cls, data: bytes, problems: Problems) -> Request | None:
        """Read a request; None, with findings, if it cannot be used."""
        try:
            message = CodeGeneratorRequest.FromString(data)
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
        """A request that is already parsed; None, with findings, if files are missing, repeated or cyclic."""
        before = len(problems.findings)
        for text in (message.parameter, *message.file_to_generate, *(file.name for file in message.proto_file)):
            if not is_text(text):
                problems.report("request-invalid", f"file name or parameter {text!r} is not UTF-8")
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
        # Options of source retention stand only in these copies of the targets.
        files |= {file.name: file for file in message.source_file_descriptors if file.name in files}
        return cls(files, targets, message.parameter, paths or {}) if len(problems.findings) == before else None


def is_text(value: object) -> bool:
    """Report whether a string of a request is UTF-8. Otherwise protobuf returns bytes, despite its type hints."""
    return isinstance(value, str)


def _check_imports(files: Mapping[str, FileDescriptorProto], problems: Problems) -> None:
    """Every import is there, and no file imports itself in the end."""
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
    """The first import cycle below a file, empty if there is none. `done` collects files known to be free of one."""
    trail: list[str] = []
    stack = [(start, False)]
    while stack:
        name, leaving = stack.pop()
        if leaving:
            done.add(trail.pop())
        elif name in trail:
            return [*trail[trail.index(name) :], name]
        elif name in files and name not in done:
            trail.append(name)
            stack.append((name, True))
            stack.extend((dependency, False) for dependency in files[name].dependency)
    return []
