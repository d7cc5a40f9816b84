"""What values of options are: what they must be, how that is shown, and how a text becomes one."""

from __future__ import annotations

import re
from collections.abc import Callable

from protoc_gen_crd.base.filenames import is_below
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.versions import NEWEST, OLDEST, minors_of, parse_release


class Kind(Record):
    """What the values of an option are. `demand` completes "must be ...", `parse` raises ValueError for other texts.

    `plain` is the type in a settings file; a `path` there is relative to the file's folder; `names` are all values of a
    kind that has few.
    """

    demand: str
    shown: str
    parse: Callable[[str], object]
    plain: type = str
    path: bool = False
    names: tuple[str, ...] = ()


def _boolean(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(text)
    return int(text)


def _limit(text: str) -> int:
    return _count(text) or _count("none")


def _percentage(text: str) -> float:
    value = float(text.removesuffix("%"))
    if not 0 <= value <= 100:
        raise ValueError(text)
    return value


def _versions(text: str) -> str:
    minors = minors_of(text)
    if text in ("", "..") or minors[0] < OLDEST or minors[-1] > NEWEST:
        raise ValueError(text)
    return text


def _release(text: str) -> str:
    if parse_release(text) is None:
        raise ValueError(text)
    return text


def _switch(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*", text):
        raise ValueError(text)
    return text


def _channel(text: str) -> str:
    if not re.fullmatch("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", text):
        raise ValueError(text)
    return text


def _service(text: str) -> str:
    label = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
    found = re.fullmatch(f"{label}/[a-z]([-a-z0-9]{{0,61}}[a-z0-9])?(:([0-9]{{1,5}}))?", text)
    if not found or not 1 <= int(found[4] or 1) <= 65535:
        raise ValueError(text)
    return text


_PART = "[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*"  # of a path, as registries name it
_HOST = "(?:[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)(?:[.][a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)*(?::[0-9]+)?"
_IMAGE = re.compile(
    f"(?:{_HOST}/)?{_PART}(?:/{_PART})*(?::[a-zA-Z0-9_][-.a-zA-Z0-9_]{{0,127}})?(?:@sha256:[0-9a-f]{{64}})?"
)


def _image(text: str) -> str:
    """A name with its tag or digest, as github.com/distribution/reference reads it."""
    if not _IMAGE.fullmatch(text):
        raise ValueError(text)
    return text


def _is_literal(text: str) -> bool:
    """Whether a path holds what a shell would have taken away: quotes around it, or the sign of a home folder."""
    return bool(re.match("~(/|$)", text)) or (len(text) > 1 and text[0] == text[-1] and text[0] in "'\"")


def _path(text: str) -> str:
    if "\0" in text or not text or _is_literal(text):
        raise ValueError(text)
    return text


def _file_name(text: str) -> str:
    if not text or not is_below(text) or _is_literal(text):
        raise ValueError(text)
    return text


def _folder_name(text: str) -> str:
    return _file_name(text.rstrip("/"))


def _comment(text: str) -> str:
    if re.search("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]", text):
        raise ValueError(text)
    return text


def hint_of(kind: Kind, text: str) -> str:
    """How a text becomes a value of a kind, where that is near."""
    if kind in _NAMES and _is_literal(text):
        return "write the home folder out: only shells know the sign" if text[0] == "~" else "take the quotes away"
    return suggestion(text, kind.names)


def one_of(*names: str) -> Kind:
    """One of these names."""
    quoted = ", ".join(f'"{name}"' for name in names)
    known = {name: name for name in names}
    return Kind(f"one of {quoted}" if len(names) > 1 else quoted, "|".join(names), known.__getitem__, names=names)


TEXT = Kind("text", "TEXT", str)
COMMENT = Kind("text that YAML takes, which control characters are not", "TEXT", _comment)
PATH = Kind("a path", "PATH", _path, path=True)
FILE_NAME = Kind("a name of a file in the output folder", "FILE", _file_name)
FOLDER_NAME = Kind("a name of a folder in the output folder", "FOLDER", _folder_name)
_NAMES = (PATH, FILE_NAME, FOLDER_NAME)
BOOLEAN = Kind("true or false", "true|false", _boolean, bool, names=("false", "true"))
COUNT = Kind("a whole number from 0 to 999999999", "N", _count, int)
LIMIT = Kind("a whole number from 1 to 999999999", "N", _limit, int)
VERSIONS = Kind(
    f'a Kubernetes version from 1.{OLDEST} to 1.{NEWEST}, or a range of them such as "1.30..1.34"',
    "FROM..TO",
    _versions,
)
RELEASE = Kind("a release such as 1.4", "RELEASE", _release)
CHANNEL = Kind("a name of lower-case letters, digits and dashes", "NAME", _channel)
SWITCH = Kind("a path below .Values such as experimental.enabled", "PATH", _switch)
SERVICE = Kind("a service such as acme/webhook or acme/webhook:8443", "NAMESPACE/NAME[:PORT]", _service)
IMAGE = Kind("an image such as registry.example/acme/webhook:1.4", "NAME[:TAG][@DIGEST]", _image)
SELECTOR = Kind("a mapping with matchLabels or matchExpressions", "MAPPING", str, dict)
TERMS = Kind('a mapping of stages or channels to their "months" and "releases"', "MAPPING", str, dict)
HUBS = Kind("a mapping of names of CRDs to their versions", "MAPPING", str, dict)
RULES = Kind("a mapping of names of CRDs to lists of conversions", "MAPPING", str, dict)
TYPES = Kind("a mapping of message names to schemas", "MAPPING", str, dict)
POLICY = Kind("a list of entries", "LIST", str, list)
PERCENTAGE = Kind("a percentage from 0 to 100", "THRESHOLD", _percentage)
