"""The command line: which commands there are, and what they have in common. A command's module is loaded when it runs.

Exit status: 0 fine, 1 findings, 2 wrong usage or environment, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn, cast

from protoc_gen_crd import __version__
from protoc_gen_crd.base.suggestions import nearest, suggestion
from protoc_gen_crd.cli.errors import UsageError

PROGRAM = "protoc-gen-crd"
USAGE = 2

# Name and help. The module of the same name has configure(parser) and run(arguments) -> exit status.
COMMANDS = {
    "generate": "write the CRDs of .proto files, folders of them, descriptor sets or buf images",
    "validate": "put documents and CRDs to API servers of a range of versions, offline",
    "cost": "print what the CEL rules of CRDs cost, and which bounds make them fit",
    "convert": "convert objects to another version of their kind, and prove that nothing gets lost",
    "migrate": "write the stored objects of a cluster again at the storage version, so that old versions can go",
    "serve": "answer conversion and admission reviews of API servers over TLS",
    "manifests": "write what a cluster needs to run the webhook that converts and judges objects",
    "patch": "give installed CRDs the webhook that converts, and change nothing else of them",
    "samples": "write a minimal and a full sample of each kind and version, and check those written by hand",
    "docs": "write reference docs of an API as Markdown, a page for each group",
    "history": "record the API of a release, and tell what each release changed",
    "fuzz": "look for documents on which an external validator and API servers disagree",
    "corpus": "write the test documents as seeds of a fuzzer",
    "explain": "print the documentation of a finding, or the list of all",
    "include": "print the folder that protoc finds protoc_gen_crd/v1/options.proto in, for its -I",
}
REPLAY = "replay"

_DESCRIPTION = """\
Kubernetes CustomResourceDefinitions from Protocol Buffers.

Without arguments and with a request on standard input this is a plugin of protoc and buf:

  protoc --crd_out=FOLDER API.proto"""


class _Parser(argparse.ArgumentParser):
    _mixing = False

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong and nothing else: a page of usage would hide it."""
        raise UsageError(f"{message}; see {self.prog} --help")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """What is no option may stand before, among and after the options."""
        found, rest = super().parse_known_args(args, namespace)
        if self._mixing or self._subparsers is not None or all(each.startswith("-") for each in rest):
            return found, rest
        self._mixing = True  # what is called next calls this
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status. Raises OSError for what the environment refuses."""
    # A file name that is no text must not break a message about it.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return USAGE


def _run(arguments: Sequence[str]) -> int:
    arguments = arguments or ["--help"]
    first = arguments[0]
    if first in COMMANDS:
        name, parser = first, _Parser(prog=f"{PROGRAM} {first}", allow_abbrev=False, description=_command_help(first))
    elif first.startswith("-"):
        name, parser = REPLAY, _top_parser()
    else:
        raise UsageError(f'there is no command "{first}"; {suggestion(first, COMMANDS) or f"see {PROGRAM} --help"}')
    module = import_module(f"protoc_gen_crd.cli.{name}")
    module.configure(parser)
    bare = getattr(module, "BARE", {})  # flags that may stand without the value that they take, and what it is then
    given = [f"{each}={bare[each]}" if each in bare else each for each in arguments[name != REPLAY :]]
    found, rest = parser.parse_known_args(given)
    if rest:
        known = [flag[2:] for flag in parser._option_string_actions]  # noqa: SLF001 - argparse has no other list
        near = nearest(rest[0].partition("=")[0].lstrip("-"), filter(None, known))
        hint = f'did you mean "--{near}"?' if near else f"see {parser.prog} --help"
        raise UsageError(f'there is no "{rest[0]}"; {hint}')
    return cast(int, module.run(found))


def _top_parser() -> _Parser:
    rows = "".join(f"\n  {name:10} {text}" for name, text in COMMANDS.items())
    epilog = f"commands:{rows}\n\n{PROGRAM} COMMAND --help tells more."
    parser = _Parser(
        prog=PROGRAM, usage=f"{PROGRAM} COMMAND ...", description=_DESCRIPTION, epilog=epilog, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return parser


def _command_help(name: str) -> str:
    return f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}."
