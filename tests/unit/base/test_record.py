"""Records: values by name or position, and changed copies."""

from __future__ import annotations

import pytest

from protoc_gen_crd.base.record import Record


class Version(Record):
    """A record with a default."""

    name: str
    served: bool = True


def test_fields_can_be_set_by_name_and_by_position() -> None:
    assert Version("v1") == Version(name="v1", served=True) != Version("v1", served=False)


def test_replace_returns_a_changed_copy_and_rejects_unknown_fields() -> None:
    version = Version("v1")
    assert (version.replace(served=False), version) == (Version("v1", served=False), Version("v1"))
    with pytest.raises(TypeError, match="shown"):
        version.replace(shown=True)
