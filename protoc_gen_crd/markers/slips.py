"""What a marker that is none was perhaps meant to be: a namespace or a name with a slip in it.

Knows names alone; whether a line is a mistake of its author is what it answers, what to say of it is not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from protoc_gen_crd.base.suggestions import nearest, nearest_path
from protoc_gen_crd.markers.aliases import ALIASES, NAMES
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.grammar import Split, split
from protoc_gen_crd.markers.inert import INERT, NAMESPACES

_SEARCHED = NAMES | {*NAMESPACES} | {name for name in INERT if name.startswith(NAMESPACES)}
_FIRSTS = frozenset([name.partition(":")[0] for name in _SEARCHED])
_WORD = re.compile(r"[^\s:=]*")
_SEPARATOR = "[-_.:/]"
_LIKE = 0.82  # a namespace: code-gen is another than cue-gen
_FREE = ("cue-gen", "protoc-gen-crd")  # namespaces whose names are no row of the table
_PREFIXES = tuple([f"{namespace}:" for namespace in NAMESPACES])
# A name and perhaps a value that goes on to the end of the line, in quotes or without a blank, as no sentence does.
_WHOLE = r"""([\w.:@/-]+)(\(.*|=(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s"`])*)?(?<![.,;:!?])"""
_NO_LETTERS = r"[^0-9A-Za-z]+"
_OWN = "protocgencrd"
_ALIKE = 0.9  # letters of a whole name
_PARTED = rf"^({'|'.join(NAMESPACES)})[ \t]+(\S+)$"  # a namespace and a name without a colon between
_ARGUED = r"^\S+[ \t]+\S+[:=.]\S"
_SIGNS = "@#$%&~<>|=.,;:/_-\uff0b\ufe62"  # in the place of a plus, other plus signs among them
_BARE = ("kubebuilder:", "kubebuilder:validation:")  # what is left out most often


@lru_cache(maxsize=1024)
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


def is_ours(text: str, *, bare: bool) -> bool:
    """Whether text behind a plus names a marker that has an effect, and is no sentence.

    With `bare` the name may be one without a namespace.
    """
    word, sign, rest = _parted(text)
    valued = sign in (":", "=") and bool(rest[:1].strip())
    return (valued and sign == ":" and word in NAMESPACES) or (bare and word in NAMES and (valued or not sign))


def has_effect(text: str) -> bool:
    """Whether text behind a plus starts with the name of a marker that has an effect, or with its namespace."""
    word, sign, _ = _parted(text)
    return word in NAMES or (sign == ":" and word in NAMESPACES)


def may_lack_plus(text: str) -> bool:
    """Whether a comment may hold a line that is a marker but for its plus; fast, since it is asked of every comment."""
    return ":" in text and any(prefix in text for prefix in _PREFIXES)


def lacks_plus(line: str, following: str) -> bool:
    """Whether a line is a whole marker but for its plus, and the one below does not go on as a sentence does."""
    line = line.lstrip(_SIGNS)
    found = re.fullmatch(_WHOLE, line) if line.startswith(_PREFIXES) else None
    below = following.lstrip()
    if found is None or (below[:1].islower() and not below.startswith(_PREFIXES)):
        return False
    name, value = found.groups("")
    namespace, colon, rest = name.partition(":")
    free = namespace in _FREE and ":" in f"{rest}{value}".replace("=", ":")
    known = name in NAMES or (value and name.rpartition(":")[0] in NAMES)
    return bool(colon) and bool(known or (free and rest))


def _parted(text: str) -> tuple[str, str, str]:
    """The first word of a text, the character that ends it, and the rest."""
    word = _WORD.match(text)[0]  # type: ignore[index] # always matches
    return word, text[len(word) : len(word) + 1], text[len(word) + 1 :]


def own_option(name: str) -> str:
    """The marker of an option of ours that a name without a namespace is, or whose keyword it is; else empty."""
    known = {key: option.name for option in SCHEMA.values() for key in (option.keyword, option.name) if key}
    return f"protoc-gen-crd:{known[name]}" if name in known else ""


def nearest_marker(name: str) -> str | None:
    """A marker below the name, else one of its letters, beside it or with its last part, or like it.

    One of the same namespace comes first.
    """
    below = min((known for known in _SEARCHED if known.startswith(f"{name}:")), default=None)
    if below:
        return below
    head, _, last = name.rpartition(":")
    beside = {known.rpartition(":")[2]: known for known in _SEARCHED if head and known.rpartition(":")[0] == head}
    same = [known for known in _SEARCHED if head and _core(known.rpartition(":")[2]) == _core(last)]
    spelled = [known for known in _SEARCHED if head and _letters(known) == _letters(name)]
    elsewhere = min((spelled if ":" in head else same) or same, default=None, key=lambda known: _distance(known, name))
    if near := nearest(last, beside, _LIKE if elsewhere else 0.6):
        return beside[near]
    return elsewhere or nearest_path(name, _SEARCHED, ":", 0.8 if head else 0.6)


def _distance(known: str, name: str) -> tuple[bool, int, str]:
    return known.partition(":")[0] != name.partition(":")[0], known.count(":"), known


def _letters(name: str) -> str:
    """The letters of a name less its namespace: `kubebuilder:list:type` has those of `listType`."""
    return re.sub(_NO_LETTERS, "", name.partition(":")[2] or name).lower()


def _core(part: str) -> str:
    """The letters of a part of a name, of a keyword less what they start with, in the singular."""
    return re.sub(_NO_LETTERS, "", part).lower().removeprefix("xkubernetes").removesuffix("s")


def is_near(name: str) -> bool:
    """Whether the first part of a name is near to that of a marker, if it has more than one."""
    first, colon, _ = name.partition(":")
    return not colon or nearest(first, _FIRSTS, 0.7) is not None


def meant(parts: Split, *, valued: bool) -> str:
    """The marker whose namespace is spelt wrong, left out or another one; empty where there is none for sure."""
    head = re.sub(r"[ \t]*:[ \t]*", ":", parts.anonymous.strip())
    joined = re.sub(_PARTED, r"\1:\2", head)
    head = joined if valued or joined in NAMES or re.search(_ARGUED, head) else head
    if re.search(r"\s", head) or not (valued or ":" in head):
        return _squeezed(head) if valued or ":" in head else ""
    respelled = _respelled(head)
    if not respelled:
        return _borrowed(split(f"{head}=" if valued else head), valued=valued) or _squeezed(head)
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


def _squeezed(head: str) -> str:
    """The marker of a namespace whose letters are nearly those of a name: `k ubebuilder:default` is one."""
    letters = re.sub(_NO_LETTERS, "", head).lower()
    own = next((letters[len(_OWN) + more :] for more in (0, -1, 1) if _alike(letters[: len(_OWN) + more])), "")
    if own and ":" in head:
        return f"protoc-gen-crd:{nearest(own, SCHEMA) or '<option>'}"
    known = {re.sub(_NO_LETTERS, "", name).lower(): name for name in NAMES if ":" in name}
    near = nearest(letters, known, _ALIKE)
    return known[near] if near else ""


def _alike(letters: str) -> bool:
    return nearest(letters, [_OWN], _ALIKE) is not None


def _heads(name: str) -> list[str]:
    segments = name.split(":")
    return [":".join(segments[:count]) for count in range(2, len(segments) + 1)]


def _borrowed(parts: Split, *, valued: bool) -> str:
    """kubebuilder's marker that a name is without its namespace, or with another one.

    A name of one part behind another namespace may well be that tool's own, unless an argument tells.
    """
    if not valued:
        whole = next((prefix + parts.anonymous for prefix in _BARE if prefix + parts.anonymous in NAMES), "")
        return whole if ":" in parts.anonymous else ""
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
