"""Rules about missing bounds of sizes. They are for new elements: a bound on a released field rejects objects.

Sources: Kubernetes' API conventions ("Validation"); kube-api-linter's maxlength; Istio's API guidelines.
"""

from __future__ import annotations

from protoc_gen_crd.lint.lint_rule import NODE, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import SchemaElement
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

# Keywords and formats that bound a string in another way.
_BOUNDED_FORMATS = ("date", "date-time", "duration", "uuid", "ipv4", "ipv6", "cidr", "int-or-string", "quantity")


def _check_string(node: SchemaElement) -> Issue | None:
    schema = node.schema
    if schema.type != "string" or {"enum", "maxLength", INT_OR_STRING} & schema.keywords.keys():
        return None
    if schema.get("format") in _BOUNDED_FORMATS:
        return None
    return Issue(
        f'string "{node.key}" has no maximum length', "set maxLength now: a later maximum can reject existing objects"
    )


def _check_list(node: SchemaElement) -> Issue | None:
    if node.schema.type != "array" or "maxItems" in node.schema:
        return None
    return Issue(
        f'list "{node.key}" has no maximum size', "set maxItems now: a later maximum can reject existing objects"
    )


def _check_map(node: SchemaElement) -> Issue | None:
    if not isinstance(node.schema.additional, Schema) or "maxProperties" in node.schema:
        return None
    return Issue(
        f'map "{node.key}" has no maximum size', "set maxProperties now: a later maximum can reject existing objects"
    )


RULES = (
    LintRule("lint-unbounded-string", (NODE,), _check_string, for_new=True),
    LintRule("lint-unbounded-list", (NODE,), _check_list, for_new=True),
    LintRule("lint-unbounded-map", (NODE,), _check_map, for_new=True),
)
