"""Records of many fields, which are given by name, are as those of a few."""

from __future__ import annotations

import pytest

from protoc_gen_crd.settings.settings import Settings


def test_a_record_of_many_fields_takes_what_it_has_by_name() -> None:
    made = Settings(format="json")
    assert (made.format, made.replace(format="yaml")) == ("json", Settings())
    with pytest.raises(TypeError, match=r"unknown: formats$"):
        made.replace(formats="json")
