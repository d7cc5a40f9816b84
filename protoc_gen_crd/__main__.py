"""The one way in: the plugin when protoc calls, the command line for everybody else."""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

ENVIRONMENT_ERROR = 2
INTERNAL_ERROR = 3
INTERRUPTED = 130


def main() -> NoReturn:
    """Run and leave at once: taking apart what a run has made would take as long as making a twentieth of it."""
    os._exit(_finish("", run()))


def run() -> int:
    """Run; the exit status. What the environment refuses is told in a line, only a bug of ours leaves a traceback."""
    _open_streams()
    try:
        return _run_entry_point()
    except KeyboardInterrupt:
        return _finish("interrupted", INTERRUPTED)
    except MemoryError:
        return _finish("out of memory", ENVIRONMENT_ERROR)
    except BrokenPipeError:
        return _finish("", ENVIRONMENT_ERROR)  # whoever read our output has had enough
    except OSError as error:
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        if isinstance(error, FileNotFoundError) and not place:
            place = "the working folder: "  # nothing else is looked for without a name
        elif not place and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            place = "standard output: "  # nothing else is written without a name
        return _finish(f"{place}{error.strerror or error}{_find_hint(error)}", ENVIRONMENT_ERROR)
    except Exception:  # noqa: BLE001 - the one place for bugs, whatever they are
        from traceback import print_exc  # noqa: PLC0415

        from protoc_gen_crd import __version__  # noqa: PLC0415

        print_exc()
        sys.stderr.write(
            f"\nThis is a bug of protoc-gen-crd {__version__}, not a mistake of yours. Please report it with the lines"
            " above and, if you can,\nwith the request: the option dump_request=FILE of the plugin, or --dump-request"
            " FILE of generate, saves it.\n"
        )
        return INTERNAL_ERROR


def _find_hint(error: OSError) -> str:
    from protoc_gen_crd.base.path_hints import find_path_hint  # noqa: PLC0415 - only for an error

    hint = find_path_hint(error, os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else ""
    return f"; {hint}" if hint else ""


def _open_streams() -> None:
    """Open what is closed, so that no file is taken for a standard stream later."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - to the end of the run


def _run_entry_point() -> int:
    if len(sys.argv) == 1 and not sys.stdin.isatty() and "_ARGCOMPLETE" not in os.environ:
        from protoc_gen_crd.plugin import main as plugin  # noqa: PLC0415 - protoc waits for nothing else

        return plugin()
    from protoc_gen_crd.cli.main import main as command_line  # noqa: PLC0415

    _reduce_garbage_collection()
    _handle_termination()
    try:
        status = command_line()
    except SystemExit as end:  # --help and --version
        status = end.code if isinstance(end.code, int) else 0
    sys.stdout.flush()  # an error of this write is an error of the command
    return status


def _reduce_garbage_collection() -> None:
    """Look for garbage seldom: commands need most of what they make to their end, and half their time went there."""
    import gc  # noqa: PLC0415 - a plugin collects nothing at all

    gc.set_threshold(100_000, 50, 50)


def _handle_termination() -> None:
    """Let a request to end pass through what cleans up after itself, as an interrupt does."""
    import signal  # noqa: PLC0415 - a plugin holds nothing that wants cleaning
    from contextlib import suppress  # noqa: PLC0415

    def exit_on_signal(number: int, _: object) -> None:
        with suppress(OSError):
            os.write(2, f"protoc-gen-crd: ended by {signal.Signals(number).name}\n".encode())
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, exit_on_signal)


def _finish(message: str, status: int) -> int:
    """Tell why, as far as that is possible, and let nothing that is still to be written fail once more."""
    line = f"protoc-gen-crd: {message}\n" if message else ""
    for stream, text in ((sys.stderr, line), (sys.stdout, "")):
        try:
            stream.write(text)
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status


if __name__ == "__main__":
    main()
