"""Folders of recorded releases with mutated files, with wrong or corrected digests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from protoc_gen_crd.base.checksums import compute_digest, write_sums
from tests.conftest import ROOT
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import encoded, mutated_bytes, mutated_data, mutated_text
from tests.fuzz.program import command

_HISTORY, _INPUTS = "history", "api"
# An input has the index of its command, so new commands are the last ones.
_COMMANDS = (
    ("history", "check"), ("history", "show", "--all"), ("history", "show"), ("history", "changelog"), ("history",
    "diff", "1.0"),
    ("history", "diff", "1.0", "1.1", "--json"),
    ("history", "check", _INPUTS), ("changes", "--old", "history", _INPUTS), ("docs", _INPUTS),
)  # fmt: skip
_INDEX = "release.json"
_GROUPS = "groups"  # the case of a gRPC API group


@cache
def _folders() -> dict[str, dict[str, bytes]]:
    """Return the histories that cases of testdata/history write, with an input, by the names of the cases."""
    folders = {}
    for folder in sorted((corpus.TESTDATA / "history").glob("*/expected/history")):
        case = folder.parent.parent
        inputs = {f"{_INPUTS}/{path.name}": path.read_bytes() for path in sorted(case.rglob("*.proto"))[-1:]}
        folders[case.name] = {**_read_files(folder, _HISTORY), **inputs}
    example = ROOT / "examples" / "volumes"
    files = _read_files(example / _HISTORY, _HISTORY) | _read_files(example / "proto", _INPUTS)
    files |= _read_files(example / "microversions", "microversions")
    later = {name.replace("/1.0/", "/1.1/"): data for name, data in files.items() if "/1.0/" in name}
    index = json.loads(later[f"{_HISTORY}/1.1/{_INDEX}"]) | {"release": "1.1", "before": {"release": "1.0"}}
    later[f"{_HISTORY}/1.1/{_INDEX}"] = json.dumps(index).encode()
    folders[_GROUPS] = _sealed({**files, **later, "protoc-gen-crd.yaml": b"groups: groups\n"})
    return {name: files for name, files in folders.items() if files}


def _read_files(folder: Path, name: str) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths}


class Histories(Fuzzer):
    """An input is the case, the file, `sealed` if digests are corrected, the index of the command, and the content."""

    name, slice = "histories", 35

    def generate(self, random: Random) -> bytes:
        case = random.choice(list(_folders()))
        names = [name for name in _folders()[case] if name.startswith(_HISTORY)]
        records = [name for name in names if name.endswith((".json", ".txt"))]
        name = random.choice(names if random.random() < 0.1 else records)
        data = _folders()[case][name]
        if name.endswith(".json") and random.random() < 0.75:
            plain = json.loads(data)
            data = json.dumps(mutated_data(plain, random), indent=1).encode()
        elif random.random() < 0.5:
            data = encoded(mutated_text(data.decode(), random))
        else:
            data = mutated_bytes(data, random)
        sealed = random.choice(("sealed", "sealed", "unsealed"))
        return f"{case} {name} {sealed} {random.randrange(len(_COMMANDS))}\n".encode() + data

    def run(self, data: bytes) -> str:
        head, _, content = data.partition(b"\n")
        case, name, sealed, index = [*head.decode("utf-8", "replace").split(" "), "", "", "", ""][:4]
        if name not in _folders().get(case, {}) or index not in map(str, range(len(_COMMANDS))):
            return "no input"
        files = {**_folders()[case], name: content}
        if sealed == "sealed":
            files = _sealed(files)
        return str(command(_COMMANDS[int(index)], files))


def _sealed(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files with the digests of a recording, as far as the indexes can be read."""
    sealed, before = dict(files), ""
    indexes = sorted((name for name in files if name.endswith(f"/{_INDEX}")), key=_order)
    for index in indexes:
        release = str(PurePosixPath(index).parent)
        try:
            plain: Any = json.loads(files[index])
            plain["files"] |= {
                name: compute_digest(files[f"{release}/{name}"])
                for name in plain["files"]
                if f"{release}/{name}" in files
            }
            if isinstance(plain.get("before"), dict):
                plain["before"]["digest"] = before
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        sealed[index] = json.dumps(plain).encode()
        before = compute_digest(sealed[index])
    sealed[f"{_HISTORY}/checksums.txt"] = write_sums(
        "x", {index.removeprefix(f"{_HISTORY}/"): compute_digest(sealed[index]) for index in indexes}
    )
    return sealed


def _order(name: str) -> list[int]:
    return [int(part) for part in name.split("/")[1].split(".") if part.isdecimal()]
