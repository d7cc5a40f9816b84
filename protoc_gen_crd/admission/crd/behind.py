"""What servers would say of the rules and defaults of a schema of which they refuse something else first.

A server looks at defaults only in a schema that is structural, and compiles rules only where defaults are sound. What
is said here of rules follows from nothing that is refused: rules that see a value whose type is at fault are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.cel import Cel, Site
from protoc_gen_crd.admission.crd.held import Part
from protoc_gen_crd.admission.crd.options import Options
from protoc_gen_crd.admission.crd.survey import (
    HAS_DEFAULT,
    HAS_RULE,
    SCHEMA,
    STRUCTURAL,
    UNCONVERTIBLE,
    Survey,
    said,
)
from protoc_gen_crd.admission.crd.validation import Stages, path_of
from protoc_gen_crd.admission.errors import INTERNAL, FieldError
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.schema.types import VALIDATIONS, Schema

# Paths of faults that no type or size of a value depends on.
_HARMLESS = re.compile(
    r"\.(pattern|default|nullable|uniqueItems|x-kubernetes-(list-type|list-map-keys|map-type|validations\[.*))$"
)
_TOPOLOGY = re.compile(r"\.x-kubernetes-(list-type|list-map-keys|map-type)$")
_UNCORRELATABLE = "oldSelf cannot be used"


class Behind(Stages):
    """The stages of rules and defaults alone, whatever the stages before them say."""

    every = True

    def __init__(self, survey: Survey, cel: Cel | None = None) -> None:
        super().__init__(survey, cel)
        self._kept: list[Schema] = []  # alive, since what is made of nodes is known by identity

    def schema(self, part: Part, switches: Switches, options: Options, **_: bool) -> Iterator[FieldError]:
        """What is wrong with rules and defaults of the schema at this place."""
        root = part.openapi
        report = self.survey.of(root) if root is not None else None
        if root is None or report is None or report.bits & UNCONVERTIBLE or not options.structural:
            return
        stages = (*said(report, STRUCTURAL, switches, options.eased), *said(report, SCHEMA, switches, options.eased))
        faults = [found.path for found in stages]
        if report.bits & HAS_DEFAULT:
            self._kept.append(_judgeable(root, faults))
            yield from self._defaults(self._kept[-1], path_of(part), switches, options)
        if report.bits & HAS_RULE and self.cel is not None:
            yield from self._of_rules(part, root, faults, switches, options)

    def _of_rules(
        self, part: Part, root: Schema, faults: list[str], switches: Switches, options: Options
    ) -> Iterator[FieldError]:
        rules = self.rules(part, root, switches, options)
        typed = [rules.path + path for path in faults if not _HARMLESS.search(path)]
        sites = tuple([site for site in rules.sites if not any(path.startswith(_top(site)) for path in typed)])
        era = Era(switches.minor)
        moved = any(map(_TOPOLOGY.search, faults))
        for error in self.cel.compiled(rules.replace(sites=sites), era) if self.cel is not None else ():
            if error.type != INTERNAL and not (moved and _UNCORRELATABLE in error.detail):
                yield error
        switches.ask(era.holds)


def _judgeable(node: Schema, faults: Sequence[str]) -> Schema:
    """A schema less the defaults of nodes that are at fault themselves or below."""
    if not faults:
        return node
    changes: dict[str, Any] = {"default": None} if "default" in node else {}
    if isinstance(node.items, Schema):
        changes["items"] = _judgeable(node.items, _inside(".items", faults))
    if node.properties:
        changes["properties"] = {
            name: _judgeable(child, _inside(f".properties[{name}]", faults)) for name, child in node.properties.items()
        }
    return node.having(changes) if changes else node


def _inside(step: str, faults: Sequence[str]) -> list[str]:
    return [path.removeprefix(step) for path in faults if path.startswith(step)]


def _top(site: Site) -> str:
    """The path of the highest node above a site that has rules too: as part of that one CEL sees the site."""
    steps = [step for _, step in site.above]
    top = next(depth for depth, (node, _) in enumerate(site.above) if node.get(VALIDATIONS))
    below = "".join(steps[top:])
    return site.path.removesuffix(below)
