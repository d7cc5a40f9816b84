"""The page of CEL functions has every library, macro, and function of the environments."""

from __future__ import annotations

import pytest

from docs.reference.cel_functions import list_rows, page
from protoc_gen_crd.cel.environment import get_new_environment
from protoc_gen_crd.kubernetes.supported_versions import KUBERNETES_GO


def test_every_function_and_macro_has_a_row() -> None:
    text = page()
    for minor in KUBERNETES_GO:
        environment = get_new_environment(minor)
        named = [name for name in environment.functions if name[0].isalpha() and "@" not in name]
        assert [name for name in (*named, *environment.dialect.macros) if f"{name}(" not in text] == []


@pytest.mark.parametrize(
    ("signature", "new", "stored"),
    [  # from the documentation of Kubernetes: "CEL options, language features, and libraries"
        ("quantity(string) -> kubernetes.Quantity", "1.29", "1.28"),
        ("sets.contains(list(T), list(T)) -> bool", "1.30", "1.29"),
        ("ip(string) -> net.IP", "1.31", "1.30"),
        ("semver(string) -> kubernetes.Semver", "1.34", "1.33"),
        ("dyn.includes(dyn) -> bool", "after 1.37", "1.37"),
        ("list(A).all(item, condition)", "1.25", "1.25"),
    ],
)
def test_versions_are_those_of_kubernetes(signature: str, new: str, stored: str) -> None:
    (row,) = [row for row in list_rows() if row.signature == signature]
    assert (row.new, row.stored) == (new, stored)
