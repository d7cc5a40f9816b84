"""The errors in recorded verdicts of Kubernetes have an origin in the schema."""

from __future__ import annotations

import json
from collections import Counter

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.objects.error_origins import find_error_origin
from protoc_gen_crd.admission.objects.error_paths import resolve_path
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd_decoder import decode
from tests.conftest import ROOT

VERDICTS = ROOT / "testdata" / "verdicts" / "1.37" / "create.jsonl"


def test_errors_have_origins_in_the_schema() -> None:
    server, counts = AdmissionServer([37], RuleCompiler()), Counter[bool]()
    for line in VERDICTS.read_text("utf-8").splitlines():
        recorded = json.loads(line)["input"]
        crd = decode(recorded.get("crd")).crd
        obj = recorded.get("obj")
        if crd is None or not isinstance(obj, dict) or not server.admit(crd)[0].accepted:
            continue
        schema = next(
            (version.schema for version in crd.versions if obj.get("apiVersion") == f"{crd.group}/{version.name}"), None
        )
        if schema is None:
            continue
        for error in server.validate(crd, obj)[0].causes:
            if error.path and not error.path.startswith(("metadata", "<nil>", "apiVersion", "kind")):
                counts[find_error_origin(error, schema, *resolve_path(obj, error.path)) is not None] += 1
    assert counts[True] > 6 * counts[False]
