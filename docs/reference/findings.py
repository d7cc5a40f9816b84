"""The page of findings, from the catalog that `explain` prints."""

from __future__ import annotations

from docs.reference.text import table
from protoc_gen_crd.findings.rule_catalog import load_rules

_INTRODUCTION = """# Findings

This reference is for everyone who gets a finding. It lists all findings by rule ID.
`protoc-gen-crd explain ID` prints the same documentation. The
severities are the defaults. [`findings`](settings.md#findings) in the settings file changes them.

"""


def page() -> str:
    """Every rule id with its severity and first paragraph, linked to its documentation."""
    rows = [
        (
            f"[`{rule.id}`](../protoc_gen_crd/findings/{rule.topic}.md#{rule.id})",
            rule.severity.name.lower() + (" (fixed)" if rule.fixed else ""),
            rule.summary,
        )
        for rule in load_rules().values()
    ]
    return _INTRODUCTION + table(("rule", "severity", "finding"), rows).rstrip("\n") + "\n"
