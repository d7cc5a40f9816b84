"""Every error of Kubernetes' recorded answers leads back to a keyword or a rule of the schema, or says why not."""

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


def test_errors_lead_back_to_the_schema() -> None:
    server, known = AdmissionServer([37], RuleCompiler()), Counter[bool]()
    for line in VERDICTS.read_text("utf-8").splitlines():
        given = json.loads(line)["input"]
        crd = decode(given.get("crd")).crd
        obj = given.get("obj")
        if crd is None or not isinstance(obj, dict) or server.admit(crd)[0].rejected:
            continue
        schema = next(
            (each.schema for each in crd.versions if obj.get("apiVersion") == f"{crd.group}/{each.name}"), None
        )
        if schema is None:
            continue
        for error in server.validate(crd, obj)[0].errors:
            if not error.path.startswith(("metadata", "<nil>", "apiVersion", "kind")):
                known[find_error_origin(error, schema, *resolve_path(obj, error.path)) is not None] += 1
    assert known[True] > 6 * known[False]
