"""Generated files to the output folder: compared, written, and what no longer belongs told or removed."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.sums import digest
from protoc_gen_crd.cli.folder import content, leaves, locked, write_files
from protoc_gen_crd.cli.manifest import NAME, manifest, read_manifest
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.settings import Settings

_NONE: Mapping[str, bytes] = {}


class Delivery(Record):
    """What is to be done in a folder: all files, those that differ from disk, and those that are ours and to go."""

    folder: Path
    contents: Mapping[str, bytes]
    changed: Mapping[str, bytes | None]
    leftovers: tuple[str, ...]
    manifest: Mapping[str, str]
    once: frozenset[str] = frozenset()  # files that are the user's once they are there


def bring(
    folder: str,
    files: Sequence[OutputFile],
    settings: Settings,
    problems: Problems,
    by_hand: Collection[str] = (),
    made: Mapping[str, bytes] = _NONE,
) -> list[str]:
    """Write the files, or with --check tell what is not up to date; the lines to print. Raises OSError.

    `by_hand` names files of people in the folder, theirs even where an earlier run wrote them; `made` are files that
    say themselves that an earlier run wrote them, even where the list of these is lost.
    """
    delivery = plan(Path(folder), files, problems, by_hand, made)
    if delivery is None:
        return []
    if settings.check:
        return list(check(delivery, problems))
    touched = list(deliver(delivery, problems, prune=settings.prune))
    return [*touched, f"{folder}: {counted(len(files))}, {len(delivery.changed)} written"]


def counted(count: int) -> str:
    """A number of files in words."""
    return f"{count} file{'s' * (count != 1)}"


def plan(
    folder: Path,
    files: Sequence[OutputFile],
    problems: Problems,
    by_hand: Collection[str] = (),
    made: Mapping[str, bytes] = _NONE,
) -> Delivery | None:
    """Compare the files with the folder; None, with findings, if one of them would leave it by a link."""
    names = [file.name for file in files]
    bad = [name for name in (*names, NAME) if leaves(folder, name)]
    for name in bad:
        place = os.path.relpath(os.path.realpath(folder / name), os.path.realpath(folder))
        message = f'a file must stay in the output folder "{folder}", found "{name}" at {place}'
        problems.report("output-outside", message)
    if NAME in names:
        message = f'each file must have a name of its own, found "{NAME}", which is the list of the files'
        problems.report("output-repeated", message)
    if bad or NAME in names:
        return None
    once = {file.name for file in files if file.once}
    contents = {file.name: file.text.encode() for file in files if not file.once or content(folder / file.name) is None}
    on_disk = {name: content(folder / name) for name in contents}
    changed = {name: on_disk[name] for name in contents if on_disk[name] != contents[name]}
    unlisted = {name: digest(data) for name, data in made.items() if name not in contents}
    known = {**unlisted, **read_manifest(folder, problems)}
    leftovers = [name for name in known if name not in contents and name not in by_hand and (folder / name).is_file()]
    return Delivery(folder, contents, changed, tuple(sorted(leftovers)), known, frozenset(once))


def check(delivery: Delivery, problems: Problems) -> Iterator[str]:
    """Report what is not up to date; the lines of a diff that would mend it."""
    for name, old in delivery.changed.items():
        path = str(delivery.folder / name)
        found, hint = _found(old, delivery.contents[name])
        problem = f"a generated file must be up to date, found {found}"
        problems.report("output-stale", problem, Location(path), hint=hint)
        yield from _diff(path, old, delivery.contents[name])
    for name in delivery.leftovers:
        path = str(delivery.folder / name)
        problems.report("output-stale", "a file that is no longer generated must be gone, found it", Location(path))


def _diff(path: str, old: bytes | None, new: bytes) -> Iterator[str]:
    source = "/dev/null" if old is None else path
    yield from difflib.unified_diff(_lines(old or b""), _lines(new), source, path, lineterm="")


def _lines(data: bytes) -> list[str]:
    """The lines of a file as a diff shows them: what else may differ is made visible."""
    lines = data.decode("utf-8", "replace").replace("\r", "^M").split("\n")
    last = lines.pop()
    return [*lines, last, "\\ No newline at end of file"] if last else lines


def _found(old: bytes | None, new: bytes) -> tuple[str, str]:
    """What is found in the place of a new version, and a hint."""
    if old is None:
        return "no file", ""
    if old.replace(b"\r\n", b"\n") != new:
        return "an old version", ""
    return "other line ends", "git's core.autocrlf changes them; .gitattributes with *.yaml eol=lf keeps them"


def deliver(delivery: Delivery, problems: Problems, *, prune: bool) -> Iterator[str]:
    """Write what changed, remove leftovers if asked to; a line for each file touched. Raises OSError."""
    kept = dict(_kept(delivery, problems, prune=prune))
    entries = {**kept, **{name: digest(data) for name, data in _ours(delivery)}}
    writes = {name: delivery.contents[name] for name in delivery.changed}
    with locked(delivery.folder):
        if entries != delivery.manifest:
            now = read_manifest(delivery.folder, Problems())
            added = {name: now[name] for name in now.keys() - delivery.manifest.keys()}  # by another run meanwhile
            writes[NAME] = manifest({**added, **entries})
        write_files(delivery.folder, writes)
    yield from (f"wrote {delivery.folder / name}" for name in delivery.changed)
    for name in delivery.leftovers:
        if name not in kept:
            (delivery.folder / name).unlink()
            yield f"removed {delivery.folder / name}"


def _ours(delivery: Delivery) -> Iterator[tuple[str, bytes]]:
    yield from (pair for pair in delivery.contents.items() if pair[0] not in delivery.once)


def _kept(delivery: Delivery, problems: Problems, *, prune: bool) -> Iterator[tuple[str, str]]:
    """Leftovers that stay, with their digests, each told."""
    for name in delivery.leftovers:
        path = delivery.folder / name
        edited = digest(path.read_bytes()) != delivery.manifest[name]
        if edited or not prune:
            found = "an edited one" if edited else "one"
            hint = "remove it by hand" if edited else "--prune removes it"
            message = f"a file of an earlier run must still be generated, found {found} that is not"
            problems.report("output-leftover", message, Location(str(path)), hint=hint)
            yield name, delivery.manifest[name]
