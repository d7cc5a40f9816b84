"""Random labels, annotations and lists of several items, which schemas alone do not produce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import Duplicate, Keep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.proof.data_comparison import get_value, replace_value
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.runtime.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.samples.cel_function_hints import vary_value
from protoc_gen_crd.samples.random_source import RandomSource, choose_one

_SAMPLE_VALUES = ("own", "a1")  # labels and annotations that no field converts to
_ITEM_COUNT = 3


class MetadataSampler:
    """The labels and annotations of one version that the steps of both directions name.

    Values with a field in the other version come from converted objects, since not every string is valid.
    """

    def __init__(self, direction: Direction, reverse: Direction, convert: Convert, source: RandomSource) -> None:
        used_paths = {
            path
            for one_direction in (direction, reverse)
            for step in one_direction.steps
            for path in (*step.get_reads(), *step.get_writes())
        }
        self.paths = sorted(path for path in used_paths if paths.is_metadata_entry(path))
        self._read = {
            path for step in direction.steps if not isinstance(step, Keep | Duplicate) for path in step.get_reads()
        }
        self._version, self._convert, self._source = direction.source, convert, source
        self._values: dict[Path, list[str]] = {
            path: [] if path in self._read else [*_SAMPLE_VALUES] for path in self.paths
        }

    def collect_values(self, others: Iterable[Object]) -> None:
        """Collect the values that objects of the other version convert to."""
        for other in others if self._read else ():
            try:
                converted = self._convert(other, self._version)
            except ConversionError:
                continue
            for path, values in self._values.items():
                value = get_value(converted, path)
                if value is not MISSING and value not in values:
                    values.append(value)

    def set_random_metadata(self, obj: Object) -> Object:
        """Return an object with some of them set, changed or removed."""
        for path in self.paths:
            drawn = self._source.draw(4)
            values = self._values[path]
            if drawn == 1:
                obj = _set_metadata(obj, path, MISSING)
            elif drawn > 1 and values:
                obj = _set_metadata(obj, path, choose_one(self._source, values))
        return obj


def _set_metadata(obj: Object, path: Path, value: object) -> Object:
    """Return an object with or without a label or annotation; servers drop empty maps."""
    metadata = obj.get("metadata", {})
    entries = {name: item for name, item in metadata.get(path[1], {}).items() if name != path[2]}
    entries = entries if value is MISSING else {**entries, path[2]: value}
    others = {name: item for name, item in metadata.items() if name != path[1]}
    return {**obj, "metadata": {**others, path[1]: entries} if entries else others}


def extend_lists(obj: Object, lists: Sequence[tuple[Path, Sequence[str]]]) -> Iterator[Object]:
    """Yield an object with several different items in each list, or items that differ only in their keys."""
    for path, keys in lists:
        items = get_value(obj, path)
        if type(items) is list and items and type(items[0]) is dict:
            first = items[0]
            every = [vary_value(first, place) for place in range(_ITEM_COUNT)]
            yield replace_value(obj, path, every)
            alone = [
                {**first, **{key: vary_value(first[key], place) for key in keys if key in first}}
                for place in range(_ITEM_COUNT)
            ]
            yield replace_value(obj, path, alone)
