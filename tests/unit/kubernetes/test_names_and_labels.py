"""Names and labels are valid if they match the expressions in the messages of API servers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protoc_gen_crd.kubernetes.dns_names_and_labels import (
    validate_dns1035_label,
    validate_dns1123_label,
    validate_dns1123_subdomain,
    validate_label_key,
    validate_label_value,
)

NAMES = st.text("aZ09-_.\n\u00e9", max_size=8) | st.text(max_size=8)
# Source: k8s.io/apimachinery pkg/util/validation validation.go.
GRAMMARS: dict[Callable[[str], list[str]], str] = {
    validate_dns1035_label: "[a-z]([-a-z0-9]*[a-z0-9])?",
    validate_dns1123_label: "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
    validate_dns1123_subdomain: r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
    partial(validate_label_key, newer=True): "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
    partial(validate_label_value, newer=True): "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
}


@pytest.mark.parametrize("validate", GRAMMARS, ids=GRAMMARS.values())
@given(name=NAMES)
def test_a_name_is_valid_if_it_matches(validate: Callable[[str], list[str]], name: str) -> None:
    name = name.replace("/", "")  # separates the parts of a key
    assert (validate(name) == []) == (re.fullmatch(GRAMMARS[validate], name) is not None)
