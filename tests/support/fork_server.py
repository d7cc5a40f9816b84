"""Programs in processes of their own that are forked instead of started.

A server process imports a program once and forks for each run. A run starts as a new process would: with its folder,
environment, streams, and arguments, and without what earlier runs computed. It only skips the start of Python and the
imports, which take most of the time of a short run. protoc keeps nothing from run to run, so its server runs it without
a fork, and is started again if a file exhausts the stack of protoc.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).parents[2]
_LARGEST_REQUEST = 1 << 20


class Result(NamedTuple):
    """The result of a run: exit status, output, seconds of processor time, and peak memory in MiB."""

    returncode: int
    stdout: bytes
    stderr: bytes
    seconds: float
    mebibytes: float


class ForkServer:
    """A process that forks for each run of a program."""

    def __init__(self, program: str) -> None:
        self._program, self._lock = program, threading.Lock()
        self._start()

    def _start(self) -> None:
        self._socket, server_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with server_socket:
            command = [sys.executable, "-m", "tests.support.fork_server", self._program, str(server_socket.fileno())]
            self._process = subprocess.Popen(
                command, cwd=ROOT, pass_fds=[server_socket.fileno()], start_new_session=True
            )

    def run(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        data: bytes = b"",
        merged: bool = False,
        seconds: int = 0,
        memory: int = 0,
    ) -> Result:
        """Run the program and wait for its end.

        Args:
            arguments: the arguments, without the name of the program.
            folder: the working folder.
            environment: all environment variables.
            data: standard input.
            merged: whether standard error goes to standard output.
            seconds: the elapsed time after which the process is killed, 0 for no limit.
            memory: the maximum bytes of its address space, 0 for no limit.
        """
        request = json.dumps([list(arguments), str(folder), dict(environment), seconds, memory]).encode()
        stdin, stdout, stderr = files = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
        try:
            os.write(stdin, data)
            os.lseek(stdin, 0, os.SEEK_SET)
            with self._lock:
                status, used, peak = self._request(request, [stdin, stdout, stdout if merged else stderr])
            return Result(status, _read(stdout), _read(stderr), used, peak)
        finally:
            for file in files:
                os.close(file)

    def _request(self, request: bytes, files: Sequence[int]) -> tuple[int, float, float]:
        socket.send_fds(self._socket, [request], files)
        if answer := self._socket.recv(_LARGEST_REQUEST):
            status, used, peak = json.loads(answer)
            return status, used, peak
        self.close()  # a run without a fork has ended the server
        ended = self._process.returncode
        self._start()
        return ended, 0.0, 0.0

    def close(self) -> None:
        """End the server."""
        self._socket.close()
        self._process.wait()


def _read(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, "rb", closefd=False) as stream:
        return stream.read()


def _read_all(pipe: int) -> bytes:
    with open(pipe, "rb") as stream:
        return stream.read()


_servers: dict[tuple[int, str], ForkServer] = {}  # by process, because a copy of a process must not share its server


def get_server(program: str) -> ForkServer:
    """Return the server of a program for this process."""
    key = os.getpid(), program
    if key not in _servers:
        _servers[key] = ForkServer(program)
    return _servers[key]


def close_servers() -> None:
    """End all servers of this process."""
    for key in [key for key in _servers if key[0] == os.getpid()]:
        _servers.pop(key).close()


def run_protoc(argument: str) -> subprocess.CompletedProcess[bytes]:
    """Run protoc in the working folder. Replaces the function of `proto.protoc_compiler`, which starts Python."""
    done = get_server("protoc").run([argument], Path.cwd(), os.environ)
    return subprocess.CompletedProcess(["protoc", argument], done.returncode, done.stdout, done.stderr)


def run_program(
    arguments: Sequence[str | Path],
    folder: Path = ROOT,
    environment: Mapping[str, str] = os.environ,
    data: bytes = b"",
    *,
    seconds: int = 0,
    memory: int = 0,
) -> subprocess.CompletedProcess[str]:
    """Run protoc-gen-crd. The arguments are those of `ForkServer.run`."""
    done = get_server("protoc-gen-crd").run(
        [*map(str, arguments)], folder, environment, data=data, seconds=seconds, memory=memory
    )
    out, err = (stream.decode(errors="backslashreplace") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(arguments, done.returncode, out, err)


# The side of the server. Each program is a function that returns the exit status for sys.argv.


def _load_protoc() -> Callable[[], int]:
    compiler = importlib.import_module("grpc_tools._protoc_compiler")
    own = Path(str(compiler.__file__)).with_name("_proto")
    return lambda: int(compiler.run_main([os.fsencode(part) for part in (*sys.argv, f"-I{own}")]))


def _load_generator() -> Callable[[], int]:
    from protoc_gen_crd.__main__ import run
    from protoc_gen_crd.proto import protoc_compiler

    protoc = _load_protoc()
    vars(protoc_compiler)["_run_protoc"] = lambda argument: _fork_protoc(protoc, argument)
    return run


def _fork_protoc(protoc: Callable[[], int], argument: str) -> subprocess.CompletedProcess[bytes]:
    """Run protoc in a fork of this process. Replaces the function of `proto.protoc_compiler`, which starts Python."""
    files = [os.memfd_create(name) for name in ("stdout", "stderr")]
    child = os.fork()
    if not child:
        try:
            for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *files)):
                os.dup2(file, number)
            sys.argv = ["protoc", argument]
            os._exit(protoc())
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    outputs = [_read(file) for file in files]
    for file in files:
        os.close(file)
    return subprocess.CompletedProcess(["protoc", argument], status, *outputs)


# Modules of a pytest run that are not its plugins.
_MODULES_OF_PYTEST = (
    "asyncio", "execnet", "hypothesis.core", "pdb", "readline", "re2", "typing_extensions", "yaml",
    "protoc_gen_crd.admission.crd.manifest_admission", "protoc_gen_crd.admission.objects.crd_handler",
    "protoc_gen_crd.documents.api_side", "protoc_gen_crd.findings.renderers.text", "protoc_gen_crd.side_loader",
    "protoc_gen_crd.settings.settings_file", "protoc_gen_crd.testing.validation_run",
)  # fmt: skip


def _load_pytest() -> Callable[[], int]:
    """Import pytest, and what its plugins import, as it would: it rewrites the packages of plugins."""
    import pytest
    from _pytest.assertion import install_importhook
    from _pytest.config import default_plugins, get_config

    hook = install_importhook(get_config())
    hook.mark_rewrite("_hypothesis_globals", "hypothesis", "protoc_gen_crd")
    for module in (*(f"_pytest.{name}" for name in default_plugins), *_MODULES_OF_PYTEST):
        importlib.import_module(module)
    sys.meta_path.remove(hook)
    return lambda: int(pytest.main())


_PROGRAMS = {"protoc": _load_protoc, "protoc-gen-crd": _load_generator, "pytest": _load_pytest}
_FIXED = ("pytest",)  # programs that do not keep what a run has imported
_UNFORKED = ("protoc",)  # programs that keep nothing at all from run to run


def _serve(name: str, connection: socket.socket) -> None:
    """Run the program for each request until the client ends."""
    program = _PROGRAMS[name]()
    gc.freeze()  # otherwise garbage collection would copy the shared memory
    while True:
        request, files, _, _ = socket.recv_fds(connection, _LARGEST_REQUEST, 3)
        if not request:
            return
        limited = any(json.loads(request)[3:])
        serve = _serve_here if name in _UNFORKED and not limited else _serve_by_fork
        answer, imported = serve(name, program, request, files, connection)
        connection.send(json.dumps(answer).encode())
        for module in imported if name not in _FIXED else ():  # so that the next process need not
            with suppress(ImportError):
                importlib.import_module(module)
        gc.freeze()


def _serve_by_fork(
    name: str, program: Callable[[], int], request: bytes, files: Sequence[int], connection: socket.socket
) -> tuple[tuple[int, float, float], list[str]]:
    """Run the program in a fork. Return the status, time and memory, and the modules that it has imported."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        connection.close()
        _run(name, program, request, files, writing)
    for file in (*files, writing):
        os.close(file)
    imported = _read_all(reading).decode().split()
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return (code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), imported


