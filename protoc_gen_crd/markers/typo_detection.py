"""Detection of markers with a misspelled namespace or name. unknown_marker_names.py reports them."""

from __future__ import annotations

import re

from protoc_gen_crd.base.suggestions import find_nearest, find_nearest_path
from protoc_gen_crd.markers.ignored_markers import INERT, NAMESPACES
from protoc_gen_crd.markers.marker_aliases import ALIASES, NAMES
from protoc_gen_crd.markers.marker_argument_parser import MarkerNames, split_names
from protoc_gen_crd.markers.marker_recognition import FREE_NAMESPACES, list_prefixes
from protoc_gen_crd.markers.option_declarations import SCHEMA

_SEARCHED = NAMES | {*NAMESPACES} | {name for name in INERT if name.startswith(NAMESPACES)}
_FIRSTS = frozenset([name.partition(":")[0] for name in _SEARCHED])
_SEPARATOR = "[-_.:/]"
_LIKE = 0.82  # similarity of a namespace: code-gen is not cue-gen
_NO_LETTERS = r"[^0-9A-Za-z]+"
_OWN = "protocgencrd"
_ALIKE = 0.9  # similarity of the letters of a whole name
_PARTED = rf"^({'|'.join(NAMESPACES)})[ \t]+(\S+)$"  # a namespace and a name without a colon between them
_ARGUED = r"^\S+[ \t]+\S+[:=.]\S"
_BARE = ("kubebuilder:", "kubebuilder:validation:")  # prefixes that are often missing


def find_native_option(name: str) -> str:
    """Return the native marker whose option or keyword is this name without a namespace; empty if there is none."""
    options = {key: option.name for option in SCHEMA.values() for key in (option.keyword, option.name) if key}
    return f"protoc-gen-crd:{options[name]}" if name in options else ""


def find_case_variant(parts: MarkerNames) -> str:
    """Return the marker with this name in another case and without a namespace; empty if there is none."""
    folded = {name.lower(): name for name in NAMES if name.startswith(_BARE)}
    names = [f"{prefix}{name}".lower() for name in (parts.anonymous, parts.name) for prefix in _BARE]
    return next((folded[name] for name in names if name in folded), "")


def find_nearest_marker(name: str) -> str | None:
    """Return the marker that is most similar to a name, None if none is similar.

    It is a marker that the name is a prefix of, a marker with the same letters, a sibling, a marker with the same last
    part, or a marker with a similar path. Markers of the same namespace take precedence.
    """
    below = min((marker for marker in _SEARCHED if marker.startswith(f"{name}:")), default=None)
    if below:
        return below
    head, _, last = name.rpartition(":")
    siblings = {marker.rpartition(":")[2]: marker for marker in _SEARCHED if head and marker.rpartition(":")[0] == head}
    same_part = [
        marker for marker in _SEARCHED if head and _normalize_part(marker.rpartition(":")[2]) == _normalize_part(last)
    ]
    same_letters = [marker for marker in _SEARCHED if head and _normalize_name(marker) == _normalize_name(name)]
    elsewhere = min(
        (same_letters if ":" in head else same_part) or same_part,
        default=None,
        key=lambda marker: _get_distance(marker, name),
    )
    if near := find_nearest(last, siblings, _LIKE if elsewhere else 0.6):
        return siblings[near]
    return elsewhere or find_nearest_path(name, _SEARCHED, ":", 0.8 if head else 0.6)


def _get_distance(marker: str, name: str) -> tuple[bool, int, str]:
    return marker.partition(":")[0] != name.partition(":")[0], marker.count(":"), marker


def _normalize_name(name: str) -> str:
    """Return the letters of a name without its namespace: those of `kubebuilder:list:type` and `listType` are equal."""
    return re.sub(_NO_LETTERS, "", name.partition(":")[2] or name).lower()


