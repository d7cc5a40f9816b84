"""`explain ID`: documentation of a rule from the catalog."""

from __future__ import annotations

import argparse

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.findings.rule_catalog import CatalogRule, load_rules


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument("id", nargs="?", metavar="ID", help="the rule id, which is printed in brackets after a finding")


def run(arguments: argparse.Namespace) -> int:
    """Print the documentation of one rule, or a line for each rule."""
    rules = load_rules()
    if not arguments.id:
        width = max(map(len, rules))
        for catalog_rule in rules.values():
            print(f"{catalog_rule.id:{width}}  {catalog_rule.severity.name.lower():7}  {catalog_rule.summary}")
        return 0
    former = {rule.former: rule for rule in rules.values() if rule.former}
    rule = rules.get(arguments.id) or former.get(arguments.id)
    if rule is None:
        hint = suggest(arguments.id, rules) or "run `protoc-gen-crd explain` for a list of all rules"
        raise UsageError(f'unknown rule "{arguments.id}"; {hint}')
    print(_format_section(rule))
    return 0


def _format_section(rule: CatalogRule) -> str:
    fixed = ", cannot be changed in the settings" if rule.fixed else ""
    return f"{rule.id} ({rule.severity.name.lower()}{fixed})\n\n{rule.text}"
