"""The file with the progress of migrations. It is replaced atomically."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.cli.output_folder import write_files
from protoc_gen_crd.cluster.migration_state import MigrationState, decode_state, encode_state


class MigrationStateFile:
    """Migration states by the names of CRDs. An invalid file counts as empty."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._states: dict[str, object] = {}
        with suppress(FileNotFoundError, ValueError):
            states = parse_json(read_file(self._path).decode())
            self._states = states if isinstance(states, dict) else {}

    def get(self, name: str) -> MigrationState | None:
        """Return the saved state of a migration."""
        return decode_state(self._states.get(name))

    def save(self, name: str, state: MigrationState) -> None:
        """Save the state of a migration. Raises OSError."""
        self._states[name] = encode_state(state)
        self._write()

    def forget(self, name: str) -> None:
        """Remove the state of a finished migration."""
        if self._states.pop(name, None) is not None:
            self._write()

    def _write(self) -> None:
        if self._states:
            write_files(self._path.parent, {self._path.name: json.dumps(self._states).encode()})
        else:
            self._path.unlink(missing_ok=True)
