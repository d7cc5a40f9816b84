"""Runner of the bundled protoc: it compiles .proto files to a CodeGeneratorRequest, and errors become findings.

protoc runs as a separate process, since a hostile file can exhaust its stack. Every file is passed with its name, so
that no import path can shadow another.
"""

from __future__ import annotations

import codecs
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.base.output_files import write_file
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest
from protoc_gen_crd.base.temporary_files import temporary_folder
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.proto.bundled_protos import OPTIONS, find_googleapis, suggest_source

# The same as `python -m grpc_tools.protoc`, which spends three quarters of its time on imports to find its folder.
# If the private compiler module is missing, the public function is called.
_PROTOC = """
import os, sys
import grpc_tools
own = os.path.join(grpc_tools.__path__[0], "_proto")
arguments = ["protoc", *sys.argv[1:], f"-I{own}"]
try:
    from grpc_tools._protoc_compiler import run_main
except ImportError:
    from grpc_tools.protoc import main
    sys.exit(main(arguments))
sys.exit(run_main([os.fsencode(argument) for argument in arguments]))
"""

_LOCATED_ERROR = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<warning>warning: )?(?P<message>.+)")
_LOG_LINE = re.compile(r"(?P<level>[WEF])\d{4} .*?\] (?P<message>.+)")
_NO_SYNTAX = re.compile(r"No edition or syntax specified for the proto file: (.+?\.proto)\. .*")
_NOT_FOUND = re.compile(r"(.+): File not found\.")
_NOT_IMPORTED = re.compile(r'Import "(.+)" was not found or had errors\.')
_MAX_ERRORS = 1_000  # errors and warnings of protoc that are reported individually
_MAX_FOLDERS = 10_000  # limit of the search for a hint in a large working folder
_REDEFINED = re.compile(r'"(.+)" is already defined in file ".+"\.')
_NOT_VISIBLE = re.compile(r'"(.+)" seems to be defined in ')
_ADVICE = re.compile(r" Ensure that your proto definition file imports .*")  # misleading if a name is misspelled
_BUNDLED_LIKENESS = 0.85
_NOT_DEFINED = re.compile(r'"(.+)" is not defined\.')
_CONTROL_CHARACTERS = "Invalid control characters encountered in text"
_NOISE = re.compile(r"\s*|WARNING: All log messages before absl::InitializeLog\(\) .*|\*\*\* .*|\s+@ .*")


def compile_files(
    names: Mapping[str, str], import_paths: Sequence[str], problems: Problems
) -> CodeGeneratorRequest:  # fmt: skip
    """Compile files, which are paths by name, with source info. The request is empty if protoc reports an error.

    The well-known types and the bundled .proto files are searched after all import paths.
    """
    request = CodeGeneratorRequest()
    if _has_unusable_paths(names, import_paths, problems):
        return request
    with temporary_folder() as folder:
        image, arguments = Path(folder, "image"), Path(folder, "arguments")
        write_file(arguments, "\n".join(_format_arguments(names, import_paths, image)).encode(errors="surrogateescape"))
        run = _run_protoc(f"@{arguments}")
        output = run.stderr.decode("utf-8", "replace")
        if not (_CONTROL_CHARACTERS in output and _report_binary_files(names, problems)):
            _report(output, names, import_paths, problems)
        if run.returncode == 0:
            request.proto_file.extend(FileDescriptorSet.FromString(image.read_bytes()).file)
            request.file_to_generate.extend(names)
        elif not problems.findings:
            problems.report("proto-compile", f"protoc failed with exit status {run.returncode}")
    return request


def _run_protoc(argument: str) -> subprocess.CompletedProcess[bytes]:
    # -P: otherwise a folder of the user with the name of a Python package would be imported.
    command = [sys.executable, "-P", "-c", _PROTOC, argument]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603


def _has_unusable_paths(names: Mapping[str, str], import_paths: Sequence[str], problems: Problems) -> bool:
    """Report paths that protoc would split, that break its argument file, or that are not UTF-8. Return True if any."""
    split = re.compile(rf"[{os.pathsep}\n]")
    unusable = [path for name, path in names.items() if "=" in name or split.search(path)]
    unusable += filter(split.search, import_paths)
    for path in unusable:
        message = f'path "{path}" contains "=", "{os.pathsep}" or a line break'
        problems.report("proto-path", message, Location(path))
    garbled = [(name, path) for name, path in names.items() if not _is_unicode(name)]
    for name, path in garbled:
        raw_name = os.fsencode(name)
        problems.report("proto-path", f"file name {raw_name!r} is not UTF-8", Location(path))
    utf16 = [] if garbled else [path for path in names.values() if _is_utf16(path)]
    for path in utf16:
        hint = "save it as UTF-8: some shells write redirected output as UTF-16"
        problems.report("proto-compile", "file is encoded in UTF-16 instead of UTF-8", Location(path), hint=hint)
    return bool(unusable or garbled or utf16)


