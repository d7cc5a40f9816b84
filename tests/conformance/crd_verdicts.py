"""The recorded answers of API servers for manifests of CRDs."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.field_errors import ABSENT, BAD_REQUEST, FORBIDDEN, INTERNAL, REQUIRED, Cause
from protoc_gen_crd.admission.go_syntax import to_json
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.kubernetes.shared_results import Switches
from tests.conformance import tables
from tests.conformance.tables import Answer, Row

EXACT = 1 << 53


def _normalize(plain: Any) -> Any:
    """Convert large integers to floats, as tables of verdicts have them, and pointers to one address."""
    if isinstance(plain, dict):
        return {key: _normalize(value) for key, value in plain.items()}
    if isinstance(plain, list):
        return [_normalize(value) for value in plain]
    if isinstance(plain, str):
        return re.sub(r"(?<=\()0x[0-9a-f]{8,}(?=\))", "0xc000000000", plain)
    if isinstance(plain, int) and abs(plain) > EXACT:
        return float(plain)
    return plain


def _cause(cause: Answer) -> Answer:
    if cause["type"] == "FieldValueTooLong" or cause["field"].startswith("metadata"):
        return {key: cause[key] for key in ("type", "field")}
    return cause


def normal(answer: Answer) -> Answer:
    """Return an answer with sorted errors, since the server has no fixed order."""
    verdict: Answer = _normalize({key: value for key, value in answer.items() if value not in (None, [], "")})
    for key in ("errors", "strict", "warnings"):
        if key in verdict:
            verdict[key] = sorted(verdict[key])
    if "causes" in verdict:
        causes = [_cause(cause) for cause in verdict["causes"]]
        verdict["causes"] = sorted(causes, key=lambda cause: json.dumps(cause, sort_keys=True))
    return verdict


def table(minor: int) -> list[Row]:
    """Return all rows of a version."""
    return tables.table("crd", minor)


@cache
def listed(path: Path) -> dict[str, range]:
    """Read ids with the versions for which they fail; a line is `1.25-1.37 id # reason`."""
    ranges = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            versions, name, reason = line.split(" ", 1)[0], line.split(" ")[1], line.partition("# ")[2]
            assert reason, line
            first, _, last = versions.replace("1.", "").partition("-")
            ranges[name] = range(int(first), int(last or first) + 1)
    return ranges


def of_causes(verdict: Verdict, switches: Switches) -> dict[str, Any]:
    """Return the causes of a verdict in the form of answers: of fields, of decoding, and others."""
    fields = [cause for cause in verdict.causes if cause.path]
    decoding, others = ([c for c in verdict.causes if not c.path and c.type == kind] for kind in (BAD_REQUEST, ""))
    return {
        "errors": [error.message for error in fields],
        "causes": [_take_apart(error, switches) for error in fields],
        "decode": next((cause.message for cause in decoding), None),
        "status": next((cause.message for cause in others), None),
    }


def _take_apart(error: Cause, switches: Switches) -> dict[str, Any]:
    """Return a parsed error, in the form of answers."""
    cause: dict[str, Any] = {"type": error.type, "field": error.path}
    if error.detail:
        cause["detail"] = error.detail
    if error.type not in (REQUIRED, FORBIDDEN, INTERNAL) and error.value is not ABSENT:
        cause["value"] = json.loads(to_json(error.value, switches))
    return cause


def differing(ours: Answer, theirs: Answer) -> dict[str, tuple[Any, Any]]:
    """Return the members of two answers that differ."""
    keys = sorted(ours.keys() | theirs.keys())
    return {key: (ours.get(key), theirs.get(key)) for key in keys if ours.get(key) != theirs.get(key)}
