"""The client of the editor tests reports a language server that dies, instead of waiting for it."""

import sys
from pathlib import Path

import pytest

from tests.editors.language_server import ServerExitError, start_server

# Servers that read the first message and write a part of their answer, or all of it, before they exit.
_READ = "import sys\nsys.stdin.buffer.readline()\n"
_ANSWER = '{"jsonrpc": "2.0", "id": 1, "result": {}}'
_DYING = {
    "before it reads": "",
    "before the answer": _READ,
    "in the header": _READ + "print('Content-Length: 4', end='')",
    "in the answer": _READ + "print('Content-Length: 400\\r\\n\\r\\n{', end='')",
    "after the answer": _READ + f"print('Content-Length: {len(_ANSWER)}\\r\\n\\r\\n{_ANSWER}', end='')",
}


@pytest.mark.parametrize("program", _DYING.values(), ids=_DYING)
def test_a_server_that_dies_is_an_error(program: str, tmp_path: Path) -> None:
    document = tmp_path / "a.yaml"
    document.write_text("a: 1\n")
    with pytest.raises(ServerExitError), start_server([sys.executable, "-c", program], tmp_path) as server:
        server.open(document)
