"""Every error of Kubernetes' recorded answers leads back to a keyword or a rule of the schema, or says why not."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from protoc_gen_crd.admission.crd.compiling import Compiler
from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.testing.origins import origin_of
from protoc_gen_crd.testing.places import located
from tests.conftest import ROOT

VERDICTS = ROOT / "testdata" / "verdicts" / "1.37" / "create.jsonl"


@pytest.mark.skipif(not VERDICTS.exists(), reason="no recorded rows of objects")
def test_errors_lead_back_to_the_schema() -> None:
    server, known = Server([37], Compiler()), Counter[bool]()
    for line in VERDICTS.read_text("utf-8").splitlines():
        given = json.loads(line)["input"]
        crd = decode(given.get("crd")).crd
        obj = given.get("obj")
        if crd is None or not isinstance(obj, dict) or server.admit(crd)[0].refused:
            continue
        schema = next(
            (each.schema for each in crd.versions if obj.get("apiVersion") == f"{crd.group}/{each.name}"), None
        )
        if schema is None:
            continue
        for error in server.validate(crd, obj)[0].errors:
            if not error.path.startswith(("metadata", "<nil>", "apiVersion", "kind")):
                known[origin_of(error, schema, *located(obj, error.path)) is not None] += 1
    assert known[True] > 6 * known[False]