def _serve_here(
    name: str, program: Callable[[], int], request: bytes, files: Sequence[int], _: socket.socket
) -> tuple[tuple[int, float, float], list[str]]:
    """Run the program in this process, which ends if the program does."""
    start = time.process_time()
    arguments, folder, environment, *_ = json.loads(request)
    _enter(name, arguments, folder, environment, files)
    return (program(), time.process_time() - start, 0.0), []


def _enter(
    name: str, arguments: Sequence[str], folder: str, environment: Mapping[str, str], files: Sequence[int]
) -> None:
    """Set the streams, the working folder, the environment and the arguments of this process."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    if environment != dict(os.environ):
        os.environ.clear()
        os.environ.update(environment)
    sys.argv = [name, *arguments]


def _open_streams() -> None:
    """Open the standard streams as Python does."""
    unbuffered = "PYTHONUNBUFFERED" in os.environ
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        buffering = 0 if unbuffered and number else io.DEFAULT_BUFFER_SIZE
        stream = io.TextIOWrapper(
            open(number, "wb" if number else "rb", buffering, closefd=False),  # noqa: SIM115 - for the whole run
            encoding="utf-8", errors="backslashreplace" if name == "stderr" else "strict",
            line_buffering=name == "stderr", write_through=unbuffered,
        )  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _run(name: str, program: Callable[[], int], request: bytes, files: Sequence[int], names: int) -> NoReturn:
    """Run the program as its own process, and write the names of the modules that it has imported."""
    status = 1
    try:
        arguments, folder, environment, seconds, memory = json.loads(request)
        signal.alarm(seconds)
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        os.setsid()
        _enter(name, arguments, folder, environment, files)
        tempfile.tempdir = None  # an import of the server may have computed it
        sys.path[0] = folder
        _open_streams()
        before = set(sys.modules)
        status = program()
        sys.stdout.flush()
        os.write(names, "\n".join(sorted(sys.modules.keys() - before)).encode())
    except BaseException:  # noqa: BLE001 - the process must not return to the server
        traceback.print_exc()
    finally:
        os._exit(status)


if __name__ == "__main__":
    _serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
