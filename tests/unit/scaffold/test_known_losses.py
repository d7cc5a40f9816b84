"""Losses of existing CRDs are accepted, new ones are not."""

from __future__ import annotations

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Finding, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.scaffold.known_losses import KnownLoss, find_known_losses

_NAME = "lamps.acme.example"  # the path of elements without a .proto file
_LOSS = Finding("version-loss", "", path=_NAME)
_DIFFERS = Finding("version-differs", "", path=_NAME)


def _make_crd(v1: dict[str, object], v1beta1: dict[str, object]) -> Crd:
    versions = [
        {
            "name": name,
            "served": True,
            "storage": name == "v1",
            "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
        }
        for name, properties in (("v1", v1), ("v1beta1", v1beta1))
    ]
    names = {"kind": "Lamp", "plural": "lamps"}
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": _NAME},
            "spec": {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": versions},
        }
    ).crd
    assert crd
    return crd


_STRING = {"type": "string"}
_OLD = _make_crd({"color": _STRING, "room": _STRING}, {"room": _STRING})
_NEW = _make_crd({"color": _STRING, "room": _STRING}, {"room": {"type": "boolean"}})


def test_a_loss_of_the_existing_crd() -> None:
    assert find_known_losses([_LOSS, _LOSS, _DIFFERS], [_OLD], [_OLD], ()) == (KnownLoss("version-loss", _NAME),)


def test_a_constraint_that_differs() -> None:
    crd = _make_crd({"color": {"type": "string", "maxLength": 9}}, {"color": _STRING})
    assert find_known_losses([_DIFFERS], [crd], [crd], ()) == (KnownLoss("version-differs", _NAME),)


def test_a_new_loss() -> None:
    assert find_known_losses([_LOSS], [_NEW], [_OLD], ()) == ()


def test_a_loss_of_a_new_kind() -> None:
    assert find_known_losses([_LOSS], [_OLD], [], ()) == ()


def test_an_accepted_loss() -> None:
    entry = PolicyEntry("version-loss", Severity.OFF, _NAME)
    assert find_known_losses([_LOSS], [_OLD], [_OLD], [entry]) == ()


def test_a_loss_that_a_conversion_prevents() -> None:
    """`generate` does not report it."""
    assert find_known_losses([], [_OLD], [_OLD], ()) == ()
