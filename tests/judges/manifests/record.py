"""Records the judge's answers to the manifests of all goldens."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support.manifests import FOLDERS, RECORD, digest, listed


def main() -> None:
    """Record."""
    folders = listed()
    paths = [str(path) for path in folders.values()]
    lines = subprocess.run([sys.argv[1], *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    recorded = {
        name: {"digest": digest(path.parents[FOLDERS.index(name.rpartition(":")[2])]), **json.loads(line)}
        for (name, path), line in zip(folders.items(), lines, strict=True)
    }
    RECORD.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
