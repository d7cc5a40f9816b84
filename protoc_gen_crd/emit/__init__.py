"""Crds to files."""

from __future__ import annotations

from protoc_gen_crd.base.record import Record


class OutputFile(Record):
    """A file to be written: its name below the output folder, with slashes, and its text."""

    name: str
    text: str
