"""Folders of recorded releases with mutated files, with wrong or corrected digests."""

from __future__ import annotations

import json
import zlib
from functools import cache
from pathlib import PurePosixPath
from random import Random
from typing import Any

from protoc_gen_crd.base.checksums import compute_digest, write_sums
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import mutated_bytes, mutated_data
from tests.fuzz.program import command

_COMMANDS = (
    ("history", "check"), ("history", "show", "--all"), ("history", "show"), ("history", "changelog"), ("history",
    "diff", "1.0"),
    ("history", "diff", "1.0", "1.1", "--json"),
)  # fmt: skip
_INDEX = "release.json"


@cache
def _folders() -> dict[str, dict[str, bytes]]:
    """Return the histories that cases of testdata/history write, by the names of the cases."""
    folders = {}
    for folder in sorted((corpus.TESTDATA / "history").glob("*/expected/history")):
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        folders[folder.parent.parent.name] = {
            f"history/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths
        }
    return {name: files for name, files in folders.items() if files}


class Histories(Fuzzer):
    """An input is the case, the file, `sealed` if digests are corrected, and the new content."""

    name, slice = "histories", 35

    def generate(self, random: Random) -> bytes:
        case = random.choice(list(_folders()))
        name = random.choice([name for name in _folders()[case] if name.endswith((".json", ".sum"))])
        data = _folders()[case][name]
        if name.endswith(".json") and random.random() < 0.75:
            plain = json.loads(data)
            data = json.dumps(mutated_data(plain, random), indent=1).encode()
        else:
            data = mutated_bytes(data, random)
        return f"{case} {name} {random.choice(('sealed', 'sealed', ''))}\n".encode() + data

    def run(self, data: bytes) -> str:
        head, _, content = data.partition(b"\n")
        case, name, sealed = [*head.decode("utf-8", "replace").split(" "), "", "", ""][:3]
        if name not in _folders().get(case, {}):
            return "no input"
        files = {**_folders()[case], name: content}
        if sealed:
            files = _sealed(files)
        return str(command(_COMMANDS[zlib.crc32(data) % len(_COMMANDS)], files))


def _sealed(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files with the digests of a recording, as far as the indexes can be read."""
    sealed, before = dict(files), ""
    indexes = sorted((name for name in files if name.endswith(_INDEX)), key=_order)
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
    sealed["history/checksums.txt"] = write_sums(
        "x", {index.removeprefix("history/"): compute_digest(sealed[index]) for index in indexes}
    )
    return sealed


def _order(name: str) -> list[int]:
    return [int(part) for part in name.split("/")[1].split(".") if part.isdecimal()]
