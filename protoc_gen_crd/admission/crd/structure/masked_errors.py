"""What servers would say of the rules and defaults of a schema of which they refuse something else first.

A server looks at defaults only in a schema that is structural, and compiles rules only where defaults are sound. What
is said here of rules follows from nothing that is refused: rules that see a value whose type is at fault are left out.
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
from protoc_gen_crd.admission.field_errors import INTERNAL, FieldError
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.cel.version_range import MinorRange
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema

# Paths of faults that no type or size of a value depends on.
_HARMLESS = re.compile(
    r"\.(pattern|default|nullable|uniqueItems|x-kubernetes-(list-type|list-map-keys|map-type|validations\[.*))$"
)
_TOPOLOGY = re.compile(r"\.x-kubernetes-(list-type|list-map-keys|map-type)$")
_UNCORRELATABLE = "oldSelf cannot be used"


class UnmaskingSchemaValidator(SchemaValidator):
    """The stages of rules and defaults alone, whatever the stages before them say."""

    includes_rejected = True

    def __init__(self, visitor: SchemaVisitor, cel: CelInterface | None = None) -> None:
        super().__init__(visitor, cel)
        self._kept: list[Schema] = []  # alive, since what is made of nodes is known by identity

    def validate_schema(
        self, part: CrdPart, switches: Switches, options: ValidationOptions, **_: bool
    ) -> Iterator[FieldError]:
        """What is wrong with rules and defaults of the schema at this place."""
        root = part.openapi
        report = self.visitor.visit_root(root) if root is not None else None
        if root is None or report is None or report.flags & UNCONVERTIBLE or not options.requires_structural:
            return
        stages = (
            *select_findings(report, STRUCTURAL, switches, options.ratcheted),
            *select_findings(report, SCHEMA, switches, options.ratcheted),
        )
        faults = [found.path for found in stages]
        if report.flags & HAS_DEFAULT:
            self._kept.append(_drop_invalid_defaults(root, faults))
            yield from self._validate_defaults(self._kept[-1], get_schema_path(part), switches, options)
        if report.flags & HAS_RULE and self.cel is not None:
            yield from self._validate_rules(part, root, faults, switches, options)

    def _validate_rules(
        self, part: CrdPart, root: Schema, faults: list[str], switches: Switches, options: ValidationOptions
    ) -> Iterator[FieldError]:
        rules = self.collect_rules(part, root, switches, options)
        typed = [rules.path + path for path in faults if not _HARMLESS.search(path)]
        sites = tuple(
            [site for site in rules.sites if not any(path.startswith(_find_top_path(site)) for path in typed)]
        )
        era = MinorRange(switches.minor)
        moved = any(map(_TOPOLOGY.search, faults))
        for error in self.cel.compile_rules(rules.replace(sites=sites), era) if self.cel is not None else ():
            if error.type != INTERNAL and not (moved and _UNCORRELATABLE in error.detail):
                yield error
        switches.evaluate(era.contains)


def _drop_invalid_defaults(node: Schema, faults: Sequence[str]) -> Schema:
    """A schema less the defaults of nodes that are at fault themselves or below."""
    if not faults:
        return node
    changes: dict[str, Any] = {"default": None} if "default" in node else {}
    if isinstance(node.items, Schema):
        changes["items"] = _drop_invalid_defaults(node.items, _strip_step(".items", faults))
    if node.properties:
        changes["properties"] = {
            name: _drop_invalid_defaults(child, _strip_step(f".properties[{name}]", faults))
            for name, child in node.properties.items()
        }
    return node.with_keywords(changes) if changes else node


def _strip_step(step: str, faults: Sequence[str]) -> list[str]:
    return [path.removeprefix(step) for path in faults if path.startswith(step)]


def _find_top_path(site: RuleSite) -> str:
    """The path of the highest node above a site that has rules too: as part of that one CEL sees the site."""
    steps = [step for _, step in site.ancestors]
    top = next(depth for depth, (node, _) in enumerate(site.ancestors) if node.get(VALIDATIONS))
    below = "".join(steps[top:])
    return site.path.removesuffix(below)
