"""Compose conversions between two spokes, for data that the hub has no field for.

A spoke is a version other than the hub. The conversion-data annotation of one spoke
may contain data that another spoke shows as a field: the object was converted through
another hub before, or a client of the other spoke has written it. Generated modules
have a direct conversion for such pairs of spokes. Its result is conversion data of the
requested version, which the conversion from the hub restores.

On an object of the hub, each annotation is for the fields of the hub. On an object of a
spoke, the annotation of another spoke is for the fields of this one, so that updates of
its clients reach the other spoke.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .container_conversion import names_of
from .conversion_data import ITSELF, compact, get_shown_hash, same
from .object_annotations import annotations_of, layers, ours
from .runtime import MISSING, ConversionError, Conversions, Object, Path

# From and to, where there is no direct conversion, by the fields without one.
Gaps = Mapping[tuple[str, str], Collection[Path]]


# Data without a value: a field that is absent, and an empty object.
_EMPTY: Collection[list[Any]] = ([], [{}])
_UNSET: Collection[list[Any]] = ([],)


class Spokes:
    """Conversions to and from the hub that keep data of all spokes up to date."""

    def __init__(
        self,
        prefix: str,
        hub: str,
        conversions: Conversions,
        direct: Conversions,
        gaps: Gaps,
    ) -> None:
        self._prefix, self._hub = prefix, hub
        self._conversions, self._direct, self._gaps = conversions, direct, gaps
        self._is_trial = False
        self._stored: Collection[str] = ()  # the versions with data before a conversion

    def wrote(self, own: str, data: Mapping[str, Any]) -> bool:
        """Return true if modules with this hub can have written all annotations.

        `own` is the version of the object, and `data` the annotations by version.
        """
        return own not in data and all(
            ours(annotation, own if name == self._hub else self._hub)
            or ((own, name) in self._direct and ours(annotation, own))
            for name, annotation in data.items()
        )

    def composes(self, own: str, version: str, data: Mapping[str, Any]) -> bool:
        """Return true if there are conversions for data between these versions.

        Data of the requested version for the fields of the hub is restored from there.
        """
        return all(
            end == name or self._known(end, name)
            for end in (own, version)
            for name in (self._hub, *data)
            if name != version or not ours(data.get(name), self._hub)
        )

    def convert(self, source: Object, own: str, version: str) -> Object:
        """Convert an object whose annotations are for this hub or its own version."""
        self._stored = self._texts(source).keys()
        if self._hub in (own, version):
            return self._step(source, own, version)
        shown = self._step(source, own, self._hub)
        if (own, version) in self._direct and ours(self._text(shown, version), own):
            return self._step(source, own, version)  # the hub does not show the data
        return self._step(shown, self._hub, version)

    def _step(self, source: Object, own: str, version: str) -> Object:
        """Convert to or from the hub, with the data of other spokes that is shown."""
        names = [
            name
            for name, content in self._texts(source).items()
            if name not in (own, version, self._hub) and ours(content, own)
        ]
        composed: dict[str, Any] = {}
        for name in names:
            content = self._text(source, name)
            if (name, version) in self._gaps:
                self._check(source, name, version, content)
            elif self._known(own, name) and self._known(name, version):
                try:
                    source, composed[name] = self._composed(
                        source, (own, name, version)
                    )
                except ConversionError as error:
                    if version == self._hub:
                        continue  # it stays as it is until its version is read
                    raise self._make_error(str(error), name) from error.__cause__
        result = self._one(own, version, source)
        return (
            result
            if not composed
            else self._having(result, self._texts(result) | composed)
        )

    def _composed(
        self, source: Object, versions: tuple[str, str, str]
    ) -> tuple[Object, Any]:
        """Return the object with more data of a version, and the new data of a spoke.

        The former is for the fields of the version that this step does not write.
        Raises ConversionError if the version would not show them.
        """
        own, name, version = versions
        content = self._text(source, name)
        spoke = self._one(own, name, self._having(source, {name: content}))
        found_layers = layers(content)[0]
        if not found_layers:  # it has half of a character
            raise ConversionError(f"the conversion data of {name} cannot be read")
        data = found_layers[0][1]
        shown_fields, empty_fields = (
            {*_kept(data, spoke, (), inside_lists=True, ignored=ignored)}
            for ignored in (_EMPTY, _UNSET)
        )
        unset_fields, losses, partial = {*_unset(data, spoke, ())}, [], []
        for candidate, annotation in self._options(source, spoke, versions):
            again = self._again(candidate, annotation, versions)
            same_fields = {*_kept(data, again, (), inside_lists=True, ignored=_UNSET)}
            if not empty_fields <= same_fields:
                losses.append(shown_fields - same_fields)
            elif unset_fields <= {*_unset(data, again, ())}:
                ends = spoke, again
                annotation = self._with_defaults(candidate, annotation, ends, versions)
                return candidate, annotation
            else:
                partial.append((candidate, annotation))
        if partial:
            # An unset field would show another value. The data is for this version.
            return partial[0][0], content
        lost = next((loss for loss in losses if not loss), losses[-1])
        if not lost:  # an empty object may have no counterpart: it stays where it is
            again = self._again(source, content, versions)
            lost = empty_fields - {
                *_kept(data, again, (), inside_lists=True, ignored=_UNSET)
            }
            if not lost:
                return source, content
        at = ".".join(filter(None, min(lost)))
        raise ConversionError(
            f"{at}: the value of {name} cannot be converted to {version}"
        )

    def _with_defaults(
        self,
        candidate: Object,
        annotation: Any,
        ends: tuple[Object, Object],
        versions: tuple[str, str, str],
    ) -> Any:
        """Return the data to keep for a spoke, which may show defaults of the hub.

        `ends` are the object of the spoke, and the result of reading it again. Raises
        ConversionError if a value of the former would be lost.
        """
        _, name, version = versions
        if self._is_trial or version == self._hub:
            return annotation
        missing = next(_absent(*ends, ()), None)
        if missing is None:
            return annotation
        mark = self._mark()
        if not annotation and self._is_reread(candidate, ends[0], mark, versions):
            return mark
        raise ConversionError(
            f"{'.'.join(missing)}: the value of {name} cannot be converted to {version}"
        )

    def _options(
        self, source: Object, spoke: Object, versions: tuple[str, str, str]
    ) -> Iterator[tuple[Object, Any]]:
        """Yield objects that may show the data of a spoke, and the data they keep.

        The first without a loss is the result.
        """
        own, name, version = versions
        texts = self._texts(source)
        present = self._one(own, version, source)
        shown = self._one(name, version, self._having(spoke, {}))
        shown = _without_moved(shown, source, present)
        returned = self._one(version, own, self._having(shown, {}))
        kept, own_text = self._text(shown, name), texts.get(version)
        added = self._text(returned, version)
        more = _merged(own_text, added, own)
        objects = [
            self._having(around, {**texts, version: more})
            for around in (source, _with_carriers(source, returned))
        ]
        # Values that do not depend on the data are converted as without it.
        is_marked = own == self._hub and own_text == self._mark()
        caused = self._without_unrelated(added, source, versions, is_marked=is_marked)
        if is_marked:
            obj = self._having(source, {**texts, version: caused})
            if self._is_reread(obj, spoke, kept, versions):
                yield obj, kept
        else:
            if own_text and more != own_text:
                yield source, kept
            text = _merged(own_text, caused, own)
            yield self._having(source, {**texts, version: text}), kept
        yield from ((obj, kept) for obj in objects)
        added_data = _get_added(present, shown)
        if added_data:
            text = compact({"as": own, "data": added_data, "format": 1})
            text = _merged(own_text, text, own)
            yield self._having(source, {**texts, version: text}), kept
        if own == self._hub and _is_represented(layers(texts[name])[0][0][1]):
            yield source, texts[name]
        if own == self._hub and not kept:  # data without values is read again as well
            direct = compact({"as": version, "data": {}, "format": 1})
            yield from ((obj, direct) for obj in objects)

    def _mark(self) -> str:
        """Return an annotation for a spoke whose fields are those that the hub shows.

        The direct conversion may lack a default that the hub shows. Conversion data
        cannot restore it inside an object that the other spoke lacks.
        """
        return compact({"as": self._hub, "data": {}, "format": 1})

    def _is_reread(
        self,
        candidate: Object,
        spoke: Object,
        annotation: Any,
        versions: tuple[str, str, str],
    ) -> bool:
        """Return true if a later request shows all fields of a spoke again."""
        result = self._one(versions[0], versions[2], candidate)
        again = self._requested(result, annotation, versions)
        return same(self._having(again, {}), self._having(spoke, {}))

    def _without_unrelated(
        self,
        annotation: Any,
        source: Object,
        versions: tuple[str, str, str],
        *,
        is_marked: bool,
    ) -> Any:
        """Return conversion data without entries that are the same without a spoke.

        Unless the spoke `is_marked`, these are only values with another one shown.
        """
        own, name, version = versions
        spoke = self._one(own, name, self._having(source, {}))
        shown = self._one(name, version, self._having(spoke, {}))
        returned = self._one(version, own, self._having(shown, {}))
        ends = [
            layers(each)[0][:1] for each in (annotation, self._text(returned, version))
        ]
        if not all(ends):
            return annotation
        data = _difference(ends[0][0][1], ends[1][0][1], with_unset=is_marked)
        return compact({"as": own, "data": data, "format": 1}) if data else None

    def _again(
        self, candidate: Object, annotation: Any, versions: tuple[str, str, str]
    ) -> Object:
        """Convert an object to another version, and to a spoke as later requests do."""
        own, name, version = versions
        result = self._one(own, version, candidate)
        if version == self._hub or self._is_trial:
            return self._one(version, name, self._having(result, {name: annotation}))
        return self._requested(result, annotation, versions)

    def _requested(
        self, result: Object, annotation: Any, versions: tuple[str, str, str]
    ) -> Object:
        """Convert an object of another version to a spoke, as a later request does."""
        own, name, version = versions
        data = {own: self._text(result, own), name: annotation}
        trial = Spokes(
            self._prefix, self._hub, self._conversions, self._direct, self._gaps
        )
        trial._is_trial = True
        return trial.convert(self._having(result, data), version, name)

    def _known(self, own: str, version: str) -> bool:
        return (own, version) in self._conversions or (own, version) in self._direct

    def _one(self, own: str, version: str, obj: Object) -> Object:
        """Convert by one function."""
        convert = self._conversions.get((own, version)) or self._direct[own, version]
        return convert(obj)

    def _check(self, source: Object, name: str, version: str, annotation: Any) -> None:
        """Reject an object with data that the requested version might show."""
        spoke = self._conversions[self._hub, name](
            self._having(source, {name: annotation})
        )
        fields = self._gaps[name, version]
        for path in _kept(layers(annotation)[0][0][1], spoke, ()):
            if any(path[: len(field)] == field for field in fields):
                problem = f"the value of {name} cannot be converted to {version}"
                raise self._make_error(f"{'.'.join(path)}: {problem}", name)

    def _make_error(self, problem: str, name: str) -> ConversionError:
        """Build an error for a value in an annotation, or in the object itself."""
        place = f"the annotation {self._prefix}{name}"
        return ConversionError(
            f"{problem}, it is kept in {place}" if name in self._stored else problem
        )

    def _texts(self, obj: Object) -> dict[str, Any]:
        """Return the conversion data of an object by version."""
        start = len(self._prefix)
        annotations = annotations_of(obj).items()
        return {
            name[start:]: annotation
            for name, annotation in annotations
            if name.startswith(self._prefix)
        }

    def _text(self, obj: Object, name: str) -> Any:
        return annotations_of(obj).get(self._prefix + name)

    def _having(self, obj: Object, data_by_version: Mapping[str, Any]) -> Object:
        """Return the object with only this conversion data."""
        current = annotations_of(obj).items()
        others = {
            name: annotation
            for name, annotation in current
            if not name.startswith(self._prefix)
        }
        others |= {
            self._prefix + name: annotation
            for name, annotation in data_by_version.items()
            if annotation
        }
        if not (others or current):
            return obj
        metadata = (
            {**obj["metadata"], "annotations": others} if "metadata" in obj else {}
        )
        metadata = metadata or {"annotations": others}
        if not others:
            metadata.pop("annotations")
        result = {**obj, "metadata": metadata}
        if not metadata:
            result.pop("metadata")
        return result


def _with_carriers(obj: Any, other: Any) -> Any:
    """Return an object with the objects of another one that contain no values."""
    if type(obj) is not dict or type(other) is not dict:
        return obj
    added = {
        name: part
        for name, part in other.items()
        if name not in obj and type(part) is dict and not any(_values(part))
    }
    return {
        name: _with_carriers(part, other.get(name)) for name, part in obj.items()
    } | added


def _unset(data: Any, value: Any, path: Path) -> Iterator[Path]:
    """Yield the fields without a value in conversion data and in an object."""
    entries = data.items() if type(data) is dict else ()
    if type(value) is list:
        names = names_of(value, data.get(ITSELF))
        value = dict(zip(names, value, strict=True))
    for name, entry in entries:
        part = value.get(name, MISSING) if type(value) is dict else MISSING
        if type(entry) is dict:
            yield from _unset(entry, part, (*path, name))
        elif type(entry) is list and len(entry) == 1:
            is_missing = value is MISSING if name == ITSELF else part is MISSING
            yield from [(*path, name)] if is_missing else ()


def _is_represented(data: Any) -> bool:
    """Return true if another value was shown instead of each value."""
    return type(data) is dict and all(
        _is_represented(entry)
        if type(entry) is dict
        else type(entry) is not list or name == ITSELF or get_shown_hash(entry[0]) != ""
        for name, entry in data.items()
    )


def _values(value: Any) -> Iterator[Any]:
    """Yield the values in objects."""
    for part in value.values():
        yield from _values(part) if type(part) is dict else [part]


def _merged(own: Any, other: Any, version: str) -> Any:
    """Return an annotation with the additional data of another one."""
    latest = [layers(annotation)[0][:1] for annotation in (own, other)]
    if not all(latest) or not ours(own, version):
        return own or other
    data = _union(latest[0][0][1], latest[1][0][1])
    return compact({"as": version, "data": data, "format": 1})


def _union(own: Any, other: Any) -> Any:
    """Return the entries of both; the first wins at equal paths."""
    if type(own) is not dict or type(other) is not dict:
        return own
    added = {name: entry for name, entry in other.items() if name not in own}
    return {name: _union(entry, other.get(name)) for name, entry in own.items()} | added


def _absent(value: Any, other: Any, path: Path) -> Iterator[Path]:
    """Yield the fields of an object with a value that another object lacks."""
    for name, part in value.items():
        if path or name not in ("apiVersion", "metadata"):
            inner = other.get(name, MISSING) if type(other) is dict else MISSING
            if type(part) is dict:
                yield from _absent(part, inner, (*path, name))
            elif inner is MISSING and part is not None:
                yield (*path, name)


def _without_moved(shown: Object, source: Object, present: Object) -> Object:
    """Return an object without the labels that another conversion moves to a field."""
    labels = [_get_labels(each) for each in (shown, source, present)]
    moved = {
        name
        for name, value in labels[1].items()
        if name not in labels[2] and same(value, labels[0].get(name))
    }
    if not moved:
        return shown
    remaining = {name: value for name, value in labels[0].items() if name not in moved}
    metadata = {**shown["metadata"], "labels": remaining}
    if not remaining:
        metadata.pop("labels")
    return {**shown, "metadata": metadata}


def _get_labels(obj: Object) -> Object:
    metadata = obj.get("metadata")
    labels = metadata.get("labels") if type(metadata) is dict else None
    return labels if type(labels) is dict else {}


def _get_added(value: Object, other: Object) -> Object:
    """Return conversion data for the fields that another object has in addition."""
    data: Object = {}
    for name, part in other.items():
        inner = value.get(name, MISSING)
        if name in ("apiVersion", "metadata"):
            continue
        if inner is MISSING:
            data[name] = ["", part]
        elif (
            type(inner) is dict
            and type(part) is dict
            and (entry_data := _get_added(inner, part))
        ):
            data[name] = entry_data
    return data


def _difference(data: Any, other: Any, *, with_unset: bool) -> Any:
    """Return the entries that differ from those of other conversion data.

    Lists and objects with an entry of their own are compared as a whole. Only
    `with_unset`, fields and entries that no value is shown for can be left out.
    """
    if type(data) is not dict or type(other) is not dict or ITSELF in data:
        return data
    result: Object = {}
    for name, entry in data.items():
        is_value = type(entry) is list and len(entry) > 1 and get_shown_hash(entry[0])
        is_same = same(entry, other.get(name)) and (with_unset or is_value)
        if not is_same:
            inner = _difference(entry, other.get(name), with_unset=with_unset)
            result |= {name: inner} if inner or not entry else {}
    return result


def _kept(
    data: Any,
    value: Any,
    path: Path,
    *,
    inside_lists: bool = False,
    ignored: Collection[list[Any]] = _EMPTY,
) -> Iterator[Path]:
    """Yield the fields whose value in conversion data is that of the object.

    Without `inside_lists`, these are also all fields of items with conversion data.
    Fields with `ignored` data are left out: by default, those without a value.
    """
    if value is MISSING:
        return
    fields = data if type(data) is dict else {}
    container = value
    if inside_lists and type(value) is list:
        value = dict(zip(names_of(value, fields.get(ITSELF)), value, strict=True))
    for name, entry in fields.items():
        inner_value = value.get(name, MISSING) if type(value) is dict else value
        if type(entry) is dict:
            yield from _kept(
                entry,
                inner_value,
                (*path, name),
                inside_lists=inside_lists,
                ignored=ignored,
            )
        elif type(entry) is not list or entry[1:] in ignored:
            continue
        elif name == ITSELF:
            yield from [(*path, ITSELF)] if _is_itself(container, entry) else ()
        else:
            yield from (
                [(*path, name)]
                if inner_value is value or same(inner_value, entry[1])
                else ()
            )


def _is_itself(value: Any, entry: list[Any]) -> bool:
    """Return true if a list has the items of its conversion data.

    Other data is null or an empty object, in place of a list or an object with fields.
    """
    kept = entry[1] if len(entry) > 1 else MISSING
    if type(kept) is not list:
        return same(value, kept)
    if type(value) is not list:
        return False
    return same(value[1:] if get_shown_hash(entry[0]) else value, kept)
