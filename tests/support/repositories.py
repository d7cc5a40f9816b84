"""Git repositories of tests: built from files, with a fixed identity and fixed dates."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

IDENTITY = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{role}_NAME": "A" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "a@example.com" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_DATE": "2026-01-01T00:00:00Z" for role in ("AUTHOR", "COMMITTER")},
}
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}, **IDENTITY}


class Repository:
    """A repository in a folder."""

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        self.folder = folder
        if create:
            folder.mkdir(parents=True, exist_ok=True)
            self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str | Path) -> str:
        """Run git, and return its output."""
        command = ["git", *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, files: Mapping[str, str | None], tag: str = "") -> None:
        """Write files, or delete those without content, and commit them."""
        write_files(self.folder, files)
        self.git("add", "--all", "--force")
        self.git("-c", "maintenance.auto=false", "commit", "--quiet", "--allow-empty", "--message=change")
        if tag:
            self.git("tag", tag)


def write_files(folder: Path, files: Mapping[str, str | None]) -> None:
    """Write files by path, and delete those without content."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
