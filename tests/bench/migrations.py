"""How fast `migrate` goes over many objects of a running API server, and what memory it takes for few and for many."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.cluster.server import Cluster
from tests.cluster.stored import NEW, OLD, Gadgets
from tests.conftest import ROOT

_BUILT = ROOT / ".cluster" / "kube-testserver"
FEW, MANY = 1_000, 10_000
_PROGRAM = str(Path(sys.executable).with_name("protoc-gen-crd"))


def migrations(folder: Path) -> Iterator[str]:
    """A line for each measurement, or why there is none."""
    program = os.environ.get("KUBE_TESTSERVER", str(_BUILT))
    if not Path(program).exists():
        yield f"{'migrate':26} there is no API server: make test-cluster builds one, or set KUBE_TESTSERVER"
        return
    cluster = Cluster(program, folder)
    try:
        memory = {}
        for count in (FEW, MANY):
            rate, memory[count] = _migrated(cluster, count, folder)
        yield f"{f'migrate, {MANY:,} objects':26}{rate:8,.4g} a second; at least 200"
        yield f"{'migrate, memory':26}{memory[MANY]:8.0f} MiB, {memory[FEW]:.0f} MiB for {FEW:,}"
    finally:
        cluster.stop()


def _migrated(cluster: Cluster, count: int, folder: Path) -> tuple[float, float]:
    """Objects a second and peak MiB of a whole run, start included."""
    kind = Gadgets(cluster, f"bench{count}.example")
    kind.fill(count)
    kind.switch(OLD, NEW)
    time.sleep(2)
    command = [_PROGRAM, "migrate", kind.name, "--settle", "0", "--rate", "0", "--kubeconfig", str(cluster.kubeconfig)]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    out = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert re.search(f"{count:,} rewritten", out), out
    assert kind.reported_versions == [NEW]
    return count / elapsed, usage.ru_maxrss / 1024
