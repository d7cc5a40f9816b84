"""Overrides of the settings: markers of elements by full name, which take precedence over those in the files.

An override changes the options of an element like a JSON merge patch: a value replaces the option, null removes it, and
a list replaces the whole list. This applies to every spelling of the option. Rules of other vocabularies are only
removed by null. Source: RFC 7386.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, find_nearest_path, suggest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.option_declarations import (
    EMPTY_DURING,
    EMPTY_DURING_HINT,
    PACKAGE,
    SCHEMA,
    find_empty_during,
    flatten_options,
    get_message_options,
)
from protoc_gen_crd.markers.override_place import OverridePlace
from protoc_gen_crd.markers.override_values import OptionPath, OverrideReader, list_paths, name_steps
from protoc_gen_crd.markers.vocabularies.registry import READERS
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, Enum, EnumValue, Field, File, Message, Method, Oneof, Service
from protoc_gen_crd.schema.schema import SKIPPED
from protoc_gen_crd.settings.settings import OverrideEntry
from protoc_gen_crd.settings.settings_document import describe_value

JSON_NAME = "json_name"
_RESOURCE = "resource"
_DURING = "during"
_ADDED = ("at_least_one_of", "at_most_one_of", "exactly_one_of", "rules")  # lists that are added to other vocabularies
_MESSAGES: Mapping[type, str] = {
    Field: "Schema",
    Message: "Schema",
    Enum: "Schema",
    EnumValue: "EnumValue",
    Oneof: "Oneof",
    File: "Package",
    Service: "Service",
    Method: "Method",
}  # element class -> the message of options.proto with the options of its override
OverriddenElement = Element | tuple[File, ...]  # a package is represented by the files that declare it
_ELEMENTS = {
    "EnumValue": "an enum value",
    "Oneof": "a oneof",
    "Package": "a package",
    "Service": "a service",
    "Method": "an RPC",
}
_SKIPS: Mapping[type, OptionPath] = {Field: (), Message: (_RESOURCE,)}  # element class -> the mapping with `skip`
_OF_CRDS = ("group", "version")  # options of a package that fields do not use
_PROTOBUF = "google.protobuf"  # a package whose files are rarely all imported
_VALUES = ("value", "values")  # of a map field, in names of overrides
_PREFIXES: Mapping[str, OptionPath] = {"Resource": (_RESOURCE,)}


class ElementOverride:
    """The override of an element: its markers, and the paths of the options that it replaces or removes."""

    def __init__(self, at: OverridePlace) -> None:
        self.at = at
        self.markers: list[Marker] = []
        self.members: list[MessageMembers] = []
        self.json_name_at: OverridePlace | None = None
        self.removed: dict[OptionPath, OverridePlace] = {}
        self.effective: set[OptionPath] = set()  # removed paths that a marker sets
        self.omitted: list[OptionPath] = []  # paths beside a `skip` that makes them ineffective
        self._replaced: set[OptionPath] = set()

    def add_schema(self, values: Mapping[str, Any]) -> None:
        """Add values of message Schema."""
        leaves = list(flatten_options(values))
        for leaf in leaves:
            name = ".".join((*leaf.steps, leaf.option.name))
            at, owner = self.at.append(*name_steps(leaf.numbers)), self.at.find_owner()
            marker = Marker(leaf.option, leaf.steps, leaf.value, name, at, owner, unread=leaf.option.json)
            self.markers.append(marker.replace(within=leaf.within, overrides=True))
        self._replaced |= set(list_paths(values, "Schema"))

    def add_members(self, message: str, values: Mapping[str, Any]) -> None:
        """Add values of another message."""
        prefix = _PREFIXES.get(message, ())
        self.members.append(MessageMembers(message, dict(values), ".".join(prefix), self.at.append(*prefix)))
        self._replaced |= set(list_paths(values, message, prefix))

    @property
    def is_of_resource(self) -> bool:
        """True if the override declares a resource, or removes the declaration."""
        return (_RESOURCE,) in self.removed or any(member.message == "Resource" for member in self.members)

    def filter_markers(self, markers: Iterable[Marker]) -> Iterator[Marker]:
        """Yield the markers that are neither replaced nor removed. Own markers with ranges replace others in these."""
        single = [marker for marker in self.markers if marker.within and marker.is_single]
        ranged = {(marker.steps, marker.option.name) for marker in single}
        for marker in markers:
            if marker.overrides:
                yield marker
            elif not self._drops_marker(marker):
                name = marker.option.name
                is_default = (*marker.is_default, name) if (marker.steps, name) in ranged else marker.is_default
                yield marker.replace(is_default=is_default)

    def filter_members(self, members: Iterable[MessageMembers]) -> Iterator[MessageMembers]:
        """Yield the members without the values that are replaced or removed."""
        own_ids = {id(marker) for marker in self.members}
        for marker in members:
            prefix = _PREFIXES.get(marker.message, ())
            if id(marker) in own_ids:
                yield marker
            elif not (prefix and self._drops([prefix])):
                yield marker.replace(values=self._filter_values(marker.values, prefix))

    def _filter_values(self, values: Mapping[str, Any], prefix: OptionPath) -> dict[str, Any]:
        remaining: dict[str, Any] = {}
        for name, value in values.items():
            if not self._drops([(*prefix, name)]):
                inner = isinstance(value, dict)
                remaining[name] = self._filter_values(value, (*prefix, name)) if inner else value
        return remaining

    def drops_option(self, name: str) -> bool:
        """Return whether an option of another vocabulary is removed."""
        return self._drops([(f"({name})",)])

    def _drops_marker(self, marker: Marker) -> bool:
        path = (*marker.steps, marker.option.name)
        ends = [path[:end] for end in range(1, len(path) + 1)]
        if marker.foreign:
            ends += [(*marker.steps, name) for name in marker.is_default]
        if _is_during(marker):
            ends.append((_DURING,))
        if marker.foreign and path[-1] in _ADDED:
            return self._removes(ends)
        return self._drops(ends)

    def _removes(self, paths: Collection[OptionPath]) -> bool:
        removed = [path for path in paths if path in self.removed]
        self.effective.update(removed)
        return bool(removed)

    def _drops(self, paths: Collection[OptionPath]) -> bool:
        return self._removes(paths) or any(path in self._replaced for path in paths)


def _is_during(marker: Marker) -> bool:
    """Return whether a marker has a range besides the range in its value."""
    values = marker.value[0] if marker.option.repeated and marker.option.message and marker.value else {}
    return len(marker.within) > any(end in values for end in ("since", "until"))


class Overrides:
    """The overrides of a run. Unknown names and keys are findings."""

    def __init__(self, entries: Mapping[str, OverrideEntry], api: ApiSet, problems: Problems) -> None:
        self.elements: dict[str, tuple[OverriddenElement, ElementOverride]] = {}
        self._problems = problems
        for name, entry in entries.items():
            element = find_element(name, api)
            at = OverridePlace(name, entry.places, entry.read_word)
            if element is None:
                hint = _suggest_element(name, api)
                problems.report("override-unknown", f'no element "{name}" in the input', at, path=name, hint=hint)
            elif isinstance(entry.values, dict):
                self.elements[name] = element, self._read_entry(entry.values, element, at)
            else:
                problem = f'override of "{name}" is {describe_value(entry.values)}, expected a mapping'
                problems.report("option-value", problem, at, path=name)

    def get(self, name: str) -> ElementOverride | None:
        """Return the override of an element by full name."""
        entry = self.elements.get(name)
        return entry[1] if entry else None

    def find_json_name_place(self, fields: Iterable[Field], name: str) -> OverridePlace | None:
        """Return the place of the override that sets this JSON name for one of the fields."""
        overrides = [self.get(field.full_name) for field in fields if field.json_name == name]
        return next((override.json_name_at for override in overrides if override and override.json_name_at), None)

    def _read_entry(self, values: Mapping[str, Any], element: OverriddenElement, at: OverridePlace) -> ElementOverride:
        message = _MESSAGES[File if isinstance(element, tuple) else type(element)]
        override, reader = ElementOverride(at), OverrideReader(self._problems)
        options = reader.read_message(_select_options(values, element, message, at, reader), message, at)
        if message == "Schema":
            for _ in find_empty_during(options):
                reader.report("marker-value", EMPTY_DURING, at.append(_DURING), EMPTY_DURING_HINT)
            override.add_schema(options)
        else:
            override.add_members(message, options)
        for key in [key for key in values if key.startswith("(")]:
            _read_option_removal(key, values[key], at.append(key), reader)
        for key in values.keys() & _get_readers(element).keys():
            _get_readers(element)[key](values[key], override, reader)
        override.removed |= reader.removed
        override.omitted = _list_omitted_paths(values, element)
        return override


def _list_omitted_paths(values: Mapping[str, Any], element: OverriddenElement) -> list[OptionPath]:
    """Return the paths that `skip: true` makes ineffective; none if some versions do not skip the element."""
    if isinstance(element, tuple):
        return [(key,) for key in values if key in _OF_CRDS] if values.get(SKIPPED) is True else []
    prefix = _SKIPS.get(type(element))
    if prefix is None:
        return []
    options: Any = values.get(_RESOURCE) if prefix else values
    if not isinstance(options, dict) or options.get(SKIPPED) is not True or _sets_skip(options.get(_DURING)):
        return []
    return [(*prefix, key) for key in options if key != SKIPPED]


def _sets_skip(during: Any) -> bool:
    return isinstance(during, list) and any(isinstance(item, dict) and SKIPPED in item for item in during)


def _select_options(
    values: Mapping[str, Any], element: OverriddenElement, message: str, at: OverridePlace, reader: OverrideReader
) -> dict[str, Any]:
    """Return the values of a message of options.proto, and report keys that the element does not support."""
    readers, options = _get_readers(element), get_message_options(message)
    for key in values:
        if key in options or key in readers or key.startswith("("):
            continue
        if key in SCHEMA and message != "Schema":
            reader.report("marker-target", f'"{key}" does not apply to {_ELEMENTS[message]}', at.append(key))
        elif isinstance(element, Message) and (field := next((f for f in element.fields if f.name == key), None)):
            hint = f'write "{field.full_name}: ..." on a line of its own'
            reader.report("marker-unknown", f'unknown option "{key}"', at.append(key), hint)
        else:
            reader.report_unknown((key,), [*options, *readers], at.append(key))
    return {key: value for key, value in values.items() if key in options}


KeyReader = Callable[[Any, ElementOverride, OverrideReader], None]


def _get_readers(element: OverriddenElement) -> Mapping[str, KeyReader]:
    """Return the readers of keys that are not options of the message in options.proto."""
    if isinstance(element, Field):
        return {JSON_NAME: _read_json_name}
    return {_RESOURCE: _read_resource} if isinstance(element, Message) else {}


def _read_resource(value: Any, override: ElementOverride, reader: OverrideReader) -> None:
    at = override.at.append(_RESOURCE)
    if value is None:
        reader.removed[_RESOURCE,] = at
    elif isinstance(value, dict):
        override.add_members("Resource", reader.read_message(value, "Resource", at, (_RESOURCE,)))
    else:
        reader.report_value("a mapping of the options of Resource", value, at, (_RESOURCE,))


def _read_json_name(value: Any, override: ElementOverride, reader: OverrideReader) -> None:
    """Check a JSON name as protoc does. Conflicting names are reported when the schema of the message is generated."""
    at = override.at.append(JSON_NAME)
    if not (value is None or isinstance(value, str)):
        reader.report_value("a string", value, at, (JSON_NAME,))
        return
    override.json_name_at = at
    if value and value[0] == "[" and value[-1] == "]":
        problem = f'JSON name "{value}" starts with "[" and ends with "]", which is reserved for extensions'
        reader.report("field-name", problem, at)


def _read_option_removal(key: str, value: Any, at: OverridePlace, reader: OverrideReader) -> None:
    """Read the removal of an option of another vocabulary, such as `(buf.validate.field): null`."""
    name = key[1:].removesuffix(")")
    if name not in READERS:
        hint = suggest(key, [f"({option})" for option in READERS])
        if name.startswith(f"{PACKAGE}."):
            hint = f'write the options of "{key}" without its name, as in {{max_length: 3}}'
        reader.report("marker-unknown", f'unknown option "{key}"', at, hint)
    elif value is not None:
        problem = f'"{key}" is an option of another vocabulary, which an override can only remove'
        reader.report("marker-value", problem, at, "set it to null, and use the options of protoc-gen-crd")
    else:
        reader.removed[key,] = at


def read_json_names(entries: Mapping[str, OverrideEntry]) -> dict[str, str | None]:
    """Return the JSON names of fields by full name, None for the default name."""
    mappings = {name: entry.values for name, entry in entries.items() if isinstance(entry.values, dict)}
    values = {name: mapping[JSON_NAME] for name, mapping in mappings.items() if JSON_NAME in mapping}
    return {name: value for name, value in values.items() if value is None or isinstance(value, str)}


def find_element(name: str, api: ApiSet) -> OverriddenElement | None:
    """Return the element with a full name; for a package, its files. The messages of map entries are not elements."""
    element: Element | None = api.find_message(name) or api.find_enum(name)
    if isinstance(element, Message) and element.is_map_entry:
        return None
    if element is None:
        element = next(
            (member for member in _list_members(name.rpartition(".")[0], api) if member.full_name == name), None
        )
    return element or tuple([file for file in _list_files(api) if file.package == name]) or None


def _list_members(scope: str, api: ApiSet) -> Iterator[Element]:
    """Yield the fields, oneofs, enum values, services, and RPCs in a message, package, or service."""
    for file in _list_files(api):
        for service in api.list_services(file):
            if file.package == scope:
                yield service
            elif service.full_name == scope:
                yield from service.methods
    message = api.find_message(scope)
    enums: Iterable[str] = ()
    if message is not None:
        yield from () if message.is_map_entry else (*message.fields, *message.oneofs)
        enums = message.enums
    else:
        enums = [name for file in _list_files(api) if file.package == scope for name in file.enums]
    yield from (value for name in enums if (enum := api.find_enum(name)) for value in enum.values)


def _list_files(api: ApiSet) -> Iterator[File]:
    yield from api.list_targets()
    yield from api.list_imports()


def _suggest_for_field(field: Field, name: str, api: ApiSet) -> str:
    """Return a hint for an unknown name below a field: the option, the field of its message, or the field itself."""
    last = name.rpartition(".")[2]
    message = api.find_message(field.type_name)
    if message is not None and message.is_map_entry:
        if last in _VALUES:
            return _suggest_values(field)
        message = api.find_message(message.fields[1].type_name)
    members = {member.name: member.full_name for member in message.fields} if message is not None else {}
    return did_you_mean(members.get(find_nearest(last, members) or "", field.full_name))


def _suggest_values(field: Field) -> str:
    """Return a hint for the values of a map field."""
    return f'write "{field.full_name}: {{values: ...}}"'


def _list_type_names(api: ApiSet) -> list[str]:
    """Return the full names of all messages and enums, without those of map entries, whose markers have no effect."""
    entries = [name for name in api.list_names() if name.endswith("Entry")]
    hidden = {name for name in entries if (message := api.find_message(name)) and message.is_map_entry}
    return [name for name in api.list_names() if name not in hidden]


def _find_below(scope: str, last: str, api: ApiSet) -> str | None:
    """Return the first full name below a scope with the last part of an unknown name."""
    types = [name for name in _list_type_names(api) if name.startswith(f"{scope}.")]
    values = [value.full_name for name in types if (enum := api.find_enum(name)) for value in enum.values]
    return min([name for name in (*types, *values) if name.endswith(f".{last}")], default=None)


def _suggest_element(name: str, api: ApiSet) -> str:
    """Return a hint for an unknown name. A misspelled field before it is corrected if no other name is similar."""
    scope = name.rpartition(".")[0]
    if scope == _PROTOBUF:
        known = {other.rpartition(".")[2]: other for other in api.list_names() if other.startswith(f"{scope}.")}
        near = find_nearest(name.rpartition(".")[2], known, 0.8)
        return did_you_mean(known[near]) if near else "import the file that declares it"
    for entry in filter(None, map(api.find_message, (name, scope))):
        if entry.is_map_entry:
            owner = api.find_message(entry.full_name.rpartition(".")[0])
            fields = owner.fields if owner is not None else ()
            return next((_suggest_values(field) for field in fields if field.type_name == entry.full_name), "")
    field = find_element(scope, api)
    nearest = None if isinstance(field, Field) else _find_nearest_element(name, api)
    if nearest is None and field is None and scope:
        field = find_element(_find_nearest_element(scope, api) or "", api)
    return _suggest_for_field(field, name, api) if isinstance(field, Field) else did_you_mean(nearest)


def _find_nearest_element(name: str, api: ApiSet) -> str | None:
    """Return the most similar full name, of an element in the same scope or in the most similar scope.

    A name without its package is completed.

    The packages around an unknown name are not similar to it. An equal name in a message of the scope is most similar.
    """
    completed = sorted(f"{file.package}.{name}" for file in _list_files(api) if file.package)
    if full_name := next((other for other in completed if find_element(other, api)), None):
        return full_name
    scope, _, last = name.rpartition(".")
    below = _find_below(scope, last, api)
    if below:
        return below
    packages = {file.package for file in _list_files(api)}
    names = {*_list_type_names(api), *packages}
    names |= {service.full_name for file in _list_files(api) for service in api.list_services(file)}
    enum = api.find_enum(scope)
    if enum is not None:
        members = {value.name: value.full_name for value in enum.values}
    else:
        near = scope if scope in names else find_nearest_path(scope, names, ".") or ""
        members = {member.name: member.full_name for member in _list_members(near, api)}
        members |= {path.rpartition(".")[2]: path for path in names if path.rpartition(".")[0] == near}
    nearest = find_nearest(last, members)
    if nearest:
        return members[nearest]
    return find_nearest_path(name, names - {package for package in packages if name.startswith(f"{package}.")}, ".")
