"""Crds to files."""

from __future__ import annotations

from protoc_gen_crd.base.record import Record


class OutputFile(Record):
    """A file to be written: its name below the output folder, with slashes, and its text.

    One that is written `once` is the user's as soon as it is there.
    """

    name: str
    text: str
    once: bool = False
