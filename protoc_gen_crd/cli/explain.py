"""`explain ID`: what a finding means and how to mend it, from the catalogue."""

from __future__ import annotations

import argparse

from protoc_gen_crd.base.catalogue import Rule, rules
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.cli.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument("id", nargs="?", help="the rule id, as it stands in brackets behind a finding")


def run(arguments: argparse.Namespace) -> int:
    """Print one section of the catalogue, or one line for each rule."""
    known = rules()
    if not arguments.id:
        width = max(map(len, known))
        for rule in known.values():
            print(f"{rule.id:{width}}  {rule.severity.name.lower():7}  {rule.summary}")
        return 0
    if arguments.id not in known:
        hint = suggestion(arguments.id, known) or "protoc-gen-crd explain lists all"
        raise UsageError(f'there is no finding "{arguments.id}"; {hint}')
    print(_section(known[arguments.id]))
    return 0


def _section(rule: Rule) -> str:
    fixed = ", whatever the settings say" if rule.fixed else ""
    return f"{rule.id} ({rule.severity.name.lower()}{fixed})\n\n{rule.text}"
