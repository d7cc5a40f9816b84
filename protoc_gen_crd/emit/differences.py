"""report=differences: what default mode would change in the CRDs of compat mode, as text for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit.changes import WORDINGS, Change, Kind, changes

_SHOWN = 60  # characters of a value
_BEFORE = 20  # characters shown of what two values begin with
_PLACES = 3  # places shown of one change


class Paragraph(Record):
    """What changes for the versions that the title names, or for what is no version."""

    title: str
    lines: tuple[str, ...] = ()
    versions: bool = False

    def text(self) -> str:
        """The lines below the title, each ending in a line break."""
        return f"{self.title}\n" + "".join(f"  {line}\n" for line in self.lines)


def differences(compat: Sequence[Crd], default: Sequence[Crd]) -> str:
    """A paragraph of what all CRDs have in common, then one for each CRD, versions that change alike together."""
    left, right = ({crd.name: crd for crd in crds} for crds in (compat, default))
    both = [paragraph for name in sorted(left.keys() & right.keys()) for paragraph in _crd(left[name], right[name])]
    lonely = [Paragraph(f"{name}: only in {_side(name in left)}") for name in sorted(left.keys() ^ right.keys())]
    return "".join([paragraph.text() for paragraph in (*_common(both), *lonely)])


def _side(compat: bool) -> str:  # noqa: FBT001 - one argument, whose name says it
    return "compat=istio" if compat else "default mode"


def _common(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs, with lines that stand in those of all versions in a first one."""
    versions = [paragraph for paragraph in paragraphs if paragraph.versions]
    if len(versions) < 2:
        return paragraphs
    shared = tuple([line for line in versions[0].lines if all(line in other.lines for other in versions)])
    if not shared:
        return paragraphs
    return [Paragraph("every version of every CRD:", shared), *(_less(paragraph, shared) for paragraph in paragraphs)]


def _less(paragraph: Paragraph, shared: Sequence[str]) -> Paragraph:
    """The paragraph without lines that are told already."""
    if not paragraph.versions:
        return paragraph
    lines = tuple([line for line in paragraph.lines if line not in shared])
    return paragraph.replace(lines=lines, title=paragraph.title if lines else f"{paragraph.title} nothing else")


def _crd(old: Crd, new: Crd) -> Iterator[Paragraph]:
    plain = [encode(crd) for crd in (old, new)]
    versions = [{version.pop("name"): version for version in one["spec"].pop("versions")} for one in plain]
    if shared := _lines(list(changes(plain[0], plain[1]))):
        yield Paragraph(f"{old.name}:", tuple(shared))
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in [version.name for version in new.versions if version.name in versions[0]]:
        lines = _lines(list(changes(versions[0][name], versions[1][name])))
        groups.setdefault(tuple(lines), []).append(name)
    for same, names in groups.items():
        title = f"{old.name} {', '.join(names)}:{'' if same else ' no difference'}"
        yield Paragraph(title, same, versions=True)
    for name in sorted(versions[0].keys() ^ versions[1].keys()):
        yield Paragraph(f"{old.name} {name}: only in {_side(name in versions[0])}")


def _lines(found: Sequence[Change]) -> list[str]:
    """One line for all places of an equal change, then the places or numbers of what is only spelled otherwise."""
    groups: dict[str, list[str]] = {}
    for change in found:
        if change.kind in (Kind.VALUE, Kind.FIELD, Kind.RULE):
            groups.setdefault(_text(change), []).append(change.place or ".")
    lines = [f"{_places(places)}: {text}" for text, places in groups.items()]
    if order := [change.place or "." for change in found if change.kind is Kind.ORDER]:
        lines.append(f"{_places(order)}: required in another order")
    if spelling := sum(change.kind is Kind.SPELLING for change in found):
        lines.append(f"rules that are spelled as they are written, with the same meaning: {spelling}")
    counts = Counter(change.what for change in found if change.kind is Kind.DESCRIPTION)
    if counts:
        numbers = (f"{counts[word]} {word}" for word in WORDINGS if counts[word])
        lines.append(f"descriptions: {', '.join(numbers)}")
    return lines


def _places(places: list[str]) -> str:
    more = len(places) - _PLACES
    return ", ".join(places[:_PLACES]) + (f" and {more} more" if more > 0 else "")


def _text(change: Change) -> str:
    """What happens at a place."""
    if change.kind is Kind.FIELD:
        return f"{change.what} field"
    if change.kind is Kind.RULE:
        return f"{change.what} rule: {_cut(str(change.old or change.new), 0)}"
    if change.old is None or change.new is None:
        word, value = ("new", change.new) if change.old is None else ("gone", change.old)
        return f"{' '.join(filter(None, (word, change.what)))}: {_cut(_value(value), 0)}"
    values = _shown(_value(change.old), _value(change.new))
    return f"{change.what} {values}" if change.what else values


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _shown(one: str, other: str) -> str:
    """Both values, of long ones the part from where they differ."""
    length = min(len(one), len(other))
    common = next((index for index in range(length) if one[index] != other[index]), length)
    start = max(0, common - _BEFORE)
    return f"{_cut(one, start)} -> {_cut(other, start)}"


def _cut(text: str, start: int) -> str:
    if len(text) <= _SHOWN:
        return text
    end = start + _SHOWN
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
