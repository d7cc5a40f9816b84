"""The file that says how far migrations have come, replaced as a whole: a kill leaves the old one or the new one."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from protoc_gen_crd.cli.folder import write_files
from protoc_gen_crd.cluster.state import State, parsed, written


class States:
    """States by the names of CRDs. A file that is none of ours is left alone until there is something to write."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._known: dict[str, object] = {}
        with suppress(FileNotFoundError, ValueError):
            found = json.loads(self._path.read_bytes())
            self._known = found if isinstance(found, dict) else {}

    def get(self, name: str) -> State | None:
        """How far the migration of a CRD had come."""
        return parsed(self._known.get(name))

    def save(self, name: str, state: State) -> None:
        """Note how far it has come. Raises OSError."""
        self._known[name] = written(state)
        self._write()

    def forget(self, name: str) -> None:
        """Note that there is nothing to go on with."""
        if self._known.pop(name, None) is not None:
            self._write()

    def _write(self) -> None:
        if self._known:
            write_files(self._path.parent, {self._path.name: json.dumps(self._known).encode()})
        else:
            self._path.unlink(missing_ok=True)
