"""`include`: the import path of options.proto, for use with protoc and buf."""

from __future__ import annotations

import argparse

from protoc_gen_crd.proto.protoc_compiler import OPTIONS


def configure(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(_: argparse.Namespace) -> int:
    """Print the folder."""
    print(OPTIONS)
    return 0