def _report_binary_files(names: Mapping[str, str], problems: Problems) -> bool:
    """Report each binary file once, instead of protoc's error for each of its bytes. Return True if there are any."""
    binary = [path for path in names.values() if _is_binary(Path(path).read_bytes())]
    for path in binary:
        hint = 'name a descriptor set or buf image "*.binpb", or remove the file from the input'
        problems.report(
            "proto-compile", "file is binary, expected the text of a .proto file", Location(path), hint=hint
        )
    return bool(binary)


def _is_binary(data: bytes) -> bool:
    """Return whether data is not UTF-8 text."""
    try:
        return "\0" in data.decode("utf-8")
    except UnicodeDecodeError:
        return True


def _is_utf16(path: str) -> bool:
    """Return whether a file starts with a byte order mark of UTF-16. Raises OSError."""
    with open(path, "rb") as file:  # noqa: PTH123 - the error names the path as passed
        return file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _is_unicode(name: str) -> bool:
    """Return whether a name that was read from disk is UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _format_arguments(names: Mapping[str, str], import_paths: Sequence[str], image: Path) -> Iterator[str]:
    """Yield the arguments, one for each line of the argument file of protoc: command lines have a limited length.

    An import path is `VIRTUAL=DISK`, where VIRTUAL is the name of a single file, or empty.
    """
    yield from (f"--proto_path={name}={path}" for name, path in names.items())
    yield from (f"--proto_path=={path}" for path in (*import_paths, str(OPTIONS)))
    yield from (f"--proto_path={name}={folder}" for name, folder in find_googleapis().items())
    yield from ("--include_imports", "--include_source_info", "--retain_options", f"-o{image}")
    yield from (os.path.join(os.curdir, path) if path.startswith("-") else path for path in names.values())  # noqa: PTH118


def _report(output: str, names: Mapping[str, str], import_paths: Sequence[str], problems: Problems) -> None:
    """Report every line of protoc's standard error as a finding with protoc's message."""
    all_lines = [line for line in output.splitlines() if not _NOISE.fullmatch(line)]
    lines, more = all_lines[:_MAX_ERRORS], len(all_lines) - _MAX_ERRORS
    if more > 0:
        problems.report("proto-compile", f"{more:,} more errors and warnings of protoc")
    types = dict[tuple[str, str], str]()
    if any(map(_NOT_DEFINED.search, lines)):
        from protoc_gen_crd.proto import type_hints  # noqa: PLC0415 - few files have undefined types

        lines = type_hints.locate_map_values(lines, names)
        types = type_hints.find_type_hints(lines, names, lambda file: _suggest_missing(file, import_paths))
    missing = _suggest_import_paths([match[1] for line in lines if (match := _NOT_FOUND.fullmatch(line))], import_paths)
    broken = {file for line in lines if (file := _find_importer(line))}
    defined = _find_redefinitions(lines)
    for line in lines:
        placed = _LOCATED_ERROR.fullmatch(line)
        if placed and placed["file"] in broken and _NOT_DEFINED.fullmatch(placed["message"]):
            continue  # a consequence of the missing import
        if placed and _is_consequence(placed, defined):
            continue
        if placed:
            _report_at_location(placed, missing, types, names, import_paths, problems)
        elif (logged := _LOG_LINE.fullmatch(line)) and (unversioned := _NO_SYNTAX.fullmatch(logged["message"])):
            at = Location(names.get(unversioned[1], unversioned[1]))
            hint = 'add `syntax = "proto3";` or `syntax = "proto2";`'
            problems.report("proto-warning", "no syntax or edition: the file is compiled as proto2", at, hint=hint)
        elif logged:
            rule = "proto-compile" if logged["level"] == "F" else "proto-warning"  # protoc exits after a fatal error
            problems.report(rule, _format_sentence(logged["message"]))
        elif not _NOT_FOUND.fullmatch(line):
            problems.report("proto-compile", _format_sentence(line))


def _find_redefinitions(lines: Iterable[str]) -> set[tuple[str, str]]:
    """Return the files and names of definitions that another file has, too."""
    placed = [match for line in lines if (match := _LOCATED_ERROR.fullmatch(line))]
    return {(error["file"], match[1]) for error in placed if (match := _REDEFINED.fullmatch(error["message"]))}


def _is_consequence(placed: re.Match[str], defined: Collection[tuple[str, str]]) -> bool:
    """Return whether an error follows from a definition that another file has, too: of its members, or of its uses."""
    member, use = _REDEFINED.fullmatch(placed["message"]), _NOT_VISIBLE.match(placed["message"])
    name = member[1].rpartition(".")[0] if member else use[1] if use else ""
    return (placed["file"], name) in defined


def _find_importer(line: str) -> str:
    """Return the file in a line of protoc about an import that is missing or has errors; else empty."""
    placed = _LOCATED_ERROR.fullmatch(line)
    return placed["file"] if placed and _NOT_IMPORTED.fullmatch(placed["message"]) else ""


def _report_at_location(
    placed: re.Match[str],
    missing: Mapping[str, str],
    types: Mapping[tuple[str, str], str],
    names: Mapping[str, str],
    import_paths: Sequence[str],
    problems: Problems,
) -> None:
    at = Location(placed["file"], int(placed["line"]), int(placed["column"]))
    imported = _NOT_IMPORTED.fullmatch(placed["message"])
    if imported and imported[1] in missing:
        searched = ", ".join(f'"{path}"' for path in import_paths) or "no import paths"
        message = f'import "{imported[1]}" not found in {searched}'
        problems.report("proto-import", message, at, hint=missing[imported[1]])
    elif not imported:  # an imported file with errors has its own findings
        rule = "proto-warning" if placed["warning"] else "proto-compile"
        hint = _find_hint(placed, types, names, import_paths)
        message = _ADVICE.sub("", placed["message"]) if hint else placed["message"]
        problems.report(rule, _format_sentence(message), at, hint=hint)


def _find_hint(
    placed: re.Match[str], types: Mapping[tuple[str, str], str], names: Mapping[str, str], import_paths: Sequence[str]
) -> str:
    from protoc_gen_crd.proto import option_hints  # noqa: PLC0415 - few errors concern our options

    if _REDEFINED.fullmatch(placed["message"]):
        return "rename it, or change the package of a file; if both are the same file, import it by one name"
    if undefined := _NOT_DEFINED.fullmatch(placed["message"]):
        return types.get((placed["file"], undefined[1]), "")

    def has_import() -> bool:
        file = placed["file"]
        candidates = [names.get(file, file), *(os.path.join(path, file) for path in import_paths)]  # noqa: PTH118
        path = next(filter(os.path.isfile, candidates), None)
        return path is None or f'"{option_hints.OPTIONS_FILE}"' in Path(path).read_text("utf-8", "replace")

    return option_hints.find_option_hint(placed["message"], has_import)


def _suggest_missing(file: str, import_paths: Sequence[str]) -> str:
    """Return how to provide a file that is not imported yet, empty if an import path has it."""
    is_found = any(Path(path, file).is_file() for path in (*import_paths, str(OPTIONS)))
    return "" if is_found else _suggest_import_paths([file], import_paths)[file]


def _suggest_import_paths(missing: Sequence[str], import_paths: Sequence[str]) -> dict[str, str]:
    """Return a hint for each missing file: its folder below the working folder, or else how to provide it."""
    generic = 'add the folder that the name is relative to with --import-path, or use an image from "buf build"'
    bundled = [path.relative_to(OPTIONS).as_posix() for path in OPTIONS.rglob("*.proto")] if missing else []
    hints = {
        name: _suggest_download(name, import_paths)
        or did_you_mean(find_nearest(name, bundled, _BUNDLED_LIKENESS))
        or generic
        for name in missing
    }
    defaults = {**hints}
    for folder in itertools.islice(_walk_folders(), _MAX_FOLDERS) if missing else ():
        for name in missing:
            if hints[name] is defaults[name] and os.path.isfile(os.path.join(folder, name)):  # noqa: PTH113, PTH118
                hints[name] = f"it is in another folder: use {_format_flags(import_paths, os.path.normpath(folder))}"
    return hints


def _suggest_download(name: str, import_paths: Sequence[str]) -> str:
    command, folder = suggest_source(name)
    if not command:
        return ""
    return f'run "{command}"' + (f" and use {_format_flags(import_paths, folder)}" if folder else "")


def _format_flags(import_paths: Sequence[str], folder: str) -> str:
    return " ".join(f"--import-path {path}" for path in (*import_paths, folder))


def _walk_folders() -> Iterator[str]:
    """Yield the working folder and the folders below it, without hidden folders."""
    for folder, below, _ in os.walk(os.curdir):
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield folder


def _format_sentence(message: str) -> str:
    return message.strip().removesuffix(".")


_HERE = os.path.join(os.curdir, "")  # noqa: PTH118 - removed from paths for readability


def get_disk_paths(
    request: CodeGeneratorRequest, names: Mapping[str, str], import_paths: Sequence[str]
) -> dict[str, str]:
    """Return the paths of the files of a request on disk by name."""
    paths = dict(names)
    for file in request.proto_file:
        candidates = (os.path.join(path, file.name) for path in import_paths)  # noqa: PTH118 - preserves the spelling of the path
        path = next(filter(os.path.isfile, candidates), None)
        if path:
            paths.setdefault(file.name, path.removeprefix(_HERE))
    return paths
