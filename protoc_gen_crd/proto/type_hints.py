"""Hints for types that protoc reports as not defined: the import that declares them, or the nearest name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from google.protobuf.descriptor import FieldDescriptor

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, find_nearest_path
from protoc_gen_crd.proto.bundled_protos import OPTIONS, find_googleapis

_SCALARS = [
    name.removeprefix("TYPE_").lower()
    for name in FieldDescriptor.__dict__
    if name.startswith("TYPE_") and name not in ("TYPE_MESSAGE", "TYPE_ENUM", "TYPE_GROUP")
]
# What other languages call a scalar type -> its name in .proto files.
_OTHER_NAMES = {
    "byte": "bytes",
    "float32": "float",
    "float64": "double",
    "int": "int64",
    "integer": "int64",
    "str": "string",
    "uint": "uint64",
}
_MAX_HINTS = 100  # unknown names of a run for which a hint is searched
_SHORT_LIKENESS, _FULL_LIKENESS = 0.7, 0.85
_LOCATED = re.compile(r'(?P<file>.+?):\d+:\d+: "(?P<name>.+)" is not defined\.')
_UNLOCATED = re.compile(r'(?P<file>.+?): (?P<message>"(?P<name>.+)" is not defined\.)')
_MAP_VALUE = re.compile(r"\bmap\s*<\s*\w+\s*,\s*([\w.]+)\s*>")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_KUBERNETES = re.compile(r"\.?k8s\.io\.((?:api|apimachinery|apiextensions_apiserver)(?:\.[a-z_]\w*)+)\.[A-Z]\w*")
_TYPE = re.compile(r"^([ \t]*)(?:message|enum)\s+(\w+)\s*\{", re.MULTILINE)


def find_type_hints(
    lines: Iterable[str], inputs: Mapping[str, str], suggest_source: Callable[[str], str]
) -> dict[tuple[str, str], str]:
    """Return hints for types that are not defined, by the file that uses a type and the type as written.

    Args:
        lines: The errors of protoc. Types beyond the first 100 have no hints.
        inputs: The paths of the input files by the names that imports use.
        suggest_source: Returns how to provide a file of Kubernetes, empty if imports find it.
    """
    undefined = [(error["file"], error["name"]) for line in lines if (error := _LOCATED.fullmatch(line))]
    types = list(islice(dict.fromkeys(undefined), _MAX_HINTS))
    paths = {**_list_bundled_files(), **inputs}
    files = {full_name: name for name, path in paths.items() for full_name in _list_types(_read_text(path))}
    hints = {(file, name): _suggest(name.removeprefix("."), inputs.get(file, file), files) for file, name in types}
    return {
        (file, name): hint or _suggest_kubernetes(name, inputs.get(file, file), suggest_source)
        for (file, name), hint in hints.items()
    }


def locate_map_values(lines: Iterable[str], inputs: Mapping[str, str]) -> list[str]:
    """Return the errors of protoc, with a location for map values whose type is not defined."""
    places: dict[str, dict[str, tuple[int, int]]] = {}  # file -> type as written -> line and column
    located: list[str] = []
    for line in lines:
        error = _UNLOCATED.fullmatch(line)
        if error and (file := error["file"]) in inputs:
            if file not in places:
                places[file] = _find_map_values(_read_text(inputs[file]))
            row, column = places[file].get(error["name"], (1, 1))
            located.append(f"{file}:{row}:{column}: {error['message']}")
        else:
            located.append(line)
    return located


def _find_map_values(text: str) -> dict[str, tuple[int, int]]:
    """Return the line and column of the first map with each type of values."""
    places: dict[str, tuple[int, int]] = {}
    row, row_start = 1, 0
    for value in _MAP_VALUE.finditer(text):
        start = value.start(1)
        row += text.count("\n", row_start, start)
        row_start = text.rfind("\n", 0, start) + 1
        places.setdefault(value[1], (row, start - row_start + 1))
    return places


def _suggest(name: str, path: str, files: Mapping[str, str]) -> str:
    """Return a hint for a type of the file at a path, from the files of all importable types by full name."""
    text = _read_text(path)
    if visible := next((candidate for candidate in _list_full_names(name, text) if candidate in files), None):
        return _format_import(files[visible], text)
    own = list(_list_types(text))
    if "." in name:
        nearest = find_nearest_path(name, {*own, *files}, ".", _FULL_LIKENESS)
    else:
        own_names = [full_name.rpartition(".")[2] for full_name in own]
        nearest = _OTHER_NAMES.get(name.lower()) or find_nearest(name, [*_SCALARS, *own_names], _SHORT_LIKENESS)
    nearest = nearest or _find_namesake(name.rpartition(".")[2], files)
    return " ".join(filter(None, (did_you_mean(nearest), _format_import(files.get(nearest or "", ""), text))))


def _suggest_kubernetes(name: str, path: str, suggest_source: Callable[[str], str]) -> str:
    """Return a hint for a type of a package of Kubernetes; empty for others, and if the file at a path imports it."""
    package = _KUBERNETES.fullmatch(name)
    file = f"k8s.io/{package[1].replace('.', '/').replace('_', '-')}/generated.proto" if package else ""
    return ", ".join(filter(None, (hint := _format_import(file, _read_text(path)), hint and suggest_source(file))))


def _list_full_names(name: str, text: str) -> Iterator[str]:
    """Yield the full names that a name can refer to in a file, from the innermost package."""
    package = _PACKAGE.search(_COMMENT.sub("", text))
    scopes = package[1].split(".") if package else []
    yield from (".".join([*scopes[:length], name]) for length in range(len(scopes), -1, -1))


def _find_namesake(short: str, names: Iterable[str]) -> str | None:
    """Return the full name that ends in a short one, None for several unless one of them is protobuf's own."""
    namesakes = [name for name in names if name.rpartition(".")[2] == short]
    own = [name for name in namesakes if name == f"google.protobuf.{short}"]
    return own[0] if own else namesakes[0] if len(namesakes) == 1 else None


def _format_import(file: str, text: str) -> str:
    """Return the hint to import a file, empty if there is none or the text imports it."""
    return "" if not file or f'"{file}"' in text else f'add `import "{file}";`'


def _list_bundled_files() -> dict[str, str]:
    """Return the paths of the files that can be imported without an import path, by the names that imports use."""
    folders = {"": OPTIONS, **{f"{name}/": folder for name, folder in find_googleapis().items()}}
    spec = find_spec("grpc_tools")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folders["google/protobuf/"] = Path(place, "_proto", "google", "protobuf")
    return {
        prefix + path.relative_to(folder).as_posix(): str(path)
        for prefix, folder in folders.items()
        for path in sorted(folder.rglob("*.proto"))
    }


def _list_types(text: str) -> Iterator[str]:
    """Yield the full names of the types at the top level of a file: those with the least indentation."""
    text = _COMMENT.sub("", text)
    package = _PACKAGE.search(text)
    types = _TYPE.findall(text)
    top = min((len(indent) for indent, _ in types), default=0)
    for indent, name in types:
        if len(indent) == top:
            yield f"{package[1]}.{name}" if package else name


def _read_text(path: str) -> str:
    """Return the text of a file, empty if it cannot be read."""
    try:
        return read_file(path).decode("utf-8", "replace")
    except OSError:
        return ""
