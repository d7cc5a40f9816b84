"""Asks controller-tools about the cases of markers and records its answers: record.py APPLY CONTROLLER_GEN.

APPLY is the binary of tests/judges/controller_tools, CONTROLLER_GEN that of controller-gen; README.md describes how to
build both. Run from the root of the repository: python -m tests.judges.controller_gen.record APPLY CONTROLLER_GEN.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import ROOT
from tests.support.marker_cases import Case, all_cases
from tests.support.marker_judges import APPLIED, GENERATED, go_texts, key, questions

MODULE = ROOT / "tests" / "judges" / "controller_tools"
IMPORTS = {
    "metav1.": 'metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"',
    "apiextensionsv1.": 'apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"',
    "intstr.": '"k8s.io/apimachinery/pkg/util/intstr"',
    "runtime.": '"k8s.io/apimachinery/pkg/runtime"',
}
KIND = """
type Case struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec Spec `json:"spec,omitempty"`
}
"""


COMPLAINT = re.compile(r"\S+:\d*:?-?\d*: (.{,200})")  # package and place, then words that may go on and on


def record_applied(judge: str) -> None:
    asked_questions = [question for case in all_cases().values() for _, question in questions(case)]
    distinct = {key(question): question for question in asked_questions}
    done = subprocess.run([judge], input="\n".join(distinct).encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    write(APPLIED, zip(distinct.values(), answers, strict=True))


def record_generated(controller_gen: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("go.mod", "go.sum"):
            shutil.copy(MODULE / name, folder)
        cases = [case for case in all_cases().values() if case.go and case.gives is not None]
        write(GENERATED, [(case.id, generate(case, Path(folder), controller_gen)) for case in cases])


def generate(case: Case, folder: Path, controller_gen: str) -> dict[str, Any]:
    """The answers to each spelling of a case in Go."""
    answers = {}
    for name, texts in go_texts(case).items():
        place = folder / f"{case.id}_{name}".replace("-", "_")
        for version, text in texts.items():
            (place / version).mkdir(parents=True)
            (place / version / "types.go").write_text(source(version, text))
        answers[name] = ask(place, controller_gen)
    return {"go": case.go, "answers": answers}


def ask(place: Path, controller_gen: str) -> dict[str, Any]:
    command = [controller_gen, "crd:allowDangerousTypes=true", "paths=./...", "output:stdout"]
    done = subprocess.run(command, cwd=place, capture_output=True, check=False)
    crds = [crd for crd in yaml.safe_load_all(done.stdout) if crd]
    for crd in crds:
        crd["metadata"]["annotations"].pop("controller-gen.kubebuilder.io/version", None)
    errors = [match[1] for line in done.stderr.decode().splitlines() if (match := COMPLAINT.match(line))]
    return {"crds": {crd["metadata"]["name"]: crd for crd in crds}, "errors": errors}


def source(version: str, text: str) -> str:
    body = text if "metav1.TypeMeta" in text else text + KIND
    head, package, rest = body.partition(f"package {version}\n")
    if not package:
        head, package, rest = "// +groupName=acme.com\n", f"package {version}\n", body
    imports = "".join(f"import {line}\n" for sign, line in IMPORTS.items() if sign in rest)
    return f"{head}{package}\n{imports}\n{rest}"


def write(path: Path, rows: Any) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    record_applied(sys.argv[1])
    record_generated(sys.argv[2])
