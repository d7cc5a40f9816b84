"""A client of a cluster, with the TLS and proxies of the official Python client and the settings of `kubeconfig`.

Only these two modules use the official client. Its generated models and calls are not used: they differ between its
releases, and would convert JSON to objects.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any
from urllib.parse import urlsplit
from warnings import catch_warnings

from protoc_gen_crd import __version__
from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.cluster.api_server import JSON, ApiReply, ApiServer, ClusterError, DisconnectedError
from protoc_gen_crd.cluster.kubeconfig import load_kubeconfig

CONNECTIONS = 16
_TOKEN_CHECK_INTERVAL = 10.0  # seconds; the client fetches tokens minutes before they expire
_USER_AGENT = f"protoc-gen-crd/{__version__}"
_TIMEOUT = 60  # seconds; API servers have the same timeout
_MISSING_CLIENT = "the Kubernetes client is not installed: run pip install 'protoc-gen-crd[cluster]'"


def connect(kubeconfig: str, context: str) -> ApiServer:
    """Connect to the cluster of a kubeconfig, by default that of KUBECONFIG or of this pod. Raises ClusterError."""
    try:
        from kubernetes.client.configuration import Configuration  # noqa: PLC0415 - it takes half a second
        from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "kubernetes":
            raise
        raise ClusterError(_MISSING_CLIENT) from None
    configuration: Any = Configuration()
    load_kubeconfig(configuration, kubeconfig, context)
    if not configuration.verify_ssl:
        from urllib3 import disable_warnings  # noqa: PLC0415

        disable_warnings()  # urllib3 would warn at each request
    configuration.connection_pool_maxsize = CONNECTIONS
    try:
        with catch_warnings(action="ignore"):  # the error below has the reason
            return _ClusterClient(configuration, RESTClientObject(configuration).pool_manager)
    except ImportError:
        raise ClusterError(f"proxy {configuration.proxy} needs PySocks: run pip install PySocks") from None
    except ValueError:
        raise ClusterError(f'invalid server address "{configuration.host}"') from None


class _ClusterClient:
    """A client with persistent connections, safe for several threads."""

    def __init__(self, configuration: Any, manager: Any) -> None:
        from urllib3.util import Retry, Timeout  # noqa: PLC0415

        self._configuration = configuration
        self._send, self._root = _get_sender(manager, configuration.host.rstrip("/"))
        self._settings = {"timeout": Timeout(_TIMEOUT), "retries": Retry(total=False), "redirect": False}
        self._lock = Lock()
        self._headers: dict[str, str] = {}
        self._checked_at = -_TOKEN_CHECK_INTERVAL

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> ApiReply:
        """See Api."""
        from urllib3.exceptions import HTTPError, SSLError  # noqa: PLC0415

        headers = {"Accept": accept, "User-Agent": _USER_AGENT, **self._get_authorization()}
        data = None
        if body is not None:
            headers["Content-Type"], data = content, json.dumps(body).encode()
        try:
            response = self._send(method, f"{self._root}{path}", body=data, headers=headers, **self._settings)
        except SSLError as error:
            raise ClusterError(f"invalid certificate of {self._configuration.host}: {_shorten(error)}") from None
        except HTTPError as error:
            raise DisconnectedError(f"cannot connect to {self._configuration.host}: {_shorten(error)}") from None
        return ApiReply(response.status, _parse_object(response.data), response.headers)

    def _get_authorization(self) -> Mapping[str, str]:
        """Return the headers for authentication. From time to time one thread checks whether the token has expired."""
        with self._lock:
            if time.monotonic() - self._checked_at >= _TOKEN_CHECK_INTERVAL:
                auth = self._configuration.auth_settings().values()
                self._headers = {
                    item["key"]: item["value"] for item in auth if item["in"] == "header" and item["value"]
                }
                self._checked_at = time.monotonic()
            return self._headers


def _get_sender(manager: Any, host: str) -> tuple[Callable[..., Any], str]:
    """Return the function that sends requests, and the prefix of their paths.

    Without a proxy it is that of the server's connection pool, since a lookup of the pool takes as long as a request.
    """
    if manager.proxy is not None:
        return manager.urlopen, host
    pool = manager.connection_from_url(host)
    pool.ConnectionCls = _make_buffered_connection(pool.ConnectionCls)
    return pool.urlopen, urlsplit(host).path


def _make_buffered_connection(connection_class: Any) -> Any:
    """Return a subclass of connections that sends requests in one piece, so that servers do not wait for the body."""

    class BufferedConnection(connection_class):  # type: ignore[misc]
        _buffer: list[bytes] | None = None

        def request(self, *arguments: Any, **keywords: Any) -> None:
            self._buffer = []
            try:
                super().request(*arguments, **keywords)
            finally:
                chunks, self._buffer = self._buffer, None
            self.send(b"".join(chunks))

        def send(self, data: bytes) -> None:
            if self._buffer is None:
                super().send(data)
            else:
                self._buffer.append(data)

    return BufferedConnection


def _parse_object(data: bytes) -> dict[str, Any]:
    """Parse a JSON object; other responses, as of proxies, are returned as a message."""
    try:
        value = parse_json(data.decode())
    except ValueError:
        return {"message": data.decode("utf-8", "replace")}
    return value if isinstance(value, dict) else {"message": str(value)}


def _shorten(error: Exception) -> str:
    """Return the last part of an error that repeats its cause."""
    cause = error.args[-1] if error.args and isinstance(error.args[-1], Exception) else error
    reason = " ".join(str(cause).split()).rpartition(": ")[2]
    return re.sub(r"^\[Errno \d+\] ", "", reason) or type(error).__name__
