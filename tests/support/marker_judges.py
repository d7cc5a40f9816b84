"""The recorded answers of controller-tools to the marker cases, and the requests for new ones.

Two judges: a marker applied to a generated schema (tests/judges/controller_tools, op `apply`), and controller-gen
run on the equivalent Go code of a case (tests/judges/controller_gen).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.marker_cases import FOLDER, KINDS, Case, Spelling, names_of
from tests.support.marker_runs import Plain, at, outcome, view

APPLIED, GENERATED = FOLDER / "applied.jsonl", FOLDER / "generated.jsonl"
_TARGETS = {"field": "field", "message": "type", "enum": "type"}
_IN_GO = {
    "field": "schema.properties.value",
    "enum": "schema.properties.value",
    "member": "schema",
    "message": "schema",
}


@cache
def registry() -> frozenset[str]:
    """Return the names that controller-tools registers, in the form of cases: `+kubebuilder:title F`."""
    rows = json.loads((FOLDER / "controller-tools-0.23.0.json").read_text("utf-8"))
    return frozenset(f"+{row['name']} {row['target'][0].upper()}" for row in rows)


def questions(case: Case) -> Iterator[tuple[Spelling, Plain]]:
    """Return the requests to `apply`: for each spelling in markers of controller-tools, the request."""
    if case.kind not in _TARGETS or case.go or case.judge or case.gives is None:
        return
    target = _TARGETS[case.kind]
    schemas = outcome(case).schemas()
    for spelling in case.spellings:
        if in_go(spelling, target[0].upper()):
            plain = schemas[f"plain{spelling.nest.capitalize()}"]
            yield (
                spelling,
                {"op": "apply", "target": target, "markers": [line[1:] for line in spelling.lines], "schema": plain},
            )


@cache
def _recorded(path: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {key(question): answer for question, answer in rows}


def key(question: object) -> str:
    """Return a request as a string, the same for equal ones."""
    return json.dumps(question, sort_keys=True)


def applied(question: Plain) -> Plain:
    """Return the answer to a request. Raises KeyError if it was not recorded."""
    answer: Plain = _recorded(APPLIED)[key(question)]
    return answer


def in_go(spelling: Spelling, letter: str) -> bool:
    """Return true if a spelling is one of controller-tools."""
    names = [name for line in spelling.lines for name in names_of(line, letter)]
    return bool(names) and registry().issuperset(names)


def go_texts(case: Case) -> dict[str, dict[str, str]]:
    """Return the Go code of a case by spelling and package; `// MARKER` is replaced by the lines of each spelling."""
    packages: dict[str, str] = case.go if isinstance(case.go, dict) else {"v1": case.go}
    if not any("// MARKER" in text for text in packages.values()):
        return {"": packages}
    spellings = [spelling for spelling in case.spellings if in_go(spelling, KINDS[case.kind][2])]
    return {spelling.name: {name: _marked(text, spelling) for name, text in packages.items()} for spelling in spellings}


def _marked(text: str, spelling: Spelling) -> str:
    lines = [
        f"{line[: line.index('//')]}// {marker}"
        for line in text.splitlines()
        if "// MARKER" in line
        for marker in spelling.lines
    ]
    return re.sub(r"[ \t]*// MARKER", lambda _: "\n".join(lines), text)


def generated(case: Case) -> dict[str, Plain]:
    """Return the CRDs by name and the errors of controller-gen, by spelling. Raises KeyError if not recorded."""
    recorded: Plain = _recorded(GENERATED)[key(case.id)]
    if recorded["go"] != case.go:
        raise KeyError(case.id)
    answers: dict[str, Plain] = recorded["answers"]
    return answers


def judged(case: Case, answer: Plain) -> Any:
    """Return the expected result of the case according to controller-gen."""
    if case.kind in _IN_GO:
        (crd,) = answer["crds"].values()
        return at(view(crd), _IN_GO[case.kind])
    return answer["crds"]
