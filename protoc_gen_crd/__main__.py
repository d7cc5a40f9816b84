"""The entry point: the plugin if protoc is the caller, otherwise the command line."""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False  # that of `typing`; before `main` runs, an interrupt prints a traceback
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

ENVIRONMENT_ERROR = 2
INTERNAL_ERROR = 3
INTERRUPTED = 130
_FRAME_SIZE = 2**15  # pointers, 256 KiB; CPython reserves twice as much


def main() -> NoReturn:
    """Run and exit without cleanup of the interpreter, which would take a twentieth of the time of a run."""
    sys.unraisablehook = _repeat_interrupt
    os._exit(_finish("", run()))


def run() -> int:
    """Run and return the exit status. Errors of the environment are printed on one line, only bugs with a traceback."""
    try:
        _open_streams()
        return _run_entry_point()
    except KeyboardInterrupt:
        return _finish("interrupted", INTERRUPTED)
    except MemoryError:
        return _finish("out of memory", ENVIRONMENT_ERROR)
    except BrokenPipeError:
        return _finish("", ENVIRONMENT_ERROR)  # the reader of the output has closed it
    except OSError as error:
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        if isinstance(error, FileNotFoundError) and not place:
            place = "the working folder: "  # all other files have names
        elif not place and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            place = "standard output: "  # all other output files have names
        from protoc_gen_crd.base.escapes import terminal_line  # noqa: PLC0415 - only for an error

        return _finish(terminal_line(f"{place}{error.strerror or error}{_find_hint(error)}"), ENVIRONMENT_ERROR)
    except Exception as error:  # noqa: BLE001 - the only handler of bugs
        return _report_bug(error)


def _report_bug(error: Exception) -> int:
    """Report an unexpected error, and return the exit status. One that Python raises for an interrupt is no bug."""
    if isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11 replaces an interrupt in __set_name__
        return _finish("interrupted", INTERRUPTED)
    from traceback import print_exception  # noqa: PLC0415

    from protoc_gen_crd import __version__  # noqa: PLC0415

    print_exception(error)
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
    """Open closed standard streams, so that no other file gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open until the end of the run


def _run_entry_point() -> int:
    from protoc_gen_crd.base.module_finder import install_module_finder  # noqa: PLC0415 - an interrupt here prints one line

    install_module_finder()
    if len(sys.argv) == 1 and not sys.stdin.isatty() and "_ARGCOMPLETE" not in os.environ:
        from protoc_gen_crd.plugin import main as plugin  # noqa: PLC0415 - plugin runs import nothing else

        return _call_with_large_frame(plugin)
    from protoc_gen_crd.cli.main import main as command_line  # noqa: PLC0415

    _reduce_garbage_collection()
    _handle_termination()
    try:
        status = _call_with_large_frame(command_line)
    except SystemExit as end:  # --help and --version
        status = end.code if isinstance(end.code, int) else 0
    sys.stdout.flush()  # an error of this write must fail the command
    return status


def _call_with_large_frame(run: Callable[[], int]) -> int:
    """Call a function from a frame so large that the frames of all further calls fit into the memory reserved for it.

    CPython otherwise reserves memory in chunks of 16 KiB. A loop at the end of a chunk maps and unmaps the next one for
    each call, which took 3 % of the time of a run.
    """
    return run()


_call_with_large_frame.__code__ = _call_with_large_frame.__code__.replace(co_stacksize=_FRAME_SIZE)


def _reduce_garbage_collection() -> None:
    """Collect garbage less often: commands need most objects to their end, and half of the time was spent on it."""
    import gc  # noqa: PLC0415 - plugin runs disable the collection

    gc.set_threshold(200_000, 50, 50)


def _handle_termination() -> None:
    """Convert termination signals to SystemExit, so that cleanup code runs as after an interrupt."""
    import signal  # noqa: PLC0415 - plugin runs need no cleanup
    from contextlib import suppress  # noqa: PLC0415

    def exit_on_signal(number: int, _: object) -> None:
        with suppress(OSError):
            os.write(2, f"protoc-gen-crd: ended by {signal.Signals(number).name}\n".encode())
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, exit_on_signal)


def _repeat_interrupt(error: sys.UnraisableHookArgs) -> None:
    """Interrupt the run again if the interpreter ignores an interrupt, such as in a callback of an import."""
    if error.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(error)
        return
    import _thread  # noqa: PLC0415 - few runs are interrupted

    _thread.start_new_thread(_thread.interrupt_main, ())  # another thread, since this one would ignore it again


def _finish(message: str, status: int) -> int:
    """Print the message if possible, and flush the streams without further errors. Return the exit status."""
    line = f"protoc-gen-crd: {message}\n" if message else ""
    for stream, content in ((sys.stderr, line), (sys.stdout, "")):
        try:
            stream.write(content)
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status


if __name__ == "__main__":
    main()
