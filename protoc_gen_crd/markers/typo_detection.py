"""Detection of markers with a misspelled namespace or name. invalid_marker_findings.py reports them."""

from __future__ import annotations

import re
from functools import lru_cache

from protoc_gen_crd.base.suggestions import find_nearest, find_nearest_path
from protoc_gen_crd.markers.ignored_markers import INERT, NAMESPACES
from protoc_gen_crd.markers.marker_aliases import ALIASES, NAMES
from protoc_gen_crd.markers.marker_argument_parser import MarkerNames, split_names
from protoc_gen_crd.markers.option_declarations import SCHEMA

_SEARCHED = NAMES | {*NAMESPACES} | {name for name in INERT if name.startswith(NAMESPACES)}
_FIRSTS = frozenset([name.partition(":")[0] for name in _SEARCHED])
_WORD = re.compile(r"[^\s:=]*")
_SEPARATOR = "[-_.:/]"
_LIKE = 0.82  # similarity of a namespace: code-gen is not cue-gen
_FREE = ("cue-gen", "protoc-gen-crd")  # namespaces whose names are not in the table
_PREFIXES = tuple([f"{namespace}:" for namespace in NAMESPACES])
# A name, and optionally a value up to the end of the line, in quotes or without a blank. No sentence matches.
_WHOLE = r"""([\w.:@/-]+)(\(.*|=(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s"`])*)?(?<![.,;:!?])"""
_NO_LETTERS = r"[^0-9A-Za-z]+"
_OWN = "protocgencrd"
_ALIKE = 0.9  # similarity of the letters of a whole name
_PARTED = rf"^({'|'.join(NAMESPACES)})[ \t]+(\S+)$"  # a namespace and a name without a colon between them
_ARGUED = r"^\S+[ \t]+\S+[:=.]\S"
_SIGNS = "@#$%&~<>|=.,;:/_-\uff0b\ufe62"  # characters in place of a plus, including other plus signs
_BARE = ("kubebuilder:", "kubebuilder:validation:")  # prefixes that are often missing
# Markers up to the end of a line, with values as in `_WHOLE`. Possessive, so the time is linear.
_ALONE = r"""\+([A-Za-z][\w.:@/-]*+)(=(?:"(?:[^"\\]|\\.|(?!))*+"|`[^`]*+`|[^\s"`]|(?!))*+)?"""
_EMBEDDED = rf"{_ALONE}(?:[ \t]++{_ALONE}|(?!))*+(?<![.,;:!?])"
_ABBREVIATIONS = ("cf.", "e.g.", "eg.", "etc.", "i.e.", "vs.")
# Words before a marker in a sentence about markers, between blanks.
_MENTIONS = (
    " a add added after all an and annotation any are as at be before both but by called comment comments could"
    " each either enum every field fields for from given had has have if in instead into is its kubebuilder"
    " like line lines mark marked marker markers mention mentions message name named needs neither no nor not"
    " of on one only option or other per put remove replace require required requires see set sets should tag"
    " tags than that the their then these this those to under unless use used uses using via was were when"
    " where which while with without write written "
)


@lru_cache(maxsize=1024)
def is_marker(line: str) -> bool:
    """Return whether the text after a plus is a marker: a known name, or any name directly followed by an argument."""
    word, sign, following = _split_first_word(line)
    if not sign:
        return word in NAMES or word.partition(".")[0] in INERT
    if sign.isspace():
        return word in NAMES
    if following.strip() or (sign == "=" and not following):
        return True
    return word in NAMES or word in NAMESPACES or word.partition(".")[0] in INERT


def is_effective_marker(line: str, *, bare: bool) -> bool:
    """Return whether the text after a plus names an effective marker and is not a sentence.

    With `bare`, the name may be without a namespace.
    """
    word, sign, following = _split_first_word(line)
    valued = sign in (":", "=") and bool(following.strip())
    return (valued and sign == ":" and word in NAMESPACES) or (bare and word in NAMES and (valued or not sign))


def is_effective_name(line: str) -> bool:
    """Return whether the text after a plus starts with the name or namespace of an effective marker."""
    word, sign, _ = _split_first_word(line)
    return word in NAMES or (sign == ":" and word in NAMESPACES)


def can_lack_plus(line: str) -> bool:
    """Return whether a comment may contain a marker without its plus. It is fast, since every comment is checked."""
    return ":" in line and any(map(line.__contains__, _PREFIXES))


def is_missing_plus(line: str, following: str) -> bool:
    """Return whether a line is a marker without its plus, and the next line does not continue a sentence."""
    line = line.lstrip(_SIGNS)
    if not line.startswith(_PREFIXES):
        return False
    match = re.fullmatch(_WHOLE, line)
    below = following.lstrip()
    if match is None or (below[:1].islower() and not below.startswith(_PREFIXES)):
        return False
    name, value = match.groups("")
    namespace, colon, member = name.partition(":")
    free = namespace in _FREE and ":" in f"{member}{value}".replace("=", ":")
    known = name in NAMES or (value and name.rpartition(":")[0] in NAMES)
    return bool(colon) and bool(known or (free and member))


def find_embedded_marker(line: str, following: str) -> str:
    """Return the markers at the end of a line of prose; empty if there are none, or if the prose may be about them.

    Prose is certainly not about a marker if a sentence ends before it.
    """
    marker, name, is_valued = _find_last_markers(line)
    before, below = line.rstrip().removesuffix(marker), following.lstrip()
    if not marker or below[:1].islower() or not re.search(r"[^\W_]", before):
        return ""
    last = before.split()[-1].lstrip("(").lower()
    if last[-1:] in (".", "!", "?", ")"):
        return "" if last in _ABBREVIATIONS else marker
    return marker if (is_valued or ":" in name) and last.isalnum() and f" {last} " not in _MENTIONS else ""


def find_included_marker(line: str) -> str:
    """Return the markers at the end of a line that starts with a plus, outside quotes; empty if there are none."""
    return _find_last_markers(line)[0] if is_marker(line[1:].split(maxsplit=1)[0]) else find_embedded_marker(line, "")


def _find_last_markers(line: str) -> tuple[str, str, bool]:
    """Return the effective markers at the end of a line, outside quotes, the name of the first, and its valuedness."""
    start = re.search(r"[ \t]\+(?=[A-Za-z])", line)
    match = re.fullmatch(_EMBEDDED, line[start.end() - 1 :].rstrip()) if start else None
    if start is None or match is None or any(line.count(quote, 0, start.end()) % 2 for quote in ("`", '"')):
        return "", "", False
    name, is_valued = match[1], bool(match[2])
    is_known = name in NAMES or name.rpartition(":")[0] in NAMES or (is_valued and name.startswith(_PREFIXES))
    is_effective = is_known and not any(prefix in INERT for prefix in _list_prefixes(name))
    return (match[0], name, is_valued) if is_effective else ("", "", False)


def _split_first_word(line: str) -> tuple[str, str, str]:
    """Return the first word of a line, and the two characters after it."""
    word = _WORD.match(line)[0]  # type: ignore[index] # always matches
    end = len(word)
    return word, line[end : end + 1], line[end + 1 : end + 2]


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
    if respelled.startswith(_FREE) or any(name in NAMES or name in INERT for name in _list_prefixes(respelled)):
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


def _list_prefixes(name: str) -> list[str]:
    segments = name.split(":")
    return [":".join(segments[:count]) for count in range(2, len(segments) + 1)]


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
