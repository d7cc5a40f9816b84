"""Recognition of markers in comment lines by their names, and of lines that may be intended as markers."""

from __future__ import annotations

import re
from functools import lru_cache

from protoc_gen_crd.markers.ignored_markers import INERT, NAMESPACES
from protoc_gen_crd.markers.marker_aliases import NAMES

_WORD = re.compile(r"[^\s:=]*")
FREE_NAMESPACES = ("cue-gen", "protoc-gen-crd")  # namespaces whose names are not in the table
_PREFIXES = tuple([f"{namespace}:" for namespace in NAMESPACES])
# A name, and optionally a value up to the end of the line, in quotes or without a blank. No sentence matches.
_WHOLE = r"""([\w.:@/-]+)(\(.*|=(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s"`])*)?(?<![.,;:!?])"""
_SIGNS = "@#$%&~<>|=.,;:/_-\uff0b\ufe62"  # characters in place of a plus, including other plus signs
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
    free = namespace in FREE_NAMESPACES and ":" in f"{member}{value}".replace("=", ":")
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
    is_effective = is_known and not any(prefix in INERT for prefix in list_prefixes(name))
    return (match[0], name, is_valued) if is_effective else ("", "", False)


def _split_first_word(line: str) -> tuple[str, str, str]:
    """Return the first word of a line, and the two characters after it."""
    word = _WORD.match(line)[0]  # type: ignore[index] # always matches
    end = len(word)
    return word, line[end : end + 1], line[end + 1 : end + 2]


def list_prefixes(name: str) -> list[str]:
    """Return the name and its prefixes of at least two parts."""
    segments = name.split(":")
    return [":".join(segments[:count]) for count in range(2, len(segments) + 1)]
