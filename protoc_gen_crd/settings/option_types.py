"""Types of option values: description, placeholder in help, and parser."""

from __future__ import annotations

import re
from collections.abc import Callable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, suggest
from protoc_gen_crd.kubernetes.supported_versions import (
    NEWEST,
    OLDEST,
    find_nearest_kubernetes,
    normalize_kubernetes,
    parse_minors,
)


class OptionType(Record):
    """A type of option values. `requirement` completes "expected ...", `parse` raises ValueError or KeyError.

    `plain` is the type in a settings file; a `path` there is relative to the file's folder; `names` are the values of a
    choice.
    """

    requirement: str
    placeholder: str
    parse: Callable[[str], object]
    plain: type = str
    path: bool = False
    names: tuple[str, ...] = ()


def _parse_boolean(string: str) -> bool:
    return {"true": True, "false": False}[string.lower()]


def _parse_header(string: str) -> str:
    key, colon, form = (part.strip() for part in string.partition(":"))
    if not colon or not re.fullmatch(r"[a-z0-9_.-]+", key.lower()) or key.lower().startswith("grpc-"):
        raise ValueError(string)
    if form.count("{version}") != 1 or form.count("{group}") > 1 or key.lower().endswith("-bin"):
        raise ValueError(string)
    return f"{key.lower()}: {form}"


