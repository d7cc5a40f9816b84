"""Output files and the option `header`."""

from __future__ import annotations

from protoc_gen_crd.base.escapes import yaml_comment
from protoc_gen_crd.base.record import Record


class OutputFile(Record):
    """A file to write: its name below the output folder, with slashes, and its content.

    A file that `is_written_once` belongs to the user once it exists.
    """

    name: str
    text: str
    is_written_once: bool = False


def format_header(header: str) -> str:
    """Format the option `header` as YAML comments."""
    return "".join([f"# {yaml_comment(line)}".rstrip() + "\n" for line in header.splitlines()])
