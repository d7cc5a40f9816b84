"""What objects are drawn with beyond their schema: labels and annotations that steps name, lists of several items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.conversion.helpers.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Duplicate, Keep
from protoc_gen_crd.conversion.proof.comparing import at, put_at
from protoc_gen_crd.conversion.proof.laws import Convert
from protoc_gen_crd.samples.asked import varied
from protoc_gen_crd.samples.source import Source, one_of

_TEXTS = ("own", "a1")  # of what stands for no field
_ITEMS = 3


class Marks:
    """The labels and annotations of one version that the ways from and to it name.

    What stands for a field is drawn of what comes of the other version, since not every text does.
    """

    def __init__(self, way: Way, back: Way, convert: Convert, source: Source) -> None:
        named = {path for each in (way, back) for step in each.steps for path in (*step.reads(), *step.writes())}
        self.paths = sorted(path for path in named if paths.is_metadata(path))
        self._read = {path for step in way.steps if not isinstance(step, Keep | Duplicate) for path in step.reads()}
        self._version, self._convert, self._source = way.source, convert, source
        self._texts: dict[Path, list[str]] = {path: [] if path in self._read else [*_TEXTS] for path in self.paths}

    def learn(self, others: Iterable[Object]) -> None:
        """See what objects of the other version are shown with."""
        for other in others if self._read else ():
            try:
                made = self._convert(other, self._version)
            except ConversionError:
                continue
            for path, known in self._texts.items():
                text = at(made, path)
                if text is not MISSING and text not in known:
                    known.append(text)

    def marked(self, obj: Object) -> Object:
        """An object with some of them, with others than it had, or without."""
        for path in self.paths:
            drawn = self._source.below(4)
            known = self._texts[path]
            if drawn == 1:
                obj = _with(obj, path, MISSING)
            elif drawn > 1 and known:
                obj = _with(obj, path, one_of(self._source, known))
        return obj


def _with(obj: Object, path: Path, text: object) -> Object:
    """An object with a label or annotation, or without; servers leave no map empty."""
    metadata = obj.get("metadata", {})
    held = {name: each for name, each in metadata.get(path[1], {}).items() if name != path[2]}
    held = held if text is MISSING else {**held, path[2]: text}
    left = {name: each for name, each in metadata.items() if name != path[1]}
    return {**obj, "metadata": {**left, path[1]: held} if held else left}


def longer(obj: Object, lists: Sequence[tuple[Path, Sequence[str]]]) -> Iterator[Object]:
    """An object with several items in each list, all different, else different in their keys alone."""
    for path, keys in lists:
        items = at(obj, path)
        if type(items) is list and items and type(items[0]) is dict:
            first = items[0]
            every = [varied(first, place) for place in range(_ITEMS)]
            yield put_at(obj, path, every)
            alone = [
                {**first, **{key: varied(first[key], place) for key in keys if key in first}} for place in range(_ITEMS)
            ]
            yield put_at(obj, path, alone)
