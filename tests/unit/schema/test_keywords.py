from __future__ import annotations

from protoc_gen_crd.schema.keywords import KEYWORDS


def test_table_has_every_keyword_of_the_server() -> None:
    assert len(KEYWORDS) == 44
    assert list(KEYWORDS)[:4] == ["id", "$schema", "$ref", "description"]
    assert list(KEYWORDS)[-1] == "x-kubernetes-validations"


def test_fields_are_named_as_in_go() -> None:
    assert [KEYWORDS[name].field for name in ("$ref", "maxLength", "x-kubernetes-list-type")] == [
        "Ref",
        "MaxLength",
        "XListType",
    ]


def test_zeros() -> None:
    zeros = {name: KEYWORDS[name].zero for name in ("type", "nullable", "$ref", "maximum", "enum", "default")}
    assert zeros == {"type": "", "nullable": False, "$ref": None, "maximum": None, "enum": None, "default": None}
