"""The folder of releases: reading it with every digest checked, and adding one release in a single step.

A release is written under a temporary name and renamed, so a kill leaves the old history or the new one; the list of
releases is brought up to date then or by the next recording. Each release names the one before it with the digest of
its index, so nothing recorded changes or goes unnoticed. Branches that record at the same time add to the same place of
the list, on which Git reports a conflict.
"""

from __future__ import annotations

import datetime
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.sums import RELEASES, digest, read_sums, write_sums
from protoc_gen_crd.base.versions import parse_release
from protoc_gen_crd.history.names import names
from protoc_gen_crd.history.summary import Summary, read

LIST, INDEX, API = RELEASES, "release.json", "api.json"
FORMAT = 1

_COMMENT = "Recorded releases; protoc-gen-crd history record adds to this list, and nothing else changes it."
_TEMPORARY = re.compile(r"\.[0-9.]+\.tmp")


class Release(Record):
    """One recorded release: its name, its date (YYYY-MM-DD), digests of its files by name, the digest of its index."""

    name: str
    date: str
    files: Mapping[str, str]
    digest: str
    before: str
    before_digest: str


def load(folder: Path, problems: Problems) -> list[Release]:
    """The releases, oldest first, each checked against its digests; what was changed or is lost is reported."""
    releases: list[Release] = []
    for name in names(folder):
        release = _read_index(folder / name / INDEX, name, problems)
        if release is None:
            continue
        _check_files(folder / name, release, problems)
        _check_chain(folder, release, releases[-1] if releases else None, problems)
        releases.append(release)
    _check_list(folder, releases, problems)
    _check_strangers(folder, problems)
    return releases


def _read_index(path: Path, name: str, problems: Problems) -> Release | None:
    try:
        data = path.read_bytes()
        return _release(name, data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        _changed(path, f"the index of release {name} must be as it was recorded, found {_reason(error)}", problems)
        return None


def _release(name: str, data: bytes) -> Release:
    plain = json.loads(data)
    if plain["format"] != FORMAT or plain["release"] != name:
        raise ValueError(f"format {plain['format']} of release {plain['release']}")
    before = plain["before"] or {"release": "", "digest": ""}
    day = datetime.date.fromisoformat(plain["date"]).isoformat()
    return Release(name, day, dict(plain["files"]), digest(data), before["release"], before["digest"])


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "none"
    if isinstance(error, OSError):
        return str(error.strerror)
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "what is no JSON"
    if isinstance(error, TypeError):
        return "members of other types"
    return f"no member {error}" if isinstance(error, KeyError) else str(error)


def _is_leaf(path: Path) -> bool:
    """Whether it is something that a release holds: a file, or a link, which no release holds to a folder."""
    return path.is_file() or path.is_symlink()


def _check_files(folder: Path, release: Release, problems: Problems) -> None:
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if _is_leaf(path)}
    for name, recorded in release.files.items():
        path = found.pop(name, None)
        if path is None or not path.is_file() or digest(path.read_bytes()) != recorded:
            what = "another content" if path is not None and path.is_file() else "no file"
            _changed(
                folder / name, f"a file of release {release.name} must be as it was recorded, found {what}", problems
            )
    for name in found.keys() - {INDEX}:
        _changed(folder / name, f"release {release.name} must hold what was recorded, found one more file", problems)


def _check_chain(folder: Path, release: Release, before: Release | None, problems: Problems) -> None:
    expected = (before.name, before.digest) if before else ("", "")
    if (release.before, release.before_digest) == expected:
        return
    wanted = f"release {release.before}" if release.before else "nothing"
    found = f"release {before.name}" if before else "nothing"
    if before and before.name == release.before:
        found = f"another release {before.name}"
    message = f"release {release.name} was recorded after {wanted}, found {found} before it"
    _changed(folder / release.name / INDEX, message, problems)


def _check_list(folder: Path, releases: list[Release], problems: Problems) -> None:
    path = folder / LIST
    found = {f"{release.name}/{INDEX}": release.digest for release in releases}
    text = path.read_text("utf-8", "replace") if path.is_file() else ""
    listed = set()
    for number, line, name, recorded in read_sums(text):
        if not name:
            _changed(path, f'line {number} must be a digest and an index, found "{line}"', problems)
        elif not (folder / name).parent.is_dir():
            _changed(folder / name, "a release of the list must be there, found none", problems)
        elif found.get(name, recorded) != recorded:
            _changed(folder / name, "an index must be as it was recorded, found another content", problems)
        listed.add(name)
    for release in releases[:-1]:  # a recording that is killed leaves the newest one out
        if f"{release.name}/{INDEX}" not in listed:
            _changed(path, f"the list must name each release, found no {release.name}", problems)


def _check_strangers(folder: Path, problems: Problems) -> None:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir() and not parse_release(path.name) and not _TEMPORARY.fullmatch(path.name):
            message = f'a folder of the history must be named like a release, such as 1.4, found "{path.name}"'
            problems.report("history-changed", message, Location(str(path)))


def _changed(path: Path, message: str, problems: Problems) -> None:
    problems.report("history-changed", message, Location(str(path)), hint="Git has the file as it was recorded")


def summary_of(folder: Path, release: Release, problems: Problems) -> Summary:
    """What a release held; empty, with a finding, where it cannot be read."""
    path = folder / release.name / API
    try:
        return read(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        _changed(path, f"the summary of release {release.name} must be readable, found {_reason(error)}", problems)
        return {}


def record(folder: Path, name: str, date: str, files: Mapping[str, str], before: Release | None) -> None:
    """Add a release; the caller holds the folder's lock. Raises FileExistsError where there is one of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.iterdir():
        if _TEMPORARY.fullmatch(leftover.name):  # of a run that was killed
            shutil.rmtree(leftover)
    if (folder / name).exists():
        raise FileExistsError(17, "the release is recorded", str(folder / name))
    contents = {file: text.encode() for file, text in sorted(files.items())}
    temporary = folder / f".{name}.tmp"
    for file, data in {**contents, INDEX: _index(name, date, contents, before).encode()}.items():
        (temporary / file).parent.mkdir(parents=True, exist_ok=True)
        (temporary / file).write_bytes(data)
    temporary.rename(folder / name)
    _list(folder)


def _list(folder: Path) -> None:
    """Bring the list up to date, and the attributes that keep Git from changing line ends, which would be a change."""
    indexes = {f"{name}/{INDEX}": digest((folder / name / INDEX).read_bytes()) for name in names(folder)}
    for file, data in ((LIST, write_sums(_COMMENT, indexes)), (".gitattributes", b"* -text\n")):
        (folder / f".{file}.tmp").write_bytes(data)
        (folder / f".{file}.tmp").replace(folder / file)


def _index(name: str, date: str, contents: Mapping[str, bytes], before: Release | None) -> str:
    plain: dict[str, Any] = {
        "format": FORMAT,
        "release": name,
        "date": date,
        "before": {"release": before.name, "digest": before.digest} if before else None,
        "files": {file: digest(data) for file, data in contents.items()},
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def summaries(folder: Path, releases: list[Release], problems: Problems) -> Iterator[tuple[Release, Summary]]:
    """The releases with what they held, oldest first; what is the same is read once."""
    known: dict[str, Summary] = {}
    for release in releases:
        key = release.files.get(API, "")
        if key not in known:
            known[key] = summary_of(folder, release, problems)
        yield release, known[key]
