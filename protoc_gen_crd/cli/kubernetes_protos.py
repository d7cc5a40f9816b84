"""Kubernetes' .proto files from the Go module proxy, verified with the checksum database.

GOPROXY and GOSUMDB=off have the meaning that they have for Go.

Sources: go.dev/ref/mod (module proxy, checksum database) and golang.org/x/mod/sumdb/dirhash (the hash of a module).
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import zipfile
from urllib.error import URLError
from urllib.request import urlopen

from protoc_gen_crd.cli.usage_error import UsageError

_MODULES = ("k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver")
_PROXY = "https://proxy.golang.org"
_SUMS = f"{_PROXY}/sumdb/sum.golang.org"  # the mirror of the checksum database: one host for firewalls to allow
_VERSION = re.compile(r"v?1\.(\d{1,3})(?:\.(\d{1,3}))?")
_TIMEOUT = 60.0  # seconds
_MAX_BYTES = 1 << 28  # of a module, compressed or not


def download_protos(version: str) -> dict[str, bytes]:
    """Return .proto files by the names that imports use. Raises UsageError."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise UsageError(f'invalid Kubernetes version "{version}" (examples: 1.36, 1.36.2)')
    release = f"v0.{match[1]}.{match[2] or 0}"
    return {name: data for module in _MODULES for name, data in _read_module(module, release).items()}


def _read_module(module: str, release: str) -> dict[str, bytes]:
    proxy = next(filter(re.compile("https?://").match, re.split("[,|]", os.environ.get("GOPROXY", ""))), _PROXY)
    archive = _fetch(f"{proxy.rstrip('/')}/{module}/@v/{release}.zip")
    prefix = f"{module}@{release}/"
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            if sum(info.file_size for info in files.infolist()) > _MAX_BYTES:
                raise UsageError(f"{module}@{release} is larger than {_MAX_BYTES} bytes")
            contents = {info.filename: files.read(info) for info in files.infolist() if not info.is_dir()}
    except zipfile.BadZipFile as error:
        raise UsageError(f"{module}@{release} is not a module: {error}") from None
    _verify(module, release, contents)
    protos = {name: data for name, data in contents.items() if name.endswith("/generated.proto")}
    return {f"{module}/{name.removeprefix(prefix)}": data for name, data in protos.items()}


def _verify(module: str, release: str, contents: dict[str, bytes]) -> None:
    if os.environ.get("GOSUMDB") == "off":  # for networks without access to it
        return
    rows = [f"{hashlib.sha256(contents[name]).hexdigest()}  {name}\n" for name in sorted(contents)]
    checksum = "h1:" + base64.b64encode(hashlib.sha256("".join(rows).encode()).digest()).decode()
    lines = _fetch(f"{_SUMS}/lookup/{module}@{release}").decode(errors="replace").splitlines()
    if f"{module} {release} {checksum}" not in lines:
        raise UsageError(f"checksum mismatch: {module}@{release} is {checksum}, which sum.golang.org does not list")


def _fetch(url: str) -> bytes:
    try:
        with urlopen(url, timeout=_TIMEOUT) as reply:  # noqa: S310 - the scheme is http or https
            data: bytes = reply.read(_MAX_BYTES + 1)
    except (URLError, TimeoutError) as error:
        reason = getattr(error, "reason", error)
        raise UsageError(f"cannot download {url}: {reason}") from None
    if len(data) > _MAX_BYTES:
        raise UsageError(f"{url} is larger than {_MAX_BYTES} bytes")
    return data
