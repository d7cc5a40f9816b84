"""Recorder of the kinds of Kubernetes' API groups, from the Go modules that register them.

README.md shows how to run it. Each argument is the folder of a Go module.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

from tests.conftest import ROOT

TABLE = ROOT / "protoc_gen_crd" / "kubernetes" / "built_in_kinds.py"
GROUP = re.compile(r'^(?:const )?\s*GroupName\s*=\s*"([^"]*)"', re.MULTILINE)
REGISTRATION = re.compile(r"AddKnownTypes\(\s*SchemeGroupVersion,(.*?)\n\t*\)", re.DOTALL)
KIND = re.compile(r"&([A-Z]\w*)\{\}")
CORE = "core"  # the group without a name
LINE_LENGTH = 118


def main(folders: list[str]) -> None:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for folder in folders:
        for path in sorted(Path(folder).rglob("register.go")):
            code = path.read_text()
            group = GROUP.search(code)
            if group and "testapigroup" not in path.parts:
                names = KIND.findall(" ".join(REGISTRATION.findall(code)))
                kinds[group[1] or CORE].update(re.sub(r"(?<=.)List$", "", name) for name in names)
    lines = [line for group, names in sorted(kinds.items()) if names for line in wrap(group, sorted(names))]
    head, _, rest = TABLE.read_text().partition('_LINES = """\n')
    tail = rest.partition('"""')[2]
    TABLE.write_text(head + '_LINES = """\n' + "\n".join(lines) + '\n"""' + tail)


def wrap(group: str, names: list[str]) -> list[str]:
    """Return lines that begin with the name of the group."""
    return [f"{group} {line}" for line in textwrap.wrap(" ".join(names), LINE_LENGTH - len(group) - 1)]


if __name__ == "__main__":
    main(sys.argv[1:])
