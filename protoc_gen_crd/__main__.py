"""The one way in: the plugin when protoc calls, the command line for everybody else."""

from __future__ import annotations

import sys

BUG = 3


def main() -> int:
    """Run; the exit status. Nothing but a bug of ours is caught here."""
    try:
        return _run()
    except Exception:  # noqa: BLE001 - the one place for bugs, whatever they are
        from traceback import print_exc  # noqa: PLC0415

        from protoc_gen_crd import __version__  # noqa: PLC0415

        print_exc()
        sys.stderr.write(
            f"\nThis is a bug of protoc-gen-crd {__version__}, not a mistake of yours. Please report it with the lines"
            " above and, if you can,\nwith the request: the option dump_request=FILE of the plugin, or --dump-request"
            " FILE of generate, saves it.\n"
        )
        return BUG


def _run() -> int:
    if len(sys.argv) == 1 and not (sys.stdin and sys.stdin.isatty()):
        from protoc_gen_crd.plugin import main as plugin  # noqa: PLC0415 - protoc waits for nothing else

        return plugin()
    from protoc_gen_crd.cli.main import main as command_line  # noqa: PLC0415

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
