"""The cases of a snapshot: every folder and file of testdata that a golden test runs, as runs of the program."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tests.cases.test_hostile_samples import crd_of
from tests.conftest import CORPORA
from tests.snapshot.program import Case, Run
from tests.snapshot.requests import ROOT, compile_folder, request
from tests.support.hostile import REQUESTS
from tests.support.hostile_documents import DOCUMENTS
from tests.support.hostile_samples import SPECS
from tests.support.marker_cases import all_cases
from tests.support.marker_protos import protos
from tests.support.vocabulary_cases import files as vocabularies
from tests.support.vocabulary_cases import proto as vocabulary_proto

TESTDATA = ROOT / "testdata"
PLUGIN = ("channels", "generate")  # folders whose cases are plugin runs
# Folders whose cases are runs of a command.
COMMANDS = {
    "docs": "docs", "history": "history", "manifests": "manifests", "patch": "patch", "sample-files": "samples",
    "validate": "validate",
}  # fmt: skip
_JSON = ("--format-findings", "json")
_TEXT = ("history",)  # commands whose findings are read as text, since not all of their subcommands print JSON
_GENERATED = ("expected", "arguments", "stdin")


def all_runs(work: Path) -> Iterator[Case]:
    """Yield every case; files that a case needs and testdata does not contain are written below `work`."""
    for folder in PLUGIN:
        yield from (_plugin_case(path) for path in _folders(TESTDATA / folder) if path.name != "hostile")
    for folder, command in COMMANDS.items():
        yield from (_command_case(path, command) for path in _folders(TESTDATA / folder))
    yield from (_conversion_case(path, work) for path in _folders(TESTDATA / "conversion"))
    for path in sorted((TESTDATA / "cost").glob("*.yaml")):
        yield Case(f"cost/{path.stem}", path.parent, [Run(("cost", path.name, *_JSON))])
    yield from _marker_cases(work / "markers")
    yield from _vocabulary_cases(work / "vocabularies")
    yield from _hostile_cases(work)
    yield from _istio_cases()


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _name(case: Path) -> str:
    return case.relative_to(TESTDATA).as_posix()


def _plugin_case(case: Path) -> Case:
    folder = case / "protos" if (case / "protos").is_dir() else case
    image = compile_folder(folder)
    targets, parameter = case / "targets", case / "parameter"
    names = (
        targets.read_text().split()
        if targets.exists()
        else sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    )
    data = request(image, names, parameter.read_text().strip() if parameter.exists() else "")
    return Case(_name(case), folder, [Run(stdin=data)], _GENERATED)


def _command_case(case: Path, command: str) -> Case:
    arguments, stdin = case / "arguments", case / "stdin"
    lines = arguments.read_text().splitlines() if arguments.exists() else ["."]
    data = stdin.read_bytes() if stdin.exists() else b""
    return Case(_name(case), case, [Run(_arguments(command, line), data) for line in lines], _GENERATED)


def _arguments(command: str, line: str) -> tuple[str, ...]:
    words = shlex.split(line)
    as_given = command in _TEXT or "--format-findings" in words or "--update" in words
    return (command, *words, *(() if as_given else _JSON))


def _conversion_case(case: Path, work: Path) -> Case:
    """Generate with converters and kcp resources, once for each file of conversion rules."""
    declared = any("conversion" in path.read_text("utf-8") for path in case.glob("*.proto"))
    rules = [[name] for name in ("rules.yaml", "wrong-rules.yaml") if (case / name).exists()]
    inputs = {path.name: path.read_bytes() for path in case.iterdir() if path.is_file()}
    runs = []
    for index, files in enumerate([[], *rules] if declared or not rules else rules):
        settings = f"settings{index}.yaml"
        inputs[settings] = f"conversion_rules: {files}\n".encode()
        options = ("--settings", settings, "--out", f"out{index}", "--converters", "converters", "--kcp", "kcp")
        runs.append(Run(("generate", ".", *options, "--kcp-prefix", "today", *_JSON)))
    return Case(_name(case), _written(work / "conversion" / case.name, inputs), runs)


def _marker_cases(work: Path) -> Iterator[Case]:
    texts = {f"{case.id}.{name}": text for case in all_cases().values() for name, text in protos(case).items()}
    image = compile_folder(_written(work, {name: text.encode() for name, text in texts.items()}))
    for name in texts:
        yield Case(f"markers/{name}", None, [Run(stdin=request(image, [name]))])


def _vocabulary_cases(work: Path) -> Iterator[Case]:
    for name in vocabularies():
        folder = _written(work / name, {"cases.proto": vocabulary_proto(name).encode()})
        data = request(compile_folder(folder), ["cases.proto"])
        yield Case(f"vocabularies/{name}", None, [Run(stdin=data)])


def _hostile_cases(work: Path) -> Iterator[Case]:
    for name, make_request in REQUESTS.items():
        yield Case(f"generate/hostile/{name}", None, [Run(stdin=make_request())])
    for name, make_documents in DOCUMENTS.items():
        crd, document = make_documents()
        files = {"crd.yaml": crd.encode(), "things.yaml": document}
        folder = _written(work / "hostile" / name, files)
        yield Case(f"hostile/{name}", folder, [Run(("validate", ".", "--kubernetes", "1.25..1.37", *_JSON))])
    for name in SPECS:
        folder = _written(work / "hostile-samples" / name, {"crd.json": crd_of(name).encode()})
        arguments = ("samples", "crd.json", "--kubernetes", "1.36..1.37", *_JSON)
        yield Case(f"hostile-samples/{name}", folder, [Run(arguments)])


def _written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def _istio_cases() -> Iterator[Case]:
    """Istio's networking API, where the corpora are available."""
    path = CORPORA / "corpora" / "istio-networking" / "image.binpb"
    if not path.exists():
        return
    image = FileDescriptorSet.FromString(path.read_bytes())
    folders = ("analysis/", "meta/", "networking/", "type/")
    targets = [file.name for file in image.file if file.name.startswith(folders)]
    for name, parameter in (("default", ""), ("compat", "compat=istio")):
        yield Case(f"istio/{name}", None, [Run(stdin=request(image, targets, parameter))])
