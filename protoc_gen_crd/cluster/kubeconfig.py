"""The kubeconfig, read by the official Python client, or the service account of a pod.

Features that the client silently ignores, such as impersonation, are errors here.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.input_files import check_file
from protoc_gen_crd.cluster.api_server import ClusterError

_FILES = ("certificate-authority", "client-certificate", "client-key", "tokenFile")
_MAX_FILE_SIZE = 2**24  # bytes of a kubeconfig, or of a file that it names
_DEFAULT = "~/.kube/config"
_NO_CLUSTER = "no kubeconfig at {path}: use --kubeconfig PATH or set KUBECONFIG"


def load_kubeconfig(configuration: Any, kubeconfig: str, context: str) -> None:
    """Set a configuration of the client by a kubeconfig, without one of KUBECONFIG. Raises ClusterError."""
    from kubernetes import config  # noqa: PLC0415 - it takes half a second

    path = kubeconfig or _list_kubeconfigs(os.environ.get("KUBECONFIG", "")) or os.path.expanduser(_DEFAULT)  # noqa: PTH111 - a list
    there = any(Path(one).exists() for one in path.split(os.pathsep))
    around = not kubeconfig and not there and os.environ.get("KUBERNETES_SERVICE_HOST")
    if not there and not around:
        raise ClusterError(_NO_CLUSTER.format(path=path))
    broken = (config.ConfigException, config.kube_config.yaml.YAMLError, LookupError, TypeError, ValueError)
    source = "the service account of this pod" if around else path
    try:
        with _capture_errors() as found:
            if around:
                config.load_incluster_config(client_configuration=configuration)
            else:
                _check_files(config.kube_config, path)
                config.load_kube_config(path, context or None, configuration, persist_config=False)
                found += _check_impersonation(config.kube_config.KubeConfigMerger(path).config.value, context)
    except OSError as error:
        found = [f"{error.filename}: {error.strerror}" if error.filename else str(error)]
    except (*broken, AttributeError) as error:
        found = [str(error)]
    if found:
        reason = re.sub(r"\{.*\}", "{…}", " ".join(found[0].split()))  # the client shows users with their secrets
        raise ClusterError(f"cannot load {source}: {reason}")
    if not configuration.host.startswith(("https://", "http://")):
        raise ClusterError(f'invalid server "{configuration.host}" in {path}, expected https://HOST:PORT')


def _check_files(client: Any, paths: str) -> None:
    """Raise OSError for kubeconfigs, and files that they name, which cannot be read to an end."""
    for path in filter(os.path.exists, map(os.path.expanduser, paths.split(os.pathsep))):
        check_file(path, limit=_MAX_FILE_SIZE)
    config = client.KubeConfigMerger(paths).config.value
    for kind in ("cluster", "user"):
        for entry in config[f"{kind}s"]:
            named = [entry.value[kind][key] for key in _FILES if key in (entry.value.get(kind) or {})]
            for path in (os.path.join(os.path.dirname(entry.path), name) for name in named):  # noqa: PTH118, PTH120
                check_file(path, limit=_MAX_FILE_SIZE)


def _list_kubeconfigs(paths: str) -> str:
    """The files of KUBECONFIG, without those that are empty if there is one that is not."""
    known = [one for one in paths.split(os.pathsep) if one]
    return os.pathsep.join([one for one in known if not _is_empty(Path(one))] or known)


def _is_empty(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == 0


def _check_impersonation(config: Any, context: str) -> Sequence[str]:
    """What is wrong with a user of a kubeconfig that has the rights of another, as whom the client does not ask."""
    wanted = context or config.get("current-context")
    users = {one.value["name"]: one.value.get("user") or {} for one in config["users"]}
    names = [one.value["context"].get("user") for one in config["contexts"] if one.value["name"] == wanted]
    others = [users[name]["as"] for name in names if "as" in users.get(name, {})]
    return [
        f'impersonation ("as: {other}") is not supported; use a user with the required permissions' for other in others
    ]


@contextmanager
def _capture_errors() -> Iterator[list[str]]:
    """What the client logs as an error and goes on: that no token has come of a program, for one."""
    found: list[str] = []

    class ErrorCollector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage())

    heard, root = ErrorCollector(logging.ERROR), logging.getLogger()
    root.addHandler(heard)
    try:
        yield found
    finally:
        root.removeHandler(heard)
