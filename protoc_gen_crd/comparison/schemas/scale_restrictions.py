"""Objects that the scale subresource rejects: values at its paths that are not replicas or a selector.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource validator.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.objects.scale_subresource import MAX_REPLICAS, validate_spec_replicas, validate_status
from protoc_gen_crd.comparison.schemas.enforced_keywords import get_lower_bound, get_types, get_upper_bound
from protoc_gen_crd.comparison.schemas.node_pair import PROPERTY, PRUNED, NodePair, get_child
from protoc_gen_crd.crd.crd import CrdVersion, Scale
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Json, Schema

_ENTRY = "{}"  # the step to the values of a map


def find_restricted_node(old: CrdVersion, new: CrdVersion, switches: Switches) -> NodePair | None:
    """Return the first node whose values the scale subresource restricts in the new version only, None without one."""
    if new.scale is None or old.schema is None or new.schema is None:
        return None
    root = NodePair(old.schema, new.schema, version=new)
    known = {*_list_paths(old.scale)} if old.scale else set()
    for path, is_selector in (reader for reader in _list_paths(new.scale) if reader not in known):
        nodes = list(_iterate_nodes(root, path))
        is_covered = [_is_covered([getattr(node, side) for node in nodes], switches, is_selector=is_selector)
                      for side in ("old", "new")]  # fmt: skip
        has_default = any(node.new.get("default") is not None for node in nodes)
        if not is_covered[1] and (has_default or not is_covered[0]):
            return nodes[-1]
    return None


def is_value_rejected(pair: NodePair, value: Json) -> bool:
    """Report whether the scale subresource of the new version rejects an object because of the value of a node."""
    scale = _get_scale(pair)
    if scale is None or not pair.path:
        return False
    for names, _ in _split_paths(pair):
        obj: Any = value
        for name in reversed(names):
            obj = {name: obj}
        if any((*validate_spec_replicas(scale, obj), *validate_status(scale, obj))):
            return True
    return False


def has_path_below(pair: NodePair) -> bool:
    """Report whether the scale subresource reads a node below a node."""
    return any(below for _, below in _split_paths(pair))


def is_null_rejected(pair: NodePair) -> bool:
    """Report whether the scale subresource rejects null at a node; it ignores null at its parents."""
    return any(not below for _, below in _split_paths(pair))


def find_entry_name(pair: NodePair) -> str:
    """Return the name of an entry of a map that the scale subresource reads or that contains it, empty without one."""
    return next((above[-1] for above, _ in _split_paths(pair)), "")


def _split_paths(pair: NodePair) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the names on the paths of the scale subresource to a node and below it; maps have entries of any name."""
    scale = _get_scale(pair)
    levels = [pair, *pair.iterate_ancestors()][-2::-1]
    steps = [level.path.removeprefix(level.get_parent().path).removeprefix(".") for level in levels]
    for path, _ in _list_paths(scale) if scale else ():
        names = path.removeprefix(".").split(".")
        above, below = names[: len(steps)], names[len(steps) :]
        if len(above) == len(steps) and all(step in (name, _ENTRY) for step, name in zip(steps, above, strict=True)):
            yield above, below


def _get_scale(pair: NodePair) -> Scale | None:
    """Return the scale subresource of the new version."""
    version = pair.get_root().version
    return version.scale if version else None


def _list_paths(scale: Scale) -> Iterator[tuple[str, bool]]:
    """Yield the paths, and whether their value is a selector."""
    yield scale.spec_replicas_path, False
    yield scale.status_replicas_path, False
    if scale.label_selector_path:
        yield scale.label_selector_path, True


def _iterate_nodes(root: NodePair, path: str) -> Iterator[NodePair]:
    """Yield the nodes along a path, without the root."""
    pair = root
    for name in path.removeprefix(".").split("."):
        old, new = (get_child(schema, PROPERTY, name) for schema in (pair.old, pair.new))
        pair = NodePair(old, new, f"{pair.path}.{name}".lstrip("."), PROPERTY, pair, name)
        yield pair


def _is_covered(schemas: list[Schema], switches: Switches, *, is_selector: bool) -> bool:
    """Report whether the schemas along a path reject or drop all values that the subresource rejects."""
    for schema in schemas[:-1]:
        if schema is PRUNED:
            return True
        if get_types(schema) != {"object"}:
            return False
    leaf = schemas[-1]
    if leaf is PRUNED:
        return True
    if leaf.get("nullable"):
        return False
    return get_types(leaf) == {"string"} if is_selector else _has_replicas(leaf, switches)


def _has_replicas(schema: Schema, switches: Switches) -> bool:
    """Report whether all values of a schema are integers in the range of replicas."""
    if get_types(schema) != {"integer"}:
        return False
    values = schema.get("enum")
    if values and all(0 <= value <= MAX_REPLICAS for value in values):
        return True
    lower, upper = (get(schema, schema.get("format"), switches) for get in (get_lower_bound, get_upper_bound))
    return lower is not None and lower >= (0, False) and upper is not None and upper[0] <= MAX_REPLICAS
