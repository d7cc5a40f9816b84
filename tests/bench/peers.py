"""Programs of others that do the same work, beside ours: whole processes in turn, and the ratio of each pair.

A peer is taken from PATH, or built by Go in `.bench/bin`. One that is missing is skipped with the reason.
"""

from __future__ import annotations

import shlex
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.library import Validator
from protoc_gen_crd.yaml import reader
from tests.bench.changes import CRDS, edited_crds
from tests.bench.documents import measure_rate
from tests.bench.measure import PAIRS, run_once
from tests.bench.requests import networking, scaled
from tests.conftest import ROOT

_BIN = ROOT / ".bench" / "bin"


class Peer(NamedTuple):
    """A program in Go: its name, its package and version, and a word of its help that no other program has."""

    name: str
    package: str
    sign: str

    def find(self) -> tuple[Path | None, str]:
        """The program, or None and the reason."""
        built, installed = _BIN / self.name, shutil.which(self.name)
        if installed is not None and self.sign in _read_help(installed):
            return Path(installed), ""
        if not built.exists():
            if shutil.which("go") is None:
                return None, "Go is not installed"
            if error := self._build(built):
                return None, f"go get {self.package}: {error}"
        return built, ""

    def _build(self, built: Path) -> str:
        """Build the program in a module of its own. Return the error, empty if there is none."""
        path = self.package.partition("@")[0]
        commands = (("mod", "init", "bench"), ("get", self.package), ("build", "-o", str(built), path))
        with TemporaryDirectory() as folder:
            for command in commands:
                done = subprocess.run(("go", *command), cwd=folder, capture_output=True, text=True, check=False)
                if done.returncode:
                    return done.stderr.strip().splitlines()[-1].strip()
        return ""


def _read_help(program: str) -> str:
    done = subprocess.run((program, "--help"), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr


KUBECTL_VALIDATE = Peer("kubectl-validate", "sigs.k8s.io/kubectl-validate@v0.0.4", "--local-crds")
CRDIFY = Peer("crdify", "sigs.k8s.io/crdify@v0.6.0", "crdify file://")
ISTIO = Peer("protoc-gen-crd", "istio.io/tools/cmd/protoc-gen-crd@latest", "no Go plugin has a help")
_SIZES = (("1x", partial(networking, ""), 0.7), ("10x", partial(scaled, 10), 0.45), ("50x", partial(scaled, 50), 0.5))


Run = tuple[tuple[str, ...], Path]  # a command, and the file that it reads


def compare_peers(shared: Path, plugin: str, work: Path) -> Iterator[str]:
    """A line for each comparison, or why it is missing."""
    corpus = shared / "corpora" / "istio-networking"
    if not corpus.is_dir():
        yield f"peers: their input is not in {shared}"
        return
    yield from _compare_validators(corpus, plugin, work)
    yield from _compare_checkers(shared, plugin, work)
    path, reason = ISTIO.find()
    if path is None:
        yield f"Istio's Go plugin: skipped, {reason}"
        return
    for name, make_request, most in _SIZES:
        request = CodeGeneratorRequest.FromString(make_request(shared) or b"")
        files = work / "ours.binpb", work / "theirs.binpb"
        for file, parameter in zip(files, ("compat=istio", ""), strict=True):
            request.parameter = parameter
            file.write_bytes(request.SerializeToString())
        ratio = _measure_ratio(((plugin,), files[0]), ((str(path),), files[1]))
        yield _format(f"plugin, {name}", ratio, most, "Istio's Go plugin")


def _compare_validators(corpus: Path, plugin: str, work: Path) -> Iterator[str]:
    path, reason = KUBECTL_VALIDATE.find()
    if path is None:
        yield f"kubectl-validate: skipped, {reason}"
        return
    crds = work / "crds"
    crds.mkdir()
    shutil.copy(corpus / "expected.yaml", crds)
    nothing = work / "nothing"
    nothing.write_bytes(b"")
    theirs = (str(path), str(corpus / "testdata"), "--local-crds", str(crds))
    ours = (plugin, "validate", str(corpus / "testdata"), str(corpus / "expected.yaml"), "--kubernetes")
    for versions, most in (("1.30", 0.5), ("1.25..1.37", 0.775)):
        ratio = _measure_ratio(((*ours, versions), nothing), (theirs, nothing))
        yield _format(f"validate, {versions}", ratio, most, "kubectl-validate for one version")


def _compare_checkers(shared: Path, plugin: str, work: Path) -> Iterator[str]:
    """Compare `changes` of all CRDs with one process of crdify for each, which reads only the first CRD of a file."""
    path, reason = CRDIFY.find()
    if path is None or edited_crds(shared) is None:
        yield f"crdify: skipped, {reason}"
        return
    _, new, _, old = CRDS
    documents = [Path(name).read_text("utf-8").split("\n---\n") for name in (old, new)]
    commands = []
    for number, pair in enumerate(zip(*documents, strict=True)):
        files = [work / f"{side}{number}.yaml" for side in ("old", "new")]
        for file, document in zip(files, pair, strict=True):
            file.write_text(document, "utf-8")
        commands.append(shlex.join([str(path), *(f"file://{file}" for file in files)]))
    nothing = work / "nothing"
    ratio = _measure_ratio(((plugin, *CRDS), nothing), (("sh", "-c", "; ".join(commands)), nothing))
    yield _format("changes of its CRDs", ratio, 1, "crdify")


def _measure_ratio(ours: Run, theirs: Run) -> float:
    for run in (ours, theirs):
        run_once(*run)
    return statistics.median(run_once(*ours)[0] / run_once(*theirs)[0] for _ in range(PAIRS))


def compare_ranges(shared: Path) -> Iterator[str]:
    """How much longer warm validation takes for all versions than for one."""
    folder = shared / "corpora" / "istio-networking"
    if not folder.is_dir():
        return
    crds = [each.value for each in reader.read((folder / "expected.yaml").read_bytes())]
    files = sorted((folder / "testdata").glob("*.yaml"))
    objects = [each.value for file in files for each in reader.read(file.read_bytes()) if each.value]
    validators = [Validator(crds, versions) for versions in ("1.37", "1.25..1.37")]
    for validator in validators:
        measure_rate(validator, objects)
    ratios = []
    for _ in range(PAIRS):
        one, many = (measure_rate(validator, objects) for validator in validators)
        ratios.append(one / many)
    yield _format("thirteen versions, warm", statistics.median(ratios), 2.0, "one version")


def _format(name: str, ratio: float, most: float, peer: str) -> str:
    return f"{name:26}{ratio:8.2f} times {peer}; at most {most:g}"
