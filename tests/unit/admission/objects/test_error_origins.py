"""The errors in recorded verdicts of Kubernetes have an origin in the schema."""

from __future__ import annotations

import json
from collections import Counter

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.field_errors import INVALID, REQUIRED, Cause
from protoc_gen_crd.admission.objects.error_origins import find_error_origin
from protoc_gen_crd.admission.objects.error_paths import resolve_path
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.schema.schema import Schema, ValidationRule
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


def test_errors_of_keywords_do_not_come_from_rules() -> None:
    rules = (ValidationRule("self.a == ''"), ValidationRule("self.b == ''", message_expression="'no'"))
    field = Schema({"type": "string"})
    branch = Schema({"required": ("a",)})
    schema = Schema(
        {
            "type": "object",
            "properties": {"a": field, "b": field},
            "anyOf": (branch,),
            "x-kubernetes-validations": rules,
        }
    )
    required = Cause(REQUIRED, "a")
    origin = find_error_origin(required, schema, (), "a")
    assert origin is not None
    assert (origin.keyword, origin.rule) == ("anyOf", None)
    number = Cause(INVALID, "a", "a in body should be less than or equal to 1")
    origin = find_error_origin(number, schema, ("a",), "")
    assert origin is not None
    assert origin.rule is None
    accessor = Cause(INVALID, ".a", ".a accessor error: x is of the type string, expected int64")
    assert find_error_origin(accessor, schema, ("a",), "") is None
