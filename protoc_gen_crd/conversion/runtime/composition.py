"""Compose conversions between two spokes, for data that the hub has no field for.

A spoke is a version other than the hub. The conversion-data annotation of one spoke
may hold data that another spoke shows as a field: the object was converted through
another hub before, or a client of the other spoke has written it. Generated modules
have a direct conversion for such pairs of spokes. What it gives becomes conversion
data of the requested version, so that the conversion from the hub restores it.

On an object of the hub, each annotation is for what the hub shows. On an object of a
spoke, the annotation of another spoke is for what this one shows, so that updates of
its clients reach the other spoke.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .conversion_data import ITSELF, compact, same
from .metadata import annotations_of, layers, ours
from .runtime import MISSING, ConversionError, Object, Path, Ways

# From and to, where there is no direct conversion, by the fields without one.
Gaps = Mapping[tuple[str, str], Collection[Path]]


class Spokes:
    """Conversions to and from the hub that keep data of all spokes up to date."""

    def __init__(
        self, prefix: str, hub: str, ways: Ways, direct: Ways, gaps: Gaps
    ) -> None:
        self._prefix, self._hub = prefix, hub
        self._ways, self._direct, self._gaps = ways, direct, gaps

    def follows(self, own: str, name: str, text: Any) -> bool:
        """Whether an annotation on an object of a spoke is for what that one shows."""
        return (own, name) in self._direct and ours(text, own)

    def convert(self, source: Object, own: str, version: str) -> Object:
        """Convert an object whose annotations are all for this hub or for itself."""
        if self._hub in (own, version):
            return self._step(source, own, version)
        return self._step(self._step(source, own, self._hub), self._hub, version)

    def _step(self, source: Object, own: str, version: str) -> Object:
        """Convert to or from the hub, with the data of other spokes that is shown."""
        texts, left = self._texts(source), dict[str, Any]()
        for name, text in tuple(texts.items()):
            if name in (own, version, self._hub) or not ours(text, own):
                continue
            if (name, version) in self._gaps:
                self._check(source, name, version, text)
            elif self._known(own, name) and self._known(name, version):
                try:
                    kept, more = self._composed(source, (own, name, version), text)
                except ConversionError as error:
                    if version == self._hub:
                        continue  # it stays as it is until its version is read
                    annotation = self._prefix + name
                    reason = f"{error}, it is kept in the annotation {annotation}"
                    raise ConversionError(reason) from error.__cause__
                left[name] = kept
                texts[version] = _merged(texts.get(version), more, own)
        if not left:
            return self._ways[own, version](source)
        result = self._ways[own, version](self._having(source, texts))
        return self._having(result, self._texts(result) | left)

    def _composed(
        self, source: Object, versions: tuple[str, str, str], text: Any
    ) -> tuple[Any, Any]:
        """The conversion data of a spoke in another version, and that of this one.

        The latter is what a step of the object to this version does not show.
        """
        own, name, version = versions
        spoke = self._one(own, name, self._having(source, {name: text}))
        shown = self._one(name, version, self._having(spoke, {}))
        again = self._one(version, own, self._having(shown, {}))
        return self._text(shown, name), self._text(again, version)

    def _known(self, own: str, version: str) -> bool:
        return (own, version) in self._ways or (own, version) in self._direct

    def _one(self, own: str, version: str, obj: Object) -> Object:
        """Convert by one function."""
        way = self._ways.get((own, version)) or self._direct[own, version]
        return way(obj)

    def _check(self, source: Object, name: str, version: str, text: Any) -> None:
        """Reject an object with data that the requested version might show."""
        spoke = self._ways[self._hub, name](self._having(source, {name: text}))
        fields = self._gaps[name, version]
        for path in _kept(layers(text)[0][0][1], spoke, ()):
            if any(path[: len(field)] == field for field in fields):
                raise ConversionError(
                    f"{'.'.join(path)}: the value of {name} cannot be converted to"
                    f" {version}, it is kept in the annotation {self._prefix + name}"
                )

    def _texts(self, obj: Object) -> dict[str, Any]:
        """The conversion data of an object by version."""
        at = len(self._prefix)
        known = annotations_of(obj).items()
        return {
            name[at:]: text for name, text in known if name.startswith(self._prefix)
        }

    def _text(self, obj: Object, name: str) -> Any:
        return annotations_of(obj).get(self._prefix + name)

    def _having(self, obj: Object, texts: Mapping[str, Any]) -> Object:
        """The object with this conversion data alone."""
        known = annotations_of(obj).items()
        made = {name: text for name, text in known if not name.startswith(self._prefix)}
        made |= {self._prefix + name: text for name, text in texts.items() if text}
        if not (made or known):
            return obj
        metadata = {**obj["metadata"], "annotations": made} if "metadata" in obj else {}
        metadata = metadata or {"annotations": made}
        if not made:
            metadata.pop("annotations")
        left = {**obj, "metadata": metadata}
        if not metadata:
            left.pop("metadata")
        return left


def _merged(own: Any, other: Any, version: str) -> Any:
    """An annotation with the additional data of another one."""
    known = [layers(text)[0][:1] for text in (own, other)]
    if not all(known) or not ours(own, version):
        return own or other
    data = _union(known[0][0][1], known[1][0][1])
    return compact({"as": version, "data": data, "format": 1})


def _union(own: Any, other: Any) -> Any:
    """Entries of both; the first wins at equal paths."""
    if type(own) is not dict or type(other) is not dict:
        return own
    more = {name: known for name, known in other.items() if name not in own}
    return {name: _union(known, other.get(name)) for name, known in own.items()} | more


def _kept(data: Any, value: Any, path: Path) -> Iterator[Path]:
    """The fields with a value in conversion data that the object of its version has."""
    for name, known in data.items() if type(data) is dict else ():
        inner = value.get(name, MISSING) if type(value) is dict else value
        if type(known) is dict:
            yield from _kept(known, inner, (*path, name))
        elif type(known) is list and known[1:] not in ([], [{}]) and name != ITSELF:
            yield from (
                [(*path, name)] if inner is value or same(inner, known[1]) else ()
            )
