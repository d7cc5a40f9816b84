"""CRDs to admit: sound ones, to be made faulty by the tests."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder

NAMES = Names("Thing", "things")


def at(line: int) -> Location:
    return Location("thing.proto", line)


def schema(plain: dict[str, Any]) -> Schema:
    decoded: Schema = make_decoder().decode(plain, PROPS)
    return decoded


def spec(**properties: Any) -> Schema:
    """A root schema with these properties of its spec, given as plain data."""
    return schema({"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}})


def crd(root: Schema | None = None, *versions: CrdVersion, **members: Any) -> Crd:
    version = CrdVersion("v1", root or spec(a={"type": "string"}), storage=True, origin=at(2))
    attributes: dict[str, Any] = {"group": "example.com", "names": NAMES, "scope": "Namespaced", "origin": at(1)}
    return Crd(**attributes | members, versions=versions or (version,))


def manifest(root: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """A CRD as plain data; `members` are those of its spec."""
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": root or {"type": "object", "properties": {"a": {"type": "string"}}}},
    }
    names = {"kind": "Thing", "plural": "things"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version], **members},
    }


def only(verdicts: tuple[Verdict, ...]) -> Verdict:
    (verdict,) = verdicts
    return verdict


def list_errors(definition: Crd, minor: int = 37, old: Crd | None = None) -> list[str]:
    verdict = only(AdmissionServer([minor]).admit(definition, old))
    return [cause.message for cause in verdict.causes]
