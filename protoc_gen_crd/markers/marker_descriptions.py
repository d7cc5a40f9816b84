"""Descriptions of markers by name, from options.proto, its comments, and the tables of other spellings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.declarative_validation import list_replacements
from protoc_gen_crd.markers.ignored_markers import INERT
from protoc_gen_crd.markers.marker_aliases import NAMES
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.option_declarations import PACKAGE, MarkerOption, get_enum_names, get_message_options
from protoc_gen_crd.markers.option_spellings import Spelling, list_marker_options, list_spellings
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request

_FILE = "protoc_gen_crd/v1/options.proto"
_NATIVE_PREFIX = "protoc-gen-crd:"
# The message of options.proto for each element that has options, with the name of its extension and prefix as a marker.
_EXTENSIONS = {
    "Schema": ("field", ""),
    "Resource": ("resource", "resource."),
    "Package": ("file", ""),
    "EnumValue": ("enum_value", ""),
    "Oneof": ("oneof", ""),
    "Service": ("service", ""),
    "Method": ("method", ""),
}


class MarkerDescription(Record):
    """The description of an option: its comment, its elements and value as sentences, and how it is written."""

    name: str
    comment: str
    usage: tuple[str, ...]
    spellings: tuple[str, ...] = ()


def describe_marker(name: str) -> list[MarkerDescription]:
    """Return the options that a name sets, by its spelling as a marker or an option; none for an unknown name.

    The name can have a plus, a value, and the prefix of native markers.
    """
    plain = _strip_value(name.strip().removeprefix("+"))
    if plain in INERT:
        return [MarkerDescription(f"+{plain}", f"{plain} has no effect on a CRD: it {INERT[plain]}.", ())]
    replacement = list_replacements().get(plain.removeprefix("k8s:")) if plain.startswith("k8s:") else None
    if replacement:
        return [MarkerDescription(f"+{plain}", f"CRDs do not support this marker. Instead, {replacement}.", ())]
    return [_describe_option(message, option) for message, option in _find_options(plain)]


def list_marker_names() -> list[str]:
    """Return the names that `describe_marker` knows."""
    options = [name for message in _EXTENSIONS for name in get_message_options(message)]
    return [*options, *NAMES, *INERT, *(f"k8s:{name}" for name in list_replacements())]


def _strip_value(marker: str) -> str:
    """Return the name of a marker without its arguments, `:name=value,...`."""
    start, separator, _ = marker.partition("=")
    head = start.rpartition(":")[0]
    return head if separator and head in NAMES else start


def _find_options(name: str) -> list[tuple[str, str]]:
    options = list_marker_options(name)
    if options:
        return options
    path = name.removeprefix(_NATIVE_PREFIX)
    for message, (extension, prefix) in _EXTENSIONS.items():
        for start in (f"(protoc_gen_crd.v1.{extension}).", prefix):
            option = path.removeprefix(start)
            if option in get_message_options(message) and (path.startswith(start) or not prefix):
                return [(message, option)]
    return [(message, path) for message in _EXTENSIONS if path in get_message_options(message)]


def _describe_option(message: str, name: str) -> MarkerDescription:
    option = get_message_options(message)[name]
    extension, prefix = _EXTENSIONS[message]
    spellings = [Spelling(f"(protoc_gen_crd.v1.{extension}).{name}"), Spelling(f"+{_NATIVE_PREFIX}{prefix}{name}")]
    spellings += list_spellings(message, name)
    markers = [spelling.marker + " for false" * spelling.is_negative for spelling in spellings]
    return MarkerDescription(
        name, read_comment(f"{message}.{name}"), tuple(_describe_usage(message, option)), tuple(markers)
    )


def _describe_usage(message: str, option: MarkerOption) -> Iterator[str]:
    targets = [target.lower().replace("_", " ") for target in option.targets]
    if message == "Schema":
        targets = targets or ["field", "message", "enum"]
        yield f"elements: {', '.join(targets)}"
        yield f"types: {', '.join(option.types) or 'all'}"
    else:
        yield f"elements: {_ELEMENTS[message]}"
    yield f"value: {_describe_value(option)}{', repeated' * option.repeated}"
    if option.keyword:
        yield f"schema keyword: {option.keyword}"


_ELEMENTS = {
    "Resource": "message of a resource",
    "Package": "package",
    "EnumValue": "enum value",
    "Oneof": "oneof",
    "Service": "service",
    "Method": "RPC",
}


def _describe_value(option: MarkerOption) -> str:
    if option.values:
        return " or ".join(value or "nothing" for value in option.values)
    if option.kind == "enum":
        return " or ".join(get_enum_names(option.message))
    if option.json:
        return "JSON"
    return {"bool": "true or false", "message": f"message {option.message}"}.get(option.kind, option.kind)


@cache
def _read_options() -> tuple[ApiSet, MarkerCollector]:
    """Return options.proto, read as any API is."""
    problems = Problems()
    request = Request.from_message(compile_files({_FILE: str(OPTIONS / _FILE)}, [], problems), problems)
    if request is None:
        raise RuntimeError(problems.findings[0].message)
    api = ApiSet(request, problems)
    return api, MarkerCollector(api, problems)


def read_comment(name: str) -> str:
    """Return the comment of a message of options.proto, or of a field as `Message.field`. Raises KeyError."""
    api, collector = _read_options()
    message, _, field = name.partition(".")
    declaration = api.find_message(f"{PACKAGE}.{message}")
    if declaration is None:
        raise KeyError(name)
    element = (
        {field_declaration.name: field_declaration for field_declaration in declaration.fields}[field]
        if field
        else declaration
    )
    return collector.read_comment(element).description
