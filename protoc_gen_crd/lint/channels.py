"""Rules about release channels.

Source: Istio's API guidelines: new kinds, and new fields of stable versions, start in a channel other than the default.
"""

from __future__ import annotations

from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.lint.lint_rule import ERROR, ISTIO, NODE, VERSION, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import CrdElement, SchemaElement
from protoc_gen_crd.schema.schema import CHANNEL

_STABLE = 2


def _check_version(version: CrdElement) -> Issue | None:
    if version.version is None or version.version.channel:
        return None
    return Issue(
        f"{version.name} is a new version without a release channel",
        'add the release channel "extended" to its message',
    )


def _check_field(node: SchemaElement) -> Issue | None:
    version = node.owner.version
    parsed = parse_version(version.name) if version else None
    if not node.field or version is None or version.channel or parsed is None or parsed[1] < _STABLE:
        return None
    if any((part.schema.facts or {}).get(CHANNEL) for part in (node, *node.iterate_ancestors())):
        return None
    message = f'"{node.path}" is a new field of {node.kind_name} {version.name} without a release channel'
    return Issue(message, 'add the release channel "extended" to the field')


RULES = (
    LintRule("lint-channel-kind", (VERSION,), _check_version, {ISTIO: ERROR}, for_new=True),
    LintRule("lint-channel-field", (NODE,), _check_field, {ISTIO: ERROR}, for_new=True),
)
