"""Laws of conversion between the versions of a random kind: no conversion may lose data, whatever the path."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any

from protoc_gen_crd import ConversionError, Converter
from protoc_gen_crd.conversion.runtime.conversion_data import ANNOTATION_INFIX, same
from protoc_gen_crd.conversion.runtime.runtime import MISSING
from tests.property.declared_kinds import DeclaredKind, Json

Step = tuple[Json, Converter]  # a source object and its converter
Law = Callable[[DeclaredKind, Sequence[Converter]], str]
_HUB_AND_SPOKE = 2  # versions
_FINALIZERS = ["acme.example/touched"]


def make_converters(kind: DeclaredKind) -> list[Converter]:
    """Return the converter of a kind, then those with other hubs; empty if a declaration is rejected."""
    converters: list[Converter] = []
    crd = kind.crd
    for hub in (kind.hub, *(name for name in kind.versions if name != kind.hub)):
        try:
            converters.append(Converter(crd, hub=hub))
        except ValueError:
            if not converters:
                return []
    return converters


def find_violation(kind: DeclaredKind, converters: Sequence[Converter], law: str) -> str:
    """Return what a random object loses by a law; empty for none, and for conversions that fail with an error."""
    try:
        return LAWS[law](kind, converters)
    except ConversionError:
        return ""


def _restore(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """An object that is converted through any versions is restored; objects without fields may be added."""
    before = kind.make_object(kind.random.choice(kind.versions))
    after, steps = _travel(kind, converters[:1], before)
    is_exact = _uses_only_hub(kind, *(source for source, _ in steps))
    return "" if _is_restored(_bare(before), _bare(after), is_exact) else _describe(before, after)


def _restore_through_hubs(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """An object that is converted by modules with different hubs is restored, except null and the order of keys.

    The only exceptions are declared defaults, in which hubs may differ: one may be added, and a value that equals one
    may be removed if every version that declares a default shows the same. No other value may be lost. An object
    without fields may stay in the conversion data of another version. Only in kinds with defaults, it may be
    lost: a hub adds it as the object of a default. Declarations may describe different conversions for each hub, for
    example a field for one and a label for the other. Then no conversion can keep the meaning, and nothing is compared.
    """
    before = kind.make_object(kind.random.choice(kind.versions))
    after, steps = _travel(kind, converters, before)
    if _is_restored(_sort_items(_bare(before)), _sort_items(_bare(after))):
        return ""
    objects = [before, *(_bare(source) for source, _ in steps)]
    if _have_same_values(before, after):
        is_kept = after != _bare(after) or not _do_hubs_agree(objects, converters, kind, with_empty=True)
        return "" if kind.defaults or is_kept else _describe(before, after)
    if not _do_hubs_agree(objects, converters, kind, with_empty=False):
        return ""
    if _adds_only_defaults(_normalize(_bare(before)), _normalize(_bare(after)), kind.defaults):
        return ""
    return "" if _shows_same_defaults(before, after, converters, kind) else _describe(before, after)


def _keep_metadata(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """An update of the metadata in another version changes nothing else."""
    before, output = _show(kind, converters[0])
    touched = {**output, "metadata": {**output["metadata"], "finalizers": _FINALIZERS}}
    after = converters[0].convert(touched, _version(before))
    expected = {**before, "metadata": {**before["metadata"], "finalizers": _FINALIZERS}}
    is_exact = _uses_only_hub(kind, before, output)
    return "" if _is_restored(expected, _bare(after), is_exact) else _describe(before, after)


def _read_back(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """A client reads what it has written, and its update keeps the values that it does not see.

    A declared default that it has not written may be missing then. If it removes an object, the kept values inside it
    are removed as well. If it sets a field to null, which the other version may not show, it removes the value: it
    would not read null otherwise. If it changes the only item that it sees of a list, the list has no other items
    then, as for singular and plural fields of Kubernetes: the client may have replaced the item.
    """
    before, output = _show(kind, converters[0])
    edited = _edit(kind, output)
    after = converters[0].convert(edited, _version(before))
    again = converters[0].convert(after, _version(output))
    is_exact = _uses_only_hub(kind, before, output)
    if not _is_restored(_bare(edited), _bare(again), is_exact):
        is_default = _lacks_only_defaults(edited["spec"], again["spec"], output["spec"], kind.defaults)
        return "" if is_default else _describe(edited, again)
    if any(name in json.dumps(kind.specs) for name in _SHARED_VALUES):
        return ""  # one value shows several fields
    unrelated = [converters[0].convert(_bare(item), _version(before)) for item in (output, edited)]
    can_remove = _removes_object(output, edited) or _adds_null(output, edited)
    lost = _find_lost(_bare(before), (_bare(unrelated[0]), _bare(unrelated[1])), _bare(after), can_remove, is_exact)
    if lost and _is_single_item(after, lost) and _changes_single_item(converters[0], kind, (output, edited)):
        return ""
    return f"{lost} of {_describe(before, after)}" if lost else ""


def _keep_other_items(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """A client that changes one item of a list keeps the values that it does not see in the other items.

    Without keys, the changed item may be another one, so its own values may be lost.
    """
    before, output = _show(kind, converters[0])
    edited = deepcopy(output)
    place = _edit_item(kind, edited)
    if place is None or any(name in json.dumps(kind.specs) for name in _SHARED_VALUES):
        return ""
    after = converters[0].convert(edited, _version(before))
    unrelated = [converters[0].convert(_bare(item), _version(before))["spec"] for item in (output, edited)]
    is_exact = _uses_only_hub(kind, before, output)
    lost = _find_lost_item((before["spec"], *unrelated, after["spec"]), place, is_exact)
    return f"{lost} of {_describe(before, after)}" if lost else ""


def _share_values(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """A spoke shows the values of another spoke, also those that the hub lacks.

    A module with one of the spokes as its hub shows the same values. Only declared defaults may differ, and objects
    without fields that the hubs convert differently. Nothing is compared if declarations describe another conversion
    for each hub, for example of labels, if an expression distinguishes null, which results are compared without, or if
    one expression that has no inverse follows another.
    """
    before = kind.make_object(kind.random.choice(kind.versions))
    version = kind.random.choice([name for name in kind.versions if name != _version(before)])
    others = [converter for converter in converters if converter.plan.hub in (_version(before), version)]
    if converters[0] in others or not others or kind.labels or kind.count_lossy_expressions() > 1:
        return ""
    for converter in (converters[0], others[0]):
        results = [_sort_items(_bare(converter.convert(obj, version))) for obj in (before, _sort_items(before))]
        if not _differs_only_in_defaults(results[0], results[1], kind):
            return ""
    plain = _bare(converters[0].convert(before, converters[0].plan.hub))  # without data that the hub lacks
    objects = [plain, *(_bare(converters[0].convert(plain, name)) for name in (_version(before), version))]
    if not _do_hubs_agree(objects, converters, kind, with_empty=False):
        return ""
    output, expected = (converter.convert(before, version) for converter in (converters[0], others[0]))
    if _differs_only_in_defaults(_sort_items(_bare(output)), _sort_items(_bare(expected)), kind):
        return ""
    is_empty = _have_same_values(output, expected) and not _do_hubs_agree(objects, converters, kind, with_empty=True)
    return "" if is_empty else _describe(expected, output)


def _compose(kind: DeclaredKind, converters: Sequence[Converter]) -> str:
    """A conversion between distant versions shows the values of those between neighbors, except defaults.

    Compared are objects without conversion data that the conversions between neighbors restore. Nothing is compared
    with labels, which all versions have: a declaration can move a label between versions that are not neighbors. A hub
    that is not between the two versions can lack what several expressions without an inverse show in these.
    """
    before = kind.make_object(kind.random.choice(kind.versions))
    own = kind.versions.index(_version(before))
    distant = [name for index, name in enumerate(kind.versions) if abs(index - own) > 1]
    hubs = {converter.plan.hub: converter for converter in converters}
    if not distant or kind.labels or any(hubs.keys().isdisjoint(pair) for pair in pairwise(kind.versions)):
        return ""
    version = kind.random.choice(distant)
    before = _convert_by_neighbors(kind, hubs, _convert_by_neighbors(kind, hubs, before, version), _version(before))
    expected = _convert_by_neighbors(kind, hubs, before, version)
    if not _have_same_values(before, _convert_by_neighbors(kind, hubs, expected, _version(before))):
        return ""
    between = sorted((own, kind.versions.index(version)))
    for converter in converters:
        is_between = between[0] <= kind.versions.index(converter.plan.hub) <= between[1]
        if not is_between and kind.count_lossy_expressions() > 1:
            continue
        output = _bare(converter.convert(before, version))
        if not _differs_only_in_defaults(_normalize(output), _normalize(expected), kind):
            return f"{_describe(expected, output)} with the hub {converter.plan.hub}"
    return ""


def _convert_by_neighbors(kind: DeclaredKind, hubs: Mapping[str, Converter], obj: Json, version: str) -> Json:
    """Convert an object through all versions up to another one, without conversion data."""
    ends = kind.versions.index(_version(obj)), kind.versions.index(version)
    names = kind.versions[min(ends) : max(ends) + 1]
    for source, target in pairwise(names if ends[0] < ends[1] else names[::-1]):
        converter = hubs.get(source) or hubs[target]
        obj = _bare(converter.convert(obj, target))
    return obj


_SHARED_VALUES = ('"part"', '"join"', '"default"')
LAWS: Mapping[str, Law] = {
    "round trip": _restore,
    "change of the hub": _restore_through_hubs,
    "update of metadata": _keep_metadata,
    "stale-client update": _read_back,
    "update of an item": _keep_other_items,
    "shared values": _share_values,
    "composed conversion": _compose,
}


def _travel(
    kind: DeclaredKind, converters: Sequence[Converter], obj: Json
) -> tuple[Json, list[tuple[Json, Converter]]]:
    """Return an object after a trip through random versions and back, and the source and converter of each step."""
    versions = [kind.random.choice(kind.versions) for _ in range(kind.random.randint(1, 3))]
    result, steps = obj, []
    for version in (*versions, _version(obj)):
        before = deepcopy(result)
        converter = kind.random.choice(converters)
        steps.append((result, converter))
        converted = converter.convert(result, version)
        assert result == before, "a conversion changes its argument"
        result = converted
    return result, steps


def _do_hubs_agree(
    objects: Sequence[Json], converters: Sequence[Converter], kind: DeclaredKind, *, with_empty: bool
) -> bool:
    """Return true if modules with different hubs convert objects without conversion data to the same values.

    Hubs may differ in defaults. Objects without fields are compared only `with_empty`.
    """
    for obj in objects:
        for version in kind.versions:
            first, *others = (_bare(converter.convert(obj, version)) for converter in converters)
            for other in others:
                is_same = _text(_sort_items(first)) == _text(_sort_items(other))
                has_same_values = _differs_only_in_defaults(_normalize(first), _normalize(other), kind)
                if not (is_same if with_empty else has_same_values):
                    return False
    return True


def _shows_same_defaults(before: Json, after: Json, converters: Sequence[Converter], kind: DeclaredKind) -> bool:
    """Return true if objects differ only in defaults, and all versions that declare a default show the same."""
    if not _differs_only_in_defaults(_normalize(_bare(before)), _normalize(_bare(after)), kind):
        return False
    declaring = [converter for converter in converters if kind.declares_default(converter.plan.hub)]
    shown = [[converter.convert(_bare(obj), converter.plan.hub) for converter in declaring] for obj in (before, after)]
    return bool(declaring) and all(map(_have_same_values, *shown))


def _have_same_values(one: Json, other: Json) -> bool:
    return _text(_normalize(_bare(one))) == _text(_normalize(_bare(other)))


def _differs_only_in_defaults(one: Json, other: Json, kind: DeclaredKind) -> bool:
    """Return true if one of two objects is the other with fields that have a declared default."""
    before, after = sorted([one, other], key=lambda value: len(_text(value)))
    return _adds_only_defaults(before, after, kind.defaults)


def _adds_only_defaults(before: Any, after: Any, defaults: Sequence[Any]) -> bool:
    """Return true if data differs only in fields that have a declared default."""
    if before is MISSING and not isinstance(after, dict):
        return any(same(after, default) for default in defaults)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return all(_adds_only_defaults(*items, defaults) for items in zip(before, after, strict=True))
    if not (isinstance(after, dict) and (before is MISSING or isinstance(before, dict))):
        return same(before, after)
    fields = {} if before is MISSING else before
    return fields.keys() <= after.keys() and all(
        _adds_only_defaults(fields.get(name, MISSING), part, defaults) for name, part in after.items()
    )


def _lacks_only_defaults(edited: Any, again: Any, output: Any, defaults: Sequence[Any]) -> bool:
    """Return true if an object lacks only declared defaults of another one, which also the `output` has."""
    if again is MISSING and not isinstance(edited, dict):
        return same(edited, output) and any(same(edited, default) for default in defaults)
    if not isinstance(edited, dict) or not (again is MISSING or isinstance(again, dict)):
        return same(edited, again)
    inner = again if isinstance(again, dict) else {}
    shown = output if isinstance(output, dict) else {}
    return inner.keys() <= edited.keys() and all(
        _lacks_only_defaults(part, inner.get(name, MISSING), shown.get(name, MISSING), defaults)
        for name, part in edited.items()
    )


def _show(kind: DeclaredKind, converter: Converter) -> tuple[Json, Json]:
    """Return a random object and its conversion to another version."""
    before = kind.make_object(kind.random.choice(kind.versions))
    version = kind.random.choice([name for name in kind.versions if name != _version(before)])
    return before, converter.convert(before, version)


def _edit(kind: DeclaredKind, obj: Json) -> Json:
    """Return an object with one field that is added, removed or changed."""
    edited = deepcopy(obj)
    node, schema = edited.get("spec"), kind.specs[_version(obj)]
    while isinstance(node, dict) and schema.get("properties"):
        name = kind.random.choice([*schema["properties"]])
        inner = schema["properties"][name]
        value = node.get(name, MISSING)
        if isinstance(value, dict) and inner.get("properties") and kind.chance(0.7):
            node, schema = value, inner
            continue
        if value is MISSING:
            added = kind.make_value(inner)
            node |= {} if added is None else {name: added}
        elif type(value) is int:
            node[name] = value + 8
        elif isinstance(value, str) and "enum" not in inner:
            node[name] = f"{value}q9"
        elif name not in schema.get("required", ()):
            del node[name]
        break
    return edited


def _edit_item(kind: DeclaredKind, obj: Json) -> int | None:
    """Add or remove a field of an item of a random list, and return the index of the item; None if there is none."""
    lists = [*_find_lists(obj.get("spec"), kind.specs[_version(obj)])]
    if not lists:
        return None
    items, schema = kind.random.choice(lists)
    place = kind.random.randrange(len(items))
    item, names = items[place], [name for name in schema["properties"] if name not in schema.get("required", ())]
    if not names or not isinstance(item, dict):
        return None
    name = kind.random.choice(names)
    if name in item:
        del item[name]
    else:
        item[name] = kind.make_value(schema["properties"][name])
    return place


def _find_lists(value: Any, schema: Json) -> Iterator[tuple[list[Any], Json]]:
    """Yield the lists of several objects that are not inside other lists, with the schemas of their items."""
    if isinstance(value, list) and len(value) > 1 and "properties" in schema["items"]:
        yield value, schema["items"]
    for name, inner in schema.get("properties", {}).items() if isinstance(value, dict) else ():
        yield from _find_lists(value.get(name), inner)


def _find_lost_item(values: Sequence[Any], place: int, is_exact: bool, path: str = "") -> str:
    """Return the first item at another index that an update changes; empty for none.

    The values are those before the update, those without conversion data before and after it, and those after it.
    """
    before, *unrelated, after = values
    if all(isinstance(value, dict) for value in values):
        parts = {name: [value.get(name, MISSING) for value in values] for name in before}
        return next(
            filter(None, (_find_lost_item(parts[name], place, is_exact, f"{path}.{name}") for name in parts)), ""
        )
    if not all(isinstance(value, list) and len(value) == len(before) for value in values):
        return ""
    for index, items in enumerate(zip(*unrelated, before, after, strict=True)):
        if index != place and same(*items[:2]) and not _is_restored(items[2], items[3], is_exact):
            return f"{path}[{index}]"
    return ""


def _removes_object(before: Json, after: Json) -> bool:
    """Return true if an update removes an object that is a field."""
    objects = {name: part for name, part in before.items() if isinstance(part, dict)}
    return any(name not in after or _removes_object(part, after[name]) for name, part in objects.items())


def _adds_null(before: Any, after: Any) -> bool:
    """Return true if an update sets a field to null."""
    if isinstance(after, dict):
        fields = before if isinstance(before, dict) else {}
        return any(_adds_null(fields.get(name, MISSING), part) for name, part in after.items())
    if isinstance(after, list):
        items = before if isinstance(before, list) and len(before) == len(after) else [MISSING] * len(after)
        return any(map(_adds_null, items, after))
    return after is None and before is not None


def _is_single_item(obj: Json, path: str) -> bool:
    """Return true if a field is a list of one item."""
    value: Any = obj
    for name in path.removeprefix(".").split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return isinstance(value, list) and len(value) == 1


def _changes_single_item(converter: Converter, kind: DeclaredKind, ends: tuple[Json, Json]) -> bool:
    """Return true if an update changes what any version has as the only item of a list."""
    bare = [_bare(end) for end in ends]
    return any(_differs_in_single_item(*(converter.convert(end, version) for end in bare)) for version in kind.versions)


def _differs_in_single_item(before: Any, after: Any) -> bool:
    if isinstance(before, dict) and isinstance(after, dict):
        return any(_differs_in_single_item(part, after.get(name)) for name, part in before.items())
    lists = isinstance(before, list) and isinstance(after, list)
    return lists and len(before) == len(after) == 1 and not same(before, after)


def _find_lost(
    before: Any, unrelated: tuple[Any, Any], after: Any, can_remove: bool, is_exact: bool, path: str = ""
) -> str:
    """Return the first field that an update changes although it does not affect it; empty for none.

    `unrelated` are the objects that are shown without conversion data, before and after the update. If the update
    `can_remove` kept values, only changed ones are lost.
    """
    if all(isinstance(item, dict) for item in unrelated):
        ends = [item if isinstance(item, dict) else {} for item in (before, after)]
        fields = dict.fromkeys((*ends[0], *ends[1]))
        fields.pop("apiVersion", None)
        results = (
            _find_lost(
                ends[0].get(name, MISSING),
                (unrelated[0].get(name, MISSING), unrelated[1].get(name, MISSING)),
                ends[1].get(name, MISSING),
                can_remove,
                is_exact,
                f"{path}.{name}",
            )
            for name in fields
        )
        return next(filter(None, results), "")
    is_removed = can_remove and after is MISSING
    return path if same(*unrelated) and not (is_removed or _is_restored(before, after, is_exact)) else ""


def _bare(obj: Json) -> Json:
    """Return an object without conversion data."""
    metadata = dict(obj["metadata"])
    annotations = {name: text for name, text in metadata.pop("annotations", {}).items() if ANNOTATION_INFIX not in name}
    return {**obj, "metadata": metadata | ({"annotations": annotations} if annotations else {})}


def _normalize(value: Any) -> Any:
    """Return data without null and without objects and lists without content, with keyed items by key."""
    if isinstance(value, dict):
        parts = {name: _normalize(part) for name, part in value.items() if part not in (None, [None])}
        return {name: part for name, part in parts.items() if part not in ({}, [])}
    if isinstance(value, list):
        items = [item for item in map(_normalize, value) if item != {}]
        has_keys = all(isinstance(item, dict) and "name" in item for item in items)
        return sorted(items, key=lambda item: str(item["name"])) if has_keys else items
    return value


def _sort_items(value: Any) -> Any:
    """Return data without null and lists of null, with keyed items by key."""
    if isinstance(value, dict):
        return {name: _sort_items(part) for name, part in value.items() if part not in (None, [None])}
    if isinstance(value, list):
        items = [_sort_items(item) for item in value]
        has_keys = all(isinstance(item, dict) and "name" in item for item in items)
        return sorted(items, key=lambda item: str(item["name"])) if has_keys else items
    return value


def _uses_only_hub(kind: DeclaredKind, *objects: Json) -> bool:
    """Return true if objects are converted only between the hub and one other version."""
    return len({kind.hub, *map(_version, objects)}) <= _HUB_AND_SPOKE


def _is_restored(before: Any, after: Any, is_exact: bool = True) -> bool:
    """Return true if data is the same, except for objects without fields that are added.

    If it need not be exact, null and objects and lists without content are the same as no value.
    """
    ends = [{"": end} if end is not MISSING else {} for end in (before, after)]
    return same(before, _drop_added_objects(before, after)) or (not is_exact and same(*map(_normalize, ends)))


def _drop_added_objects(before: Any, after: Any) -> Any:
    """Return data without the objects, and lists of one, that have no fields and that other data lacks."""
    if isinstance(after, dict):
        fields = before if isinstance(before, dict) else {}
        parts = {name: _drop_added_objects(fields.get(name, MISSING), part) for name, part in after.items()}
        parts = {name: part for name, part in parts.items() if part is not MISSING}
        return MISSING if before is MISSING and not parts else parts
    if after == [{}] and before in (MISSING, []):
        return before
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [_drop_added_objects(*pair) for pair in zip(before, after, strict=True)]
    return after


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _version(obj: Json) -> str:
    return str(obj["apiVersion"]).rpartition("/")[2]


def _describe(before: Json, after: Json) -> str:
    return f"{_text(before)} becomes {_text(after)}"
