"""Hints for errors of protoc about options: the nearest name, and the import that declares it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, suggest, suggest_other_name
from protoc_gen_crd.v1 import options_pb2

OPTIONS_FILE = "protoc_gen_crd/v1/options.proto"
_FILE = options_pb2.DESCRIPTOR
_EXTENSIONS: dict[str, FieldDescriptor] = {
    f"{_FILE.package}.{name}": extension for name, extension in _FILE.extensions_by_name.items()
}
_FEW_NAMES = 12
_IMPORT = f'add `import "{OPTIONS_FILE}";`'
# Prefix of the options of another vocabulary -> the file that declares them.
_OTHER_FILES = {
    "buf.validate.": "buf/validate/validate.proto",
    "validate.rules": "validate/validate.proto",
    "google.api.field_behavior": "google/api/field_behavior.proto",
    "google.api.field_info": "google/api/field_info.proto",
    "google.api.resource": "google/api/resource.proto",
    "grpc.gateway.protoc_gen_openapiv2.options.": "protoc-gen-openapiv2/options/annotations.proto",
}


def find_option_hint(message: str, has_import: Callable[[], bool]) -> str:
    """Return a hint for an error of protoc, empty if there is none.

    `has_import` returns whether the file imports the options of this tool.
    """
    for pattern, suggest_fix in _ERRORS.items():
        if match := pattern.match(message):
            hint = suggest_fix(*match.groups())
            missing = f"({_FILE.package}." in message + hint and not has_import()
            return " ".join(filter(None, (hint, _IMPORT if missing else "")))
    return ""


def _suggest_extension(name: str, path: str) -> str:
    """Return a hint for an unknown option in parentheses, with the path of fields after it."""
    if name in _EXTENSIONS:
        message = _EXTENSIONS[name].message_type
        return _suggest_field_path(message, path) if message else ""
    for start, file in _OTHER_FILES.items():
        if name.startswith(start):
            return f'add `import "{file}";`'
    near = find_nearest(name.rpartition(".")[2], _FILE.extensions_by_name)
    return did_you_mean(f"({_FILE.package}.{near})") if near else ""


def _suggest_field_path(message: Descriptor | None, rest: str) -> str:
    """A hint for the first unknown field of a path, such as `items.maxium`."""
    for name in filter(None, rest.split(".")):
        if message is None:
            break
        if name not in message.fields_by_name:
            return _suggest_or_list(name, message.fields_by_name)
        message = message.fields_by_name[name].message_type
    return ""


def _suggest_plain(name: str) -> str:
    """Return a hint for an unknown option without parentheses."""
    if name == _FILE.package.partition(".")[0]:
        return f"write the name in parentheses, as in ({next(iter(_EXTENSIONS))})"
    return suggest(name, set(_list_plain_options()))


def _list_plain_options() -> Iterator[str]:
    for name, message in descriptor_pb2.DESCRIPTOR.message_types_by_name.items():
        if name.endswith("Options"):
            yield from message.fields_by_name


def _suggest_field(message: str, name: str) -> str:
    """Return a hint for an unknown field of a message of this tool."""
    descriptor = _FILE.message_types_by_name.get(message.removeprefix(f"{_FILE.package}."))
    return _suggest_or_list(name, descriptor.fields_by_name) if descriptor else ""


def _suggest_value(enum: str, name: str) -> str:
    """Return a hint for an unknown value of an enum of this tool."""
    descriptor = _FILE.enum_types_by_name.get(enum.removeprefix(f"{_FILE.package}."))
    return _suggest_or_list(name, descriptor.values_by_name) if descriptor else ""


def _suggest_or_list(name: str, names: Collection[str]) -> str:
    """Return a hint with our name or the nearest one, or else with all names if they are few."""
    listed = f"use one of {', '.join(names)}" if len(names) <= _FEW_NAMES else "see the marker reference"
    return suggest_other_name(name, names) or suggest(name, names) or listed


def _list_extensions(extendee: str) -> str:
    """A hint that lists the options of a kind of element, for one of another kind."""
    names = [f"({name})" for name, extension in _EXTENSIONS.items() if _extends(extension, extendee)]
    return f"use {' or '.join(names)} here" if names else ""


def _extends(option: FieldDescriptor, extendee: str) -> bool:
    return option.containing_type is not None and option.containing_type.name == extendee


# Errors of protoc -> the function that makes the hint from the parts of the message.
_ERRORS: dict[re.Pattern[str], Callable[..., str]] = {
    re.compile(r'Option "\(\.?([\w.]+)\)\.?([\w.]*).*" unknown'): _suggest_extension,
    re.compile(r'Option "(\w+)[\w.]*" unknown'): _suggest_plain,
    re.compile(r'.*Message type "([\w.]+)" has no field named "(\w+)"'): _suggest_field,
    re.compile(r'.*[Ee]num(?:eration)? type "([\w.]+)" has no value named "(\w+)"'): _suggest_value,
    re.compile(r'Option field "\([\w.]+\)" is not a field or extension of message "(\w+)"'): _list_extensions,
}
