"""Report lists without keys whose items have conversion data.

Without keys, conversion data identifies an item by its position. A client that removes an item moves all later items.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.document_hints import is_document_place
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import EachItem
from protoc_gen_crd.conversion.plan.conversion_data_entries import find_conversion_data
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.schema.schema import Schema

_SHOWN_FIELDS = 3
_MARKER_HINT = "mark the list +listType=map and +listMapKey=FIELD, with a field that both versions have"
_YAML_HINT = (
    "set x-kubernetes-list-type: map (listType=map) and x-kubernetes-list-map-keys: [FIELD], with a field that both "
    "versions have"
)
_SCALAR_HINT = "only lists of objects can have keys: make the items objects in both versions, with listType=map"


def find_lists_without_keys(direction: Direction, reverse: Direction) -> Iterator[tuple[EachItem, tuple[Path, ...]]]:
    """Yield the lists without keys whose items have conversion data, with the fields in question."""
    entries = [entry.path for entry in find_conversion_data(direction, reverse) if not (entry.empty or entry.absent)]
    for step in direction.steps:
        if isinstance(step, EachItem) and not step.keys:
            scope = step.source_scope
            fields = tuple([path for path in entries if path[: len(scope)] == scope])
            if fields:
                yield step, fields


def check_list_keys(plan: Plan, problems: Problems) -> None:
    """Report each list once, with all versions whose clients lose data."""
    lists: dict[tuple[Path, Place | None], _ListWithoutKeys] = {}
    for pair in plan.pairs:
        reported: set[frozenset[Path]] = set()
        for way, back in pair.get_directions():
            for step, fields in find_lists_without_keys(way, back):
                ends = frozenset((step.source, step.target))
                schema = paths.find_schema(plan.get_schema(way.source), step.source)
                if schema is not None and ends not in reported:
                    items = lists.setdefault((step.source, schema.origin), _ListWithoutKeys(step.source, schema))
                    items.add(way.target, paths.find_schema(plan.get_schema(way.target), step.target_scope), fields)
                reported.add(ends)
    for items in lists.values():
        items.report(problems)


class _ListWithoutKeys:
    """A list, the versions whose clients may remove items, and the fields of items that are then lost."""

    def __init__(self, path: Path, schema: Schema) -> None:
        self._path, self._schema = path, schema
        self._clients: dict[str, Schema | None] = {}
        self._fields: dict[Path, None] = {}

    def add(self, client: str, item: Schema | None, fields: tuple[Path, ...]) -> None:
        """Add a version that cannot represent some fields, with the schema of its items."""
        self._clients[client] = item
        self._fields |= dict.fromkeys(fields)

    def report(self, problems: Problems) -> None:
        """Report the list."""
        fields = [f'"{paths.format_path(path)}"' for path in self._fields]
        shown = ", ".join(fields[:_SHOWN_FIELDS])
        more = f" and {len(fields) - _SHOWN_FIELDS} more" if len(fields) > _SHOWN_FIELDS else ""
        clients = " or ".join(sorted(self._clients, key=get_age_key))
        problem = f'list "{paths.format_path(self._path)}" has no keys: if a client of {clients} removes an item, '
        problem += f"later items lose the conversion data of {shown}{more}"
        at = self._schema.origin
        owner = at.find_owner() if at else ""
        problems.report("conversion-list-keys", problem, at, path=owner, hint=self._suggest_keys())

    def _suggest_keys(self) -> str:
        if any(item is None or get_shape(item) != OBJECT for item in (self._schema.items, *self._clients.values())):
            return _SCALAR_HINT
        return _YAML_HINT if is_document_place(self._schema.origin) else _MARKER_HINT
