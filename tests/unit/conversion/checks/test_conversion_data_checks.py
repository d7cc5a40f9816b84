"""Findings on conversion data that is secret or may exceed the size limit of annotations."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd import ConversionError, Converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.support.conversion import Object, crd, fields, rules

LONG = "x" * 140_000
HIDDEN: Object = {"type": "string", "format": "password"}


def text(most: int) -> Object:
    return {"type": "string", "maxLength": most}


def listed(most: int, items: Object) -> Object:
    return {"type": "array", "maxItems": most, "items": items}


def make_objects(kept: Object) -> tuple[Object, Object]:
    """A kind whose v2 has an additional field, which its rules keep."""
    ways = rules(("v1", "v2", []), ("v2", "v1", []))
    ways["spec"]["conversions"][1]["preserve"] = ["spec.kept"]
    return crd(v1=fields(), v2=fields(kept=kept)), ways


def findings(kept: Object) -> list[tuple[str, str]]:
    known, ways = make_objects(kept)
    problems = Problems()
    result = decode(known).crd
    assert result is not None
    file = RuleReader(lambda _: Location(""), problems).read(ways)
    build_plan(result, problems, [file.replace(name=result.name)])
    return [(finding.rule, finding.message) for finding in problems.findings]


@pytest.mark.parametrize(
    ("kept", "path"),
    [
        (HIDDEN, "spec.kept"),
        (fields(user=text(9), token=HIDDEN), "spec.kept.token"),
        (listed(2, fields(token=HIDDEN)), "spec.kept[].token"),
        ({"type": "object", "additionalProperties": HIDDEN}, "spec.kept[key]"),
    ],
)
def test_secrets_are_not_kept_in_conversion_data(kept: Object, path: str) -> None:
    (result,) = findings(kept)
    assert result[0] == "conversion-secret"
    assert f'field "{path}" of v2 has format password' in result[1]
    with pytest.raises(ValueError, match="has format password"):
        Converter(*make_objects(kept))


@pytest.mark.parametrize(
    ("kept", "full"),
    [
        (text(262_145), "x" * 262_145),
        (listed(30_000, text(7)), ["x" * 7] * 30_000),
        ({"type": "object", "maxProperties": 100_000, "additionalProperties": {"type": "boolean"}},
         {f"{number}": True for number in range(100_000)}),
        (fields(a=text(140_000), b={"type": "string", "enum": [LONG]}), {"a": LONG, "b": LONG}),
    ],
)  # fmt: skip
def test_data_above_the_annotation_limit_is_reported_and_not_converted(kept: Object, full: Any) -> None:
    assert [rule for rule, _ in findings(kept)] == ["conversion-size"]
    obj = {"apiVersion": "acme.example/v2", "kind": "Thing", "spec": {"kept": full}}
    with pytest.raises(ConversionError, match="exceed the limit of 262,144 with conversion data"):
        Converter(*make_objects(kept)).convert(obj, "v1")


@pytest.mark.parametrize(
    "kept", [text(262_000), {"type": "string"}, listed(9, {"type": "string"}), listed(20_000, text(7))]
)
def test_data_that_fits_or_has_no_bounds_is_not_reported(kept: Object) -> None:
    assert findings(kept) == []