def _normalize_part(part: str) -> str:
    """Return the letters of a part of a name in the singular, without the prefix of Kubernetes' keywords."""
    return re.sub(_NO_LETTERS, "", part).lower().removeprefix("xkubernetes").removesuffix("s")


def is_near(name: str) -> bool:
    """Return whether the first part of a name is similar to that of a marker. A single part always is."""
    first, colon, _ = name.partition(":")
    return not colon or find_nearest(first, _FIRSTS, 0.7) is not None


def find_intended_marker(parts: MarkerNames, *, valued: bool) -> str:
    """Return the marker whose namespace is misspelled, missing, or different; empty if it is not certain."""
    head = re.sub(r"(?<![ \t])[ \t]*:[ \t]*", ":", parts.anonymous.strip())
    joined = re.sub(_PARTED, r"\1:\2", head)
    head = joined if valued or joined in NAMES or re.search(_ARGUED, head) else head
    if re.search(r"\s", head) or not (valued or ":" in head):
        return _find_squeezed(head) if valued or ":" in head else ""
    respelled = _correct_namespace(head)
    if not respelled:
        return _find_borrowed(split_names(f"{head}=" if valued else head), valued=valued) or _find_squeezed(head)
    prefixes = list_prefixes(respelled)
    if respelled.startswith(FREE_NAMESPACES) or any(name in NAMES or name in INERT for name in prefixes):
        return respelled
    return find_nearest_marker(respelled) or respelled.partition(":")[0]


def _correct_namespace(head: str) -> str:
    """Return a name with its namespace corrected: `kube-builder.x` is `kubebuilder:x`; empty if none is similar."""
    for namespace in NAMESPACES:
        letters = f"{_SEPARATOR}?".join(namespace.replace("-", ""))
        if match := re.match(rf"{letters}(?:\.io)?{_SEPARATOR}+(?=\w)", head, re.IGNORECASE):
            return f"{namespace}:{head[match.end() :]}"
    first, colon, suffix = head.partition(":")
    near = find_nearest(first, NAMESPACES, _LIKE) if colon else None
    return f"{near}:{suffix}" if near else ""


def _find_squeezed(head: str) -> str:
    """Return the marker whose letters are nearly those of a name, such as `k ubebuilder:default`; else empty."""
    letters = re.sub(_NO_LETTERS, "", head).lower()
    option = next((letters[len(_OWN) + more :] for more in (0, -1, 1) if _is_similar(letters[: len(_OWN) + more])), "")
    if option and ":" in head:
        return f"protoc-gen-crd:{find_nearest(option, SCHEMA) or '<option>'}"
    markers = {re.sub(_NO_LETTERS, "", name).lower(): name for name in NAMES if ":" in name}
    near = find_nearest(letters, markers, _ALIKE)
    return markers[near] if near else ""


def _is_similar(letters: str) -> bool:
    return find_nearest(letters, [_OWN], _ALIKE) is not None


def _find_borrowed(parts: MarkerNames, *, valued: bool) -> str:
    """Find the kubebuilder marker with this name and a missing or different namespace.

    A name of one part after another namespace may belong to that tool, unless it has a known argument.
    """
    if not valued:
        prefixed = next((prefix + parts.anonymous for prefix in _BARE if prefix + parts.anonymous in NAMES), "")
        return prefixed if ":" in parts.anonymous else ""
    for name in (parts.anonymous, parts.name):
        suffix = name.partition(":")[2]
        for tail in (name, suffix):
            marker = next((prefix + tail for prefix in _BARE if tail and prefix + tail in NAMES), "")
            if marker and (tail == name or ":" in tail or _has_argument(marker, parts.anonymous[len(name) + 1 :])):
                return marker
    return ""


def _has_argument(name: str, argument: str) -> bool:
    """Return whether a marker has an argument of this name."""
    definitions = [alias.definition for (marker, _), alias in ALIASES.items() if marker == name]
    return bool(argument) and any(
        argument_definition.name == argument
        for definition in definitions
        for argument_definition in definition.arguments
    )
