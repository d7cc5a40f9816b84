"""Crds to YAML or JSON files, one each or all in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.settings import Settings


class _Printer:
    """Prints manifests; nodes that are shared are encoded and printed once per indentation."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._encoded: dict[int, dict[str, Any]] = {}
        self._printed: dict[tuple[int, int], str] = {}
        self._kept: list[object] = []  # `_printed` goes by identity

    def document(self, crd: Crd) -> str:
        plain = encode(crd, self._encoded)
        self._kept.append(plain)
        if self._settings.format == "json":
            import json  # noqa: PLC0415 - the everyday format is YAML

            return json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        return dump(plain, memo=self._printed)


def crd_files(crds: Sequence[Crd], settings: Settings) -> tuple[OutputFile, ...]:
    """The files of all Crds: `<group>_<plural>.yaml`, or the one that the option `bundle` names."""
    printer = _Printer(settings)
    documents = [(crd, printer.document(crd)) for crd in crds]
    header = "".join(f"# {line}".rstrip() + "\n" for line in settings.header.splitlines())
    if settings.format == "json":
        return _json_files(documents, settings)
    if settings.bundle:
        text = header + "".join(f"---\n{document}" for _, document in documents)
        return (OutputFile(settings.bundle, text),) if documents else ()
    return tuple(OutputFile(f"{_stem(crd)}.yaml", f"{header}---\n{document}") for crd, document in documents)


def _json_files(documents: Sequence[tuple[Crd, str]], settings: Settings) -> tuple[OutputFile, ...]:
    if settings.bundle:
        return (OutputFile(settings.bundle, "".join(document for _, document in documents)),) if documents else ()
    return tuple(OutputFile(f"{_stem(crd)}.json", document) for crd, document in documents)


def _stem(crd: Crd) -> str:
    return f"{crd.group}_{crd.names.plural}"