def _parse_count(string: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", string):
        raise ValueError(string)
    return int(string)


def _parse_limit(string: str) -> int:
    return _parse_count(string) or _parse_count("none")


def _parse_percentage(string: str) -> float:
    value = float(string.removesuffix("%"))
    if not 0 <= value <= 100:
        raise ValueError(string)
    return value


def _parse_versions(string: str) -> str:
    minors = parse_minors(string)
    if string in ("", "..") or minors[0] < OLDEST or minors[-1] > NEWEST:
        raise ValueError(string)
    return normalize_kubernetes(string)


def _parse_release(string: str) -> str:
    from protoc_gen_crd.kubernetes.version_ranges import parse_release  # noqa: PLC0415 - few runs have this option

    if parse_release(string) is None:
        raise ValueError(string)
    return string


def _parse_switch(string: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*", string):
        raise ValueError(string)
    return string


def _parse_channel(string: str) -> str:
    if not re.fullmatch("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", string):
        raise ValueError(string)
    return string


def _parse_kind_pattern(string: str) -> str:
    """Validate a pattern of kinds. A kind starts with a capital, so that a group alone is an error."""
    kind, group = "[A-Z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?", "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?"
    if not re.fullmatch(rf"{kind}(\.{group})?|{group}/\*", string):
        raise ValueError(string)
    return string


def _parse_service(string: str) -> str:
    label = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
    match = re.fullmatch(f"{label}/[a-z]([-a-z0-9]{{0,61}}[a-z0-9])?(:([0-9]{{1,5}}))?", string)
    if not match or not 1 <= int(match[4] or 1) <= 65535:
        raise ValueError(string)
    return string


def _parse_image(string: str) -> str:
    from protoc_gen_crd.settings.image_names import IMAGE_NAME  # noqa: PLC0415 - only `manifests` has an image

    if not re.fullmatch(IMAGE_NAME, string):
        raise ValueError(string)
    return string


def _is_unexpanded(string: str) -> bool:
    """Return whether a path has characters that a shell removes: quotes around it, or a leading tilde."""
    is_quoted = len(string) > 1 and string[0] == string[-1] and string[0] in "'\""
    return is_quoted or string == "~" or string.startswith("~/")


def _parse_path(string: str) -> str:
    if "\0" in string or not string or _is_unexpanded(string):
        raise ValueError(string)
    return string


def _parse_side(string: str) -> str:
    """Validate a side of a comparison; `documents.side_reference` parses it."""
    if re.fullmatch("(git|merge-base):(:.*)?", string, re.DOTALL):
        raise ValueError(string)
    return _parse_path(string)


def _parse_file_name(string: str) -> str:
    from protoc_gen_crd.base.file_names import is_below  # noqa: PLC0415 - few runs name a file

    if not string or not is_below(string) or _is_unexpanded(string):
        raise ValueError(string)
    return string


def _parse_folder_name(string: str) -> str:
    return _parse_file_name(string.rstrip("/"))


def _parse_comment(string: str) -> str:
    if re.search("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]", string):
        raise ValueError(string)
    return string


def suggest_value(kind: OptionType, string: str) -> str:
    """Suggest a valid value for an invalid one."""
    if kind in _NAMES and _is_unexpanded(string):
        return "write the path of the home folder instead of ~" if string[0] == "~" else "remove the quotes"
    if kind is VERSIONS:
        return did_you_mean(find_nearest_kubernetes(string))
    return suggest(string, kind.names)


def _parse_webhook_url(text: str) -> str:
    if text and (not text.lower().startswith("https://") or text.rstrip("/").endswith("/convert")):
        raise ValueError(text)
    return text


def make_choice(*names: str) -> OptionType:
    """Create a type with these values."""
    quoted = ", ".join(f'"{name}"' for name in names)
    values = {name: name for name in names}
    return OptionType(
        f"one of {quoted}" if len(names) > 1 else quoted, "|".join(names), values.__getitem__, names=names
    )


# The guides for API changes; `comparison.severity_profiles` has their decision tables.
PROFILE = make_choice("kubernetes", "istio", "open-cluster-management", "immutable", "microversion")
STRING = OptionType("a string", "TEXT", str)
SIDE = OptionType(
    "git:REF[:DIR], merge-base[:REF], latest-tag[:GLOB], history[:RELEASE], cluster, or a path", "SIDE", _parse_side
)
COMMENT = OptionType("a string without control characters", "TEXT", _parse_comment)
PATH = OptionType("a path", "PATH", _parse_path, path=True)
FILE_NAME = OptionType("the name of a file in the output folder", "FILE", _parse_file_name)
FOLDER_NAME = OptionType("the name of a folder in the output folder", "FOLDER", _parse_folder_name)
_NAMES = (PATH, FILE_NAME, FOLDER_NAME)
VERSION_HEADER = OptionType(
    'metadata such as "api-version: {group} {version}", with a key of gRPC and {version}', "KEY: VALUE", _parse_header
)
BOOLEAN = OptionType("true or false", "true|false", _parse_boolean, bool, names=("false", "true"))
COUNT = OptionType("a whole number from 0 to 999999999", "N", _parse_count, int)
LIMIT = OptionType("a whole number from 1 to 999999999", "N", _parse_limit, int)
VERSIONS = OptionType(
    f'a Kubernetes version from 1.{OLDEST} to 1.{NEWEST}, "latest", or a range such as "1.30..1.34"',
    "FROM..TO",
    _parse_versions,
)
RELEASE = OptionType("a release such as 1.4", "RELEASE", _parse_release)
CHANNEL = OptionType("a name of lower-case letters, digits and dashes", "NAME", _parse_channel)
SWITCH = OptionType("a path below .Values such as experimental.enabled", "PATH", _parse_switch)
KIND_PATTERN = OptionType('"Kind", "Kind.group" or "group/*"', "KIND[.GROUP]|GROUP/*", _parse_kind_pattern)
WEBHOOK_URL = OptionType("a URL such as https://webhook.example, without /convert", "URL", _parse_webhook_url)
SERVICE = OptionType("a service such as acme/webhook or acme/webhook:8443", "NAMESPACE/NAME[:PORT]", _parse_service)
IMAGE = OptionType("an image such as registry.example/acme/webhook:1.4", "NAME[:TAG][@DIGEST]", _parse_image)
SELECTOR = OptionType("a mapping with matchLabels or matchExpressions", "MAPPING", str, dict)
TERMS = OptionType('a mapping of stages or channels to their "months" and "releases"', "MAPPING", str, dict)
HUBS = OptionType("a mapping of names of CRDs to their versions", "MAPPING", str, dict)
GROUP_HUBS = OptionType("a mapping of names of API groups to their versions", "MAPPING", str, dict)
PROFILES = OptionType("a mapping of API groups and kinds to their profiles", "MAPPING", str, dict)
RULES = OptionType("a mapping of names of CRDs to lists of conversions", "MAPPING", str, dict)
OVERRIDES = OptionType("a mapping of full names to markers", "MAPPING", str, dict)
TYPES = OptionType("a mapping of message names to schemas", "MAPPING", str, dict)
POLICY = OptionType("a list of entries", "LIST", str, list)
PERCENTAGE = OptionType("a percentage from 0 to 100", "THRESHOLD", _parse_percentage, float)
