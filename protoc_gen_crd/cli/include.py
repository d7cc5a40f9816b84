"""`include`: .proto files that APIs import, for protoc and buf: options.proto, Kubernetes' messages, google/api."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from protoc_gen_crd.cli.output_folder import write_files
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.proto.bundled_protos import GOOGLEAPIS, OPTIONS, find_googleapis, read_bundled_protos

_COPY = "copy the files to a folder: for buf, and for google/api, which the printed path does not contain"
_KUBERNETES = """with --copy, download the .proto files of a Kubernetes version, such as 1.36 or 1.36.2; by default,
    the bundled messages of k8s.io/apimachinery are copied"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--copy", metavar="FOLDER", help=_COPY)
    parser.add_argument("--kubernetes", metavar="VERSION", help=_KUBERNETES)


def run(arguments: argparse.Namespace) -> int:
    """Print the import path, or copy the files. Raises OSError."""
    if arguments.copy is not None:
        return _copy_protos(arguments.copy, arguments.kubernetes)
    if arguments.kubernetes is not None:
        raise UsageError("--kubernetes requires --copy")
    print(OPTIONS)
    return 0


def _copy_protos(folder: str, kubernetes: str | None) -> int:
    contents = read_bundled_protos()
    if kubernetes is not None:
        from protoc_gen_crd.cli.kubernetes_protos import download_protos

        contents |= download_protos(kubernetes)
    write_files(Path(folder), contents)
    print(f"{folder}: {len(contents)} files written")
    if not find_googleapis():
        print(f'google/api is not included: run "pip install {GOOGLEAPIS}" and repeat the command', file=sys.stderr)
    return 0
