"""`include`: where options.proto is, for a protoc or a buf that this tool does not run."""

from __future__ import annotations

import argparse

from protoc_gen_crd.proto.compiler import OPTIONS


def configure(_: argparse.ArgumentParser) -> None:
    """There is nothing to add."""


def run(_: argparse.Namespace) -> int:
    """Print the folder."""
    print(OPTIONS)
    return 0
