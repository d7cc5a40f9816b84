"""Errors of rules and defaults that are masked by other errors of a schema.

A server validates defaults only in a structural schema, and compiles rules only if the defaults are valid. Rules whose
value has an invalid type are omitted here, so that no error is a consequence of another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface, RuleSite
from protoc_gen_crd.admission.crd.structure.schema_validation import SchemaValidator, get_schema_path
from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_DEFAULT,
    HAS_RULE,
    SCHEMA,
    STRUCTURAL,
    UNCONVERTIBLE,
    SchemaVisitor,
    select_findings,
)
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions
from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart
from protoc_gen_crd.admission.field_errors import INTERNAL, Cause
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema

# Paths of errors that do not affect the type or size of a value.
_HARMLESS = re.compile(
    r"\.(pattern|default|nullable|uniqueItems|x-kubernetes-(list-type|list-map-keys|map-type|validations\[.*))$"
)
_TOPOLOGY = re.compile(r"\.x-kubernetes-(list-type|list-map-keys|map-type)$")
_UNCORRELATABLE = "oldSelf cannot be used"


class UnmaskingSchemaValidator(SchemaValidator):
    """The validation of rules and defaults, independent of the errors of the stages before."""

    includes_rejected = True

    def __init__(self, visitor: SchemaVisitor, cel: CelInterface | None = None) -> None:
        super().__init__(visitor, cel)
        self._kept: list[Schema] = []  # kept alive, since the identities of nodes are keys

    def validate_schema(
        self, part: CrdPart, switches: Switches, options: ValidationOptions, **_: bool
    ) -> Iterator[Cause]:
        """Validate the rules and defaults of the schema of a part."""
        root = part.openapi
        report = self.visitor.visit_root(root) if root is not None else None
        if root is None or report is None or report.flags & UNCONVERTIBLE or not options.requires_structural:
            return
        findings = (
            *select_findings(report, STRUCTURAL, switches, options.ratcheted),
            *select_findings(report, SCHEMA, switches, options.ratcheted),
        )
        error_paths = [finding.path for finding in findings]
        if report.flags & HAS_DEFAULT:
            self._kept.append(_drop_invalid_defaults(root, error_paths))
            yield from self._validate_defaults(self._kept[-1], get_schema_path(part), switches, options)
        if report.flags & HAS_RULE and self.cel is not None:
            yield from self._validate_rules(part, root, error_paths, switches, options)

    def _validate_rules(
        self, part: CrdPart, root: Schema, error_paths: list[str], switches: Switches, options: ValidationOptions
    ) -> Iterator[Cause]:
        rules = self.collect_rules(part, root, switches, options)
        type_error_paths = [rules.path + path for path in error_paths if not _HARMLESS.search(path)]
        sites = tuple(
            [
                site
                for site in rules.sites
                if not any(path.startswith(_find_top_path(site)) for path in type_error_paths)
            ]
        )
        changes_topology = any(map(_TOPOLOGY.search, error_paths))
        for error in self.cel.compile_rules(rules.replace(sites=sites), switches) if self.cel is not None else ():
            if error.type != INTERNAL and not (changes_topology and _UNCORRELATABLE in error.detail):
                yield error


def _drop_invalid_defaults(node: Schema, error_paths: Sequence[str]) -> Schema:
    """Return a schema without the defaults of nodes that have errors of their own or below."""
    if not error_paths:
        return node
    changes: dict[str, Any] = {"default": None} if "default" in node else {}
    if isinstance(node.items, Schema):
        changes["items"] = _drop_invalid_defaults(node.items, _strip_step(".items", error_paths))
    if node.properties:
        changes["properties"] = {
            name: _drop_invalid_defaults(child, _strip_step(f".properties[{name}]", error_paths))
            for name, child in node.properties.items()
        }
    return node.with_keywords(changes) if changes else node


def _strip_step(step: str, error_paths: Sequence[str]) -> list[str]:
    return [path.removeprefix(step) for path in error_paths if path.startswith(step)]


def _find_top_path(site: RuleSite) -> str:
    """Return the path of the highest ancestor of a site with rules; CEL declares the site as a part of it."""
    steps = [step for _, step in site.ancestors]
    top = next(depth for depth, (node, _) in enumerate(site.ancestors) if node.get(VALIDATIONS))
    steps_below = "".join(steps[top:])
    return site.path.removesuffix(steps_below)
