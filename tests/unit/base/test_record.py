"""Records: values by name or position, and changed copies."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.base.record import Record, RecordType


class Version(Record):
    """A record with a default."""

    name: str
    served: bool = True


Large = RecordType(
    "Large", (Record,), {"__annotations__": dict.fromkeys([f"f{at}" for at in range(100)], "int"), "f99": 9}
)


def test_a_record_with_many_fields_is_like_others() -> None:
    large: Any = Large(*range(98), f98=98)
    assert (large.f0, large.f98, large.f99, large.replace(f0=5).f0) == (0, 98, 9, 5)
    for arguments in ((*range(98),), (*range(101),)):
        with pytest.raises(TypeError):
            Large(*arguments)
    with pytest.raises(TypeError, match="shown"):
        large.replace(shown=True)


def test_fields_can_be_set_by_name_and_by_position() -> None:
    assert Version("v1") == Version(name="v1", served=True) != Version("v1", served=False)


def test_replace_returns_a_changed_copy_and_rejects_unknown_fields() -> None:
    version = Version("v1")
    assert (version.replace(served=False), version) == (Version("v1", served=False), Version("v1"))
    with pytest.raises(TypeError, match="shown"):
        version.replace(shown=True)
