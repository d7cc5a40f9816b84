from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from pathlib import Path
from urllib.error import URLError

import pytest

from protoc_gen_crd.cli import kubernetes_protos
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.proto.bundled_protos import find_googleapis

OPTIONS_PROTO = Path("protoc_gen_crd", "v1", "options.proto")
META_PROTO = Path("k8s.io", "apimachinery", "pkg", "apis", "meta", "v1", "generated.proto")
DOWNLOADED = b'syntax = "proto2";\n'
FILES = {"generated.proto": DOWNLOADED, "types.go": b"package v1\n"}


def test_the_printed_folder_holds_options_and_kubernetes_messages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["include"]) == 0
    folder = Path(capsys.readouterr().out.removesuffix("\n"))
    assert (folder / OPTIONS_PROTO).is_file()
    assert (folder / META_PROTO).is_file()


def test_copy_adds_google_api(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["include", "--copy", str(tmp_path)]) == 0
    assert (tmp_path / OPTIONS_PROTO).is_file()
    assert (tmp_path / META_PROTO).is_file()
    assert (tmp_path / "google" / "api" / "field_behavior.proto").is_file() == bool(find_googleapis())
    count = sum(1 for path in tmp_path.rglob("*") if path.is_file())
    assert capsys.readouterr().out == f"{tmp_path}: {count} files written\n"


class Proxy:
    """The Go module proxy and the checksum database, from memory."""

    def __init__(self, checksum: str | None = None) -> None:
        self.requests: list[str] = []
        self.checksum = checksum

    def open(self, url: str, **_: float) -> io.BytesIO:
        self.requests.append(url)
        module = url.partition("/k8s.io/")[2].partition("/@v/")[0].partition("@")[0]
        files = {f"k8s.io/{module}@v0.36.2/pkg/v1/{name}": data for name, data in FILES.items()}
        if "/lookup/" in url:
            return io.BytesIO(f"1\nk8s.io/{module} v0.36.2 {self.checksum or make_checksum(files)}\n".encode())
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as target:
            for name, data in files.items():
                target.writestr(name, data)
        return io.BytesIO(archive.getvalue())


def make_checksum(files: dict[str, bytes]) -> str:
    """The hash h1 of golang.org/x/mod/sumdb/dirhash."""
    rows = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return "h1:" + base64.b64encode(hashlib.sha256(rows.encode()).digest()).decode()


def test_download_replaces_bundled_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Proxy()
    monkeypatch.setattr(kubernetes_protos, "urlopen", proxy.open)
    monkeypatch.delenv("GOPROXY", raising=False)
    monkeypatch.delenv("GOSUMDB", raising=False)
    assert main(["include", "--copy", str(tmp_path), "--kubernetes", "1.36.2"]) == 0
    for module in ("api", "apimachinery", "apiextensions-apiserver"):
        assert (tmp_path / "k8s.io" / module / "pkg" / "v1" / "generated.proto").read_bytes() == DOWNLOADED
    assert not list(tmp_path.rglob("*.go"))
    assert proxy.requests[0] == "https://proxy.golang.org/k8s.io/api/@v/v0.36.2.zip"
    assert proxy.requests[1] == "https://proxy.golang.org/sumdb/sum.golang.org/lookup/k8s.io/api@v0.36.2"


def test_a_wrong_checksum_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kubernetes_protos, "urlopen", Proxy("h1:AAAA=").open)
    monkeypatch.delenv("GOSUMDB", raising=False)
    assert main(["include", "--copy", str(tmp_path / "new"), "--kubernetes", "v1.36.2"]) == 2
    assert "checksum mismatch: k8s.io/api@v0.36.2" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kubernetes", "1.36"], "--kubernetes requires --copy"),
        (["--copy", "x", "--kubernetes", "2.0"], 'invalid Kubernetes version "2.0" (examples: 1.36, 1.36.2)'),
        (["--copy", "x", "--kubernetes", "1.36"], "cannot download https://proxy.golang.org/k8s.io/api/@v/v0.36.0.zip"),
    ],
)
def test_usage_errors(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(url: str, **_: float) -> io.BytesIO:
        raise URLError("no route to host")

    monkeypatch.setattr(kubernetes_protos, "urlopen", fail)
    monkeypatch.delenv("GOPROXY", raising=False)
    assert main(["include", *arguments]) == 2
    assert message in capsys.readouterr().err
