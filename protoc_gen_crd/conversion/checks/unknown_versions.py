"""Report unknown versions in declarations."""

from __future__ import annotations

import re

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.conversion.derivation.conversion_options import iterate_declarations
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.findings.finding import Problems


def check_versions(plan: Plan, problems: Problems) -> None:
    """Report unknown versions in declarations."""
    names = [version.name for version in plan.crd.versions]
    seen: set[int] = set()
    for version in plan.crd.versions:
        for declaration in iterate_declarations(version.schema) if version.schema else ():
            for name in declaration.values.get("versions") or ():
                if name not in names and id(declaration.values) not in seen:
                    seen.add(id(declaration.values))
                    problem = f'unknown version "{name}": the versions of the kind are {", ".join(names)}'
                    listed_names = [known_name for known_name in names if known_name in re.findall(r"\w+", name)]
                    list_hint = f"list the versions: [{', '.join(map(bounded_json.format_json, listed_names))}]"
                    hint = list_hint if len(listed_names) > 1 else problems.suggest(name, names)
                    problems.report(
                        "conversion-version", problem, declaration.origin, path=declaration.owner, hint=hint
                    )
