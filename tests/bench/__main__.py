"""`make bench`: whole plugin runs in turn with a plugin that does nothing, whose time is the unit S.

Times depend on the machine, their quotient hardly does. The inputs are upstream's networking API and made-up APIs of
its style, found by PROTOC_GEN_CRD_SHARED; what is not there is left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("PROTOC_GEN_CRD_SHARED", ROOT.parent / "shared"))
FOLDER = ROOT / ".bench"
PAIRS = 10
STUB = [sys.executable, str(Path(__file__).with_name("stub.py"))]
PLUGIN = [sys.executable, "-m", "protoc_gen_crd"]


class Run(NamedTuple):
    """One process: wall time in seconds, peak memory in MiB."""

    seconds: float
    mebibytes: float


def run(command: list[str], request: Path) -> Run:
    """Run a plugin on a request. Raises RuntimeError where it fails."""
    with request.open("rb") as data:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with status {process.returncode}")
    return Run(seconds, usage.ru_maxrss / 1024)


def requests() -> Iterator[tuple[str, Path]]:
    """The requests that can be made here, written to the folder once."""
    FOLDER.mkdir(exist_ok=True)
    image = SHARED / "corpora" / "istio-networking" / "image.binpb"
    if image.exists():
        yield from _networking(FileDescriptorSet.FromString(image.read_bytes()))
    scale = SHARED / "tools" / "make_scale.py"
    for factor in (10, 50) if scale.exists() else ():
        file = FOLDER / f"scale-{factor}.bin"
        if not file.exists():
            subprocess.run([sys.executable, scale, "-o", file, "--scale", str(factor)], check=True)
        yield f"scale {factor}", file


def _networking(image: FileDescriptorSet) -> Iterator[tuple[str, Path]]:
    targets = [file.name for file in image.file if not file.name.startswith("google/")]
    for parameter in ("compat=istio", ""):
        request = CodeGeneratorRequest(file_to_generate=targets, proto_file=image.file, parameter=parameter)
        request.source_file_descriptors.extend(file for file in image.file if file.name in targets)
        file = FOLDER / f"networking-{parameter or 'default'}.bin"
        file.write_bytes(request.SerializeToString())
        yield f"networking {parameter}", file


def main() -> None:
    """Print one line per request: medians, and how many times the unit a run takes."""
    print(f"{'request':24} {'S':>7} {'run':>8} {'run / S':>8} {'memory':>8}")
    for name, request in requests():
        run(PLUGIN, request)
        pairs = [(run(STUB, request), run(PLUGIN, request)) for _ in range(PAIRS)]
        unit, seconds = (median(pair[side].seconds for pair in pairs) for side in (0, 1))
        memory = max(ours.mebibytes for _, ours in pairs)
        print(f"{name:24} {unit:6.3f}s {seconds:7.3f}s {seconds / unit:8.2f} {memory:5.0f}MiB", flush=True)


if __name__ == "__main__":
    main()
