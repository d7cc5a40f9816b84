"""Rules about unions: objects with one of several members.

Source: Kubernetes' API conventions ("Unions").
"""

from __future__ import annotations

from protoc_gen_crd.lint.lint_rule import ISTIO, NODE, OFF, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import SchemaElement
from protoc_gen_crd.schema.schema import TYPE, NamedType, Schema


def _check_discriminator(node: SchemaElement) -> Issue | None:
    members = _list_members(node)
    properties = node.schema.properties
    if len({name.replace("_", "").lower() for name in members}) < 2 or any(map(_is_enum, properties.values())):
        return None
    names = ", ".join(f'"{name}"' for name in members)
    message = f"the union of {names} has no discriminator"
    kind: NamedType | None = (node.schema.facts or {}).get(TYPE)
    at = kind.schema.origin if kind and kind.schema else None
    return Issue(message, 'add a required enum, such as "type", whose value is the name of the member that is set', at)


def _is_enum(schema: Schema) -> bool:
    return bool(schema.get("enum"))


def _list_members(node: SchemaElement) -> list[str]:
    """Return the properties of which a schema requires exactly one."""
    choices = node.schema.get("oneOf") or ()
    required: list[list[str]] = [child.get("required") or [] for child in choices]
    names = {names[0] for names in required if len(names) == 1}
    return sorted(names & node.schema.properties.keys())


RULES = (LintRule("lint-union", (NODE,), _check_discriminator, {ISTIO: OFF}, for_new=True),)
