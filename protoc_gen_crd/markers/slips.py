"""What a marker that is none was perhaps meant to be: a namespace or a name with a slip in it.

Knows names alone; whether a line is a mistake of its author is what it answers, what to say of it is not.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.registry import nearest
from protoc_gen_crd.markers.aliases import ALIASES, INERT, NAMES, NAMESPACES
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.grammar import Split, split

_SEARCHED = NAMES | {*NAMESPACES} | {name for name in INERT if name.startswith(NAMESPACES)}
_FIRSTS = frozenset([name.partition(":")[0] for name in _SEARCHED])
_WORD = re.compile(r"[^\s:=]*")
_SEPARATOR = "[-_.:/]"
_LIKE = 0.82  # a namespace: code-gen is another than cue-gen
_FREE = ("cue-gen", "protoc-gen-crd")  # namespaces whose names are no row of the table
_BARE = ("kubebuilder:", "kubebuilder:validation:")  # what is left out most often


def is_marker(text: str) -> bool:
    """Whether text behind a plus is surely a marker: one of a known name, or any name with an argument right behind it.

    A name that is known alone makes no marker of the words behind it, unless dropping them would lose a rule.
    """
    word, sign, rest = _parted(text)
    if not sign:
        return word in NAMES or word.partition(".")[0] in INERT
    if sign.isspace():
        return word in NAMES
    if rest[:1].strip() or (sign == "=" and not rest):
        return True
    return word in NAMES or word in NAMESPACES or word.partition(".")[0] in INERT


def is_ours(text: str) -> bool:
    """Whether text behind a plus names a marker that has an effect, and is not the start of a sentence."""
    word, sign, rest = _parted(text)
    valued = sign in (":", "=") and bool(rest[:1].strip())
    return (valued and sign == ":" and word in NAMESPACES) or (word in NAMES and (valued or not sign))


def has_effect(text: str) -> bool:
    """Whether text behind a plus starts with the name of a marker that has an effect, or with its namespace."""
    word, sign, _ = _parted(text)
    return word in NAMES or (sign == ":" and word in NAMESPACES)


def _parted(text: str) -> tuple[str, str, str]:
    """The first word of a text, the character that ends it, and the rest."""
    word = _WORD.match(text)[0]  # type: ignore[index] # always matches
    return word, text[len(word) : len(word) + 1], text[len(word) + 1 :]


def own_option(name: str) -> str:
    """The marker of an option of ours that a name without a namespace is, or whose keyword it is; else empty."""
    known = {key: option.name for option in SCHEMA.values() for key in (option.keyword, option.name) if key}
    return f"protoc-gen-crd:{known[name]}" if name in known else ""


def nearest_marker(name: str) -> str | None:
    """A marker below the name, else one with a like last part, else one with this last part, else a like one."""
    below = min((known for known in _SEARCHED if known.startswith(f"{name}:")), default=None)
    if below:
        return below
    head, _, last = name.rpartition(":")
    beside = {known.rpartition(":")[2]: known for known in _SEARCHED if head and known.rpartition(":")[0] == head}
    if near := nearest(last, beside):
        return beside[near]
    elsewhere = [known for known in _SEARCHED if head and known.rpartition(":")[2].lower() == last.lower()]
    return min(elsewhere, default=None) or nearest(name, _SEARCHED, 0.8 if head else 0.6)


def is_near(name: str) -> bool:
    """Whether the first part of a name is near to that of a marker, if it has more than one."""
    first, colon, _ = name.partition(":")
    return not colon or nearest(first, _FIRSTS, 0.7) is not None


def meant(parts: Split, *, valued: bool) -> str:
    """The marker whose namespace is spelt wrong, left out or another one; empty where there is none for sure."""
    head = re.sub(r"[ \t]*:[ \t]*", ":", parts.anonymous.strip())
    if re.search(r"\s", head) or not (valued or ":" in head):
        return ""
    respelled = _respelled(head)
    if not respelled:
        return _borrowed(split(f"{head}=" if valued else head), valued=valued)
    if respelled.startswith(_FREE) or any(name in NAMES or name in INERT for name in _heads(respelled)):
        return respelled
    return nearest_marker(respelled) or respelled.partition(":")[0]


def _respelled(head: str) -> str:
    """A name with its namespace put right: `kube-builder.x` is `kubebuilder:x`."""
    for namespace in NAMESPACES:
        letters = f"{_SEPARATOR}?".join(namespace.replace("-", ""))
        if found := re.match(rf"{letters}(?:\.io)?{_SEPARATOR}+(?=\w)", head, re.IGNORECASE):
            return f"{namespace}:{head[found.end() :]}"
    first, colon, rest = head.partition(":")
    near = nearest(first, NAMESPACES, _LIKE) if colon else None
    return f"{near}:{rest}" if near else ""


def _heads(name: str) -> list[str]:
    segments = name.split(":")
    return [":".join(segments[:count]) for count in range(2, len(segments) + 1)]


def _borrowed(parts: Split, *, valued: bool) -> str:
    """kubebuilder's marker that a name is without its namespace, or with another one.

    A name of one part behind another namespace may well be that tool's own, unless an argument tells.
    """
    if not valued:
        return ""
    for name in (parts.anonymous, parts.name):
        behind = name.partition(":")[2]
        for tail in (name, behind):
            known = next((prefix + tail for prefix in _BARE if tail and prefix + tail in NAMES), "")
            if known and (tail == name or ":" in tail or _takes(known, parts.anonymous[len(name) + 1 :])):
                return known
    return ""


def _takes(name: str, argument: str) -> bool:
    """Whether a marker has an argument of this name."""
    forms = [alias.form for (known, _), alias in ALIASES.items() if known == name]
    return bool(argument) and any(each.name == argument for form in forms for each in form.arguments)
