"""The commands that delete the files that `generate` replaces."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from protoc_gen_crd.base.escapes import shell_word

_MAX_PATHS = 3  # in a command
_MAX_COMMANDS = 10
_SPECIAL = re.compile(r"^[-:]|[*?\[\\]")  # in paths of git


def list_removals(files: Sequence[str], others: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield commands with their purpose; of many, only the first ones.

    Args:
        files: The relative paths of the files to delete.
        others: The paths of all other documents.
    """
    commands = list(_list_commands(files, others))
    rest = sum(count for _, count in commands[_MAX_COMMANDS:])
    for index, (command, _) in enumerate(commands[:_MAX_COMMANDS], 1):
        more = f", and {rest:,} more file{'s' * (rest > 1)}" if rest and index == _MAX_COMMANDS else ""
        yield command, f"delete what `generate` replaces{more}"


def _list_commands(files: Sequence[str], others: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield commands with the number of their files. A pattern replaces the files of a folder without others."""
    folders: dict[tuple[str, str], list[str]] = {}
    for file in files:
        folders.setdefault(_get_folder_and_suffix(file), []).append(file)
    kept = {*map(_get_folder_and_suffix, others)}
    for (folder, suffix), names in folders.items():
        is_plain = not any(map(_SPECIAL.search, names))
        if folder and len(names) > 1 and is_plain and (folder, suffix) not in kept:
            yield f"git rm {_format_path(folder)}/*{suffix}", len(names)
            continue
        for start in range(0, len(names), _MAX_PATHS):
            paths = names[start : start + _MAX_PATHS]
            yield f"git rm {' '.join(map(_format_path, paths))}", len(paths)


def _get_folder_and_suffix(file: str) -> tuple[str, str]:
    return posixpath.dirname(file), PurePosixPath(file).suffix


def _format_path(path: str) -> str:
    """Return a relative path as a word of a command line, which git reads neither as an option nor as a pattern."""
    return shell_word(f":(literal){path}" if _SPECIAL.search(path) else path)
