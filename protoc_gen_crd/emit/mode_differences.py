"""report=differences: the changes that default mode would make to the CRDs of compat mode."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.emit.manifest_differences import WORDINGS, ChangeKind, CrdChange, compare_versions

_MAX_VALUE_LENGTH = 60  # characters of a value
_CONTEXT_LENGTH = 20  # characters shown of a common prefix
_MAX_PLACES = 3  # places shown of one change


class Paragraph(Record):
    """Changes of some versions, or of other parts of a CRD."""

    title: str
    lines: tuple[str, ...] = ()
    is_versioned: bool = False

    def join_lines(self) -> str:
        """Return the title and its lines."""
        return f"{self.title}\n" + "".join(f"  {line}\n" for line in self.lines)


def format_differences(compat: Sequence[Crd], default: Sequence[Crd]) -> str:
    """Format the changes common to all CRDs, then those of each CRD, with equal versions grouped."""
    left, right = ({crd.name: crd for crd in crds} for crds in (compat, default))
    both = [
        paragraph for name in sorted(left.keys() & right.keys()) for paragraph in _compare_crds(left[name], right[name])
    ]
    unmatched = [
        Paragraph(f"{name}: only in {_name_mode(name in left)}") for name in sorted(left.keys() ^ right.keys())
    ]
    return "".join([paragraph.join_lines() for paragraph in (*_extract_common_lines(both), *unmatched)])


def _name_mode(compat: bool) -> str:  # noqa: FBT001 - a single argument with a clear name
    return "compat=istio" if compat else "default mode"


def _extract_common_lines(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Move lines that all versions share to a first paragraph."""
    versions = [paragraph for paragraph in paragraphs if paragraph.is_versioned]
    if len(versions) < 2:
        return paragraphs
    shared = tuple([line for line in versions[0].lines if all(line in other.lines for other in versions)])
    if not shared:
        return paragraphs
    return [
        Paragraph("every version of every CRD:", shared),
        *(_remove_lines(paragraph, shared) for paragraph in paragraphs),
    ]


def _remove_lines(paragraph: Paragraph, shared: Sequence[str]) -> Paragraph:
    """Remove shared lines from a paragraph."""
    if not paragraph.is_versioned:
        return paragraph
    lines = tuple([line for line in paragraph.lines if line not in shared])
    return paragraph.replace(lines=lines, title=paragraph.title if lines else f"{paragraph.title} nothing else")


def _compare_crds(old: Crd, new: Crd) -> Iterator[Paragraph]:
    plain = [encode(crd) for crd in (old, new)]
    versions = [{version.pop("name"): version for version in manifest["spec"].pop("versions")} for manifest in plain]
    if shared := _format_changes(list(compare_versions(plain[0], plain[1]))):
        yield Paragraph(f"{old.name}:", tuple(shared))
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in [version.name for version in new.versions if version.name in versions[0]]:
        lines = _format_changes(list(compare_versions(versions[0][name], versions[1][name])))
        groups.setdefault(tuple(lines), []).append(name)
    for changes, names in groups.items():
        title = f"{old.name} {', '.join(names)}:{'' if changes else ' no difference'}"
        yield Paragraph(title, changes, is_versioned=True)
    for name in sorted(versions[0].keys() ^ versions[1].keys()):
        yield Paragraph(f"{old.name} {name}: only in {_name_mode(name in versions[0])}")


def _format_changes(changes: Sequence[CrdChange]) -> list[str]:
    """Format one line for all places of an equal change, then the places or numbers of changes without effect."""
    groups: dict[str, list[str]] = {}
    for change in changes:
        if change.kind in (ChangeKind.VALUE, ChangeKind.FIELD, ChangeKind.RULE):
            groups.setdefault(_format_change(change), []).append(change.place or ".")
    lines = [f"{_format_places(places)}: {change_line}" for change_line, places in groups.items()]
    if order := [change.place or "." for change in changes if change.kind is ChangeKind.ORDER]:
        lines.append(f"{_format_places(order)}: order of required fields changed")
    if spelling := sum(change.kind is ChangeKind.SPELLING for change in changes):
        lines.append(f"rules with another spelling and the same meaning: {spelling}")
    counts = Counter(change.subject for change in changes if change.kind is ChangeKind.DESCRIPTION)
    if counts:
        numbers = (f"{counts[word]} {word}" for word in WORDINGS if counts[word])
        lines.append(f"descriptions: {', '.join(numbers)}")
    return lines


def _format_places(places: list[str]) -> str:
    more = len(places) - _MAX_PLACES
    return ", ".join(places[:_MAX_PLACES]) + (f" and {more} more" if more > 0 else "")


def _format_change(change: CrdChange) -> str:
    """Format one change."""
    if change.kind is ChangeKind.FIELD:
        return f"{change.subject} field"
    if change.kind is ChangeKind.RULE:
        return f"{change.subject} rule: {_truncate(str(change.old or change.new), 0)}"
    if change.old is None or change.new is None:
        word, value = ("new", change.new) if change.old is None else ("removed", change.old)
        return f"{' '.join(filter(None, (word, change.subject)))}: {_truncate(_format_value(value), 0)}"
    values = _format_pair(_format_value(change.old), _format_value(change.new))
    return f"{change.subject} {values}" if change.subject else values


def _format_value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _format_pair(old: str, new: str) -> str:
    """Format two values; long ones from the first difference."""
    length = min(len(old), len(new))
    common = next((index for index in range(length) if old[index] != new[index]), length)
    start = max(0, common - _CONTEXT_LENGTH)
    return f"{_truncate(old, start)} -> {_truncate(new, start)}"


def _truncate(value: str, start: int) -> str:
    if len(value) <= _MAX_VALUE_LENGTH:
        return value
    end = start + _MAX_VALUE_LENGTH
    return f"{'...' if start else ''}{value[start:end]}{'...' if end < len(value) else ''}"
