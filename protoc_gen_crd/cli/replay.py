"""`--request FILE`: the plugin's own code on a saved request, to look at a failure without protoc."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from protoc_gen_crd.cli.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("--request", metavar="FILE", help="run the plugin on a request saved with dump_request=FILE")
    parser.add_argument("--out", metavar="PATH", help="with --request, write the files below this folder")


def run(arguments: argparse.Namespace) -> int:
    """Print what the response holds, or write its files. Exit status 1 where it holds an error."""
    if not arguments.request:
        raise UsageError("--out needs --request FILE")
    from protoc_gen_crd.base.filenames import is_below
    from protoc_gen_crd.base.inputfiles import input_bytes
    from protoc_gen_crd.cli.folder import leaves, write_files
    from protoc_gen_crd.plugin import respond
    from protoc_gen_crd.proto.response import read_response

    data = input_bytes(arguments.request)
    if not data:
        raise UsageError(f'a saved request must hold something, found "{arguments.request}" empty')
    error, files = read_response(b"".join(respond(data)))
    if error:
        print(error, file=sys.stderr)
        return 1
    contents = {name: text.encode() for name, text in files}
    if arguments.out:
        folder = Path(arguments.out)
        bad = [name for name in contents if not is_below(name) or leaves(folder, name)]
        if bad:
            raise UsageError(f'every file must stay in "{folder}", found "{bad[0]}"')
        write_files(folder, contents)
    for name, data in contents.items():
        print(f"{name}: {len(data)} bytes")
    return 0
