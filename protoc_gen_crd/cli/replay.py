"""`--request FILE`: run the plugin on a saved request, without protoc."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from protoc_gen_crd.cli.usage_error import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("--request", metavar="FILE", help="run the plugin on a request saved with dump_request=FILE")
    parser.add_argument("--out", metavar="PATH", help="with --request, write the files below this folder")


def run(arguments: argparse.Namespace) -> int:
    """List or write the files of the response. Exit status 1 if it has an error."""
    if not arguments.request:
        raise UsageError("--out requires --request FILE")
    from protoc_gen_crd.base.file_names import is_below
    from protoc_gen_crd.base.input_files import read_file
    from protoc_gen_crd.cli.output_folder import is_outside, write_files
    from protoc_gen_crd.plugin import respond
    from protoc_gen_crd.proto.response import read_response

    data = read_file(arguments.request, pipes=True)
    if not data:
        raise UsageError(f'request file "{arguments.request}" is empty')
    error, files = read_response(b"".join(respond(data)))
    if error:
        print(error, file=sys.stderr)
        return 1
    contents = {name: text.encode() for name, text in files}
    if arguments.out:
        folder = Path(arguments.out)
        bad = [name for name in contents if not is_below(name) or is_outside(folder, name)]
        if bad:
            raise UsageError(f'file "{bad[0]}" is outside the folder "{folder}"')
        write_files(folder, contents)
    for name, data in contents.items():
        print(f"{name}: {len(data)} bytes")
    return 0
