"""Fields whose types have another name: a type with the same fields is no other type on the wire."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.protos.member_groups import DESCRIPTOR
from protoc_gen_crd.comparison.protos.proto_comparison import TYPE, compare_protos
from protoc_gen_crd.comparison.protos.proto_summary import ProtoSummary, ProtoType

_DEPTH = 60  # the number of paths through the types is 2 to the power of this


def _make_side(prefix: str, innermost: str) -> ProtoSummary:
    """Return messages that each have two fields of the next one, and the last one a field of type `innermost`."""
    names = [f"a.{prefix}{level}" for level in range(_DEPTH)]
    fields = [{name: {"number": at, "type": inner} for at, name in ((1, "x"), (2, "y"))} for inner in names[1:]]
    fields.append({"x": {"number": 1, "type": innermost}})
    messages = {"a.Root": {"root": {"number": 1, "type": names[0]}}, **dict(zip(names, fields, strict=True))}
    types = {name: ProtoType("message", {"file": "a.proto"}, members) for name, members in messages.items()}
    return ProtoSummary({"a.proto": {"package": "a", "syntax": "proto3"}}, types)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [("int32", "int32", DESCRIPTOR), ("int32", "int64", TYPE), ("a.Old0", "a.New0", DESCRIPTOR)],
)
def test_renamed_types_are_compared_once(old: str, new: str, rule: str) -> None:
    differences = compare_protos(_make_side("Old", old), _make_side("New", new))
    assert [row.difference.rule for row in differences if (row.owner, row.member) == ("a.Root", "root")] == [rule]
