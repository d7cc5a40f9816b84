"""Generated packages of API groups in tests: written to a folder and imported under unique names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import ModuleType

from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.pipeline import generate_files
from protoc_gen_crd.proto.generate_inputs import read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings

_NUMBERS = count(1)


def generate_package(
    protos: Mapping[str, str], folder: Path, settings: Settings | None = None
) -> tuple[str, list[Finding]]:
    """Write the package of the groups of .proto files to a folder; return its name and the findings."""
    for name, text in protos.items():
        path = folder / "proto" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    package = f"groups_in_test_{next(_NUMBERS)}"
    problems = Problems()
    inputs = read_inputs([str(folder / "proto")], [str(folder / "proto")], [], problems)
    request = None if problems.findings else Request.from_message(inputs.request, problems, inputs.paths)
    if request is None:
        return package, problems.findings
    files = generate_files(request, (settings or Settings()).replace(groups=package), problems)
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    return package, problems.findings


class Package:
    """A generated package; its modules are attributes of `load`."""

    def __init__(self, name: str, group: str) -> None:
        self.name = name
        self.group = group

    def load(self, module: str) -> ModuleType:
        """Import a module of the group."""
        return importlib.import_module(f"{self.name}.{self.group}.{module}")

    def runtime(self, module: str) -> ModuleType:
        """Import a module of the runtime."""
        return importlib.import_module(f"{self.name}.runtime.{module}")


@contextmanager
def import_package(folder: Path, name: str, group: str) -> Iterator[Package]:
    """Import a package from a folder, and remove its modules at the end."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield Package(name, group)
    finally:
        sys.path.remove(str(folder))
        for module in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
            del sys.modules[module]
