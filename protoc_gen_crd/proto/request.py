"""CodeGeneratorRequest bytes to Request: what protoc or buf handed over, checked for what loading relies on."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import DecodeError

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record

_HINT = "give this plugin to protoc or buf, or a file saved with the option dump_request to --request"


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
                "request-garbled",
                f"the request must be a CodeGeneratorRequest nested at most 100 deep, found {len(data)} other bytes",
                hint=_HINT,
            )
            return None
        if not message.ListFields():
            found = f"found {len(data)} bytes that name none"
            problems.report(
                "request-garbled", f"the request must be a CodeGeneratorRequest with files, {found}", hint=_HINT
            )
            return None
        return cls.of(message, problems)

    @classmethod
    def of(
        cls, message: CodeGeneratorRequest, problems: Problems, paths: Mapping[str, str] | None = None
    ) -> Request | None:  # fmt: skip
        """A request that is already parsed; None, with findings, if files are missing, repeated or cyclic."""
        before = len(problems.findings)
        for text in (message.parameter, *message.file_to_generate, *(file.name for file in message.proto_file)):
            if not _is_text(text):
                problems.report("request-garbled", f"file names and the parameter must be UTF-8, found {text!r}")
                return None
        files: dict[str, FileDescriptorProto] = {}
        for file in message.proto_file:
            if file.name in files:
                problems.report("request-file-repeated", f'each file must occur once, found "{file.name}" twice')
            files[file.name] = file
        targets = tuple(dict.fromkeys(message.file_to_generate))
        for name in targets:
            if name not in files:
                problems.report("request-target-missing", f'every file to generate must be sent, "{name}" is not')
        _check_imports(files, problems)
        # Options of source retention stand only in these copies of the targets.
        files |= {file.name: file for file in message.source_file_descriptors if file.name in files}
        return cls(files, targets, message.parameter, paths or {}) if len(problems.findings) == before else None


def _is_text(value: object) -> bool:
    """Whether a string of a request is UTF-8. Where it is not, protobuf hands over bytes, whatever its types say."""
    return isinstance(value, str)


def _check_imports(files: Mapping[str, FileDescriptorProto], problems: Problems) -> None:
    """Every import is there, and no file imports itself in the end."""
    for name, file in files.items():
        for dependency in file.dependency:
            if dependency not in files:
                problems.report(
                    "request-import-missing", f'every import must be sent with the request, "{dependency}" is not',
                    Location(name), hint="build the image with its imports, or run protoc with all import paths",
                )  # fmt: skip
    done: set[str] = set()
    for name in files:
        cycle = _cycle(name, files, done)
        if cycle:
            problems.report("request-import-cycle", f"imports must not form a cycle, found {' -> '.join(cycle)}")
            return


def _cycle(start: str, files: Mapping[str, FileDescriptorProto], done: set[str]) -> list[str]:
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
