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
_MAX_FILE_SIZE = 2**24  # bytes of a kubeconfig, or of a file that it references
_DEFAULT = "~/.kube/config"
_NO_CLUSTER = "no kubeconfig at {path}: use --kubeconfig PATH or set KUBECONFIG"


def load_kubeconfig(configuration: Any, kubeconfig: str, context: str) -> None:
    """Configure the client by a kubeconfig, by default that of KUBECONFIG or of this pod. Raises ClusterError."""
    from kubernetes import config  # noqa: PLC0415 - it takes half a second

    path = kubeconfig or _list_kubeconfigs(os.environ.get("KUBECONFIG", "")) or os.path.expanduser(_DEFAULT)  # noqa: PTH111 - a list
    exists = any(Path(name).exists() for name in path.split(os.pathsep))
    in_cluster = not kubeconfig and not exists and os.environ.get("KUBERNETES_SERVICE_HOST")
    if not exists and not in_cluster:
        raise ClusterError(_NO_CLUSTER.format(path=path))
    config_errors = (config.ConfigException, config.kube_config.yaml.YAMLError, LookupError, TypeError, ValueError)
    source = "the service account of this pod" if in_cluster else path
    try:
        with _capture_errors() as errors:
            if in_cluster:
                config.load_incluster_config(client_configuration=configuration)
            else:
                _check_files(config.kube_config, path)
                config.load_kube_config(path, context or None, configuration, persist_config=False)
                errors += _check_impersonation(config.kube_config.KubeConfigMerger(path).config.value, context)
    except OSError as error:
        errors = [str(error.strerror) if error.filename == source else f"{error.filename}: {error.strerror}"]
    except (*config_errors, AttributeError) as error:
        errors = [str(error)]
    if errors:
        reason = re.sub(r"\{.*\}", "{…}", " ".join(errors[0].split()))  # the client prints users with their secrets
        raise ClusterError(f"cannot load {source}: {reason}")
    if not configuration.host.startswith(("https://", "http://")):
        raise ClusterError(f'invalid server "{configuration.host}" in {path}, expected https://HOST:PORT')


def _check_files(client: Any, paths: str) -> None:
    """Raise OSError for kubeconfigs and referenced files that are too large or not regular files."""
    for path in filter(os.path.exists, map(os.path.expanduser, paths.split(os.pathsep))):
        check_file(path, limit=_MAX_FILE_SIZE)
    config = client.KubeConfigMerger(paths).config.value
    for kind in ("cluster", "user"):
        for entry in config[f"{kind}s"]:
            references = [entry.value[kind][key] for key in _FILES if key in (entry.value.get(kind) or {})]
            for path in (os.path.join(os.path.dirname(entry.path), name) for name in references):  # noqa: PTH118, PTH120
                check_file(path, limit=_MAX_FILE_SIZE)


def _list_kubeconfigs(paths: str) -> str:
    """Return the files of KUBECONFIG, without empty files unless all are empty."""
    names = [name for name in paths.split(os.pathsep) if name]
    return os.pathsep.join([name for name in names if not _is_empty(Path(name))] or names)


def _is_empty(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == 0


def _check_impersonation(config: Any, context: str) -> Sequence[str]:
    """Return the errors for a user with impersonation, which the client ignores."""
    name = context or config.get("current-context")
    users = {entry.value["name"]: entry.value.get("user") or {} for entry in config["users"]}
    names = [entry.value["context"].get("user") for entry in config["contexts"] if entry.value["name"] == name]
    impersonated = [users[user_name]["as"] for user_name in names if "as" in users.get(user_name, {})]
    return [
        f'impersonation ("as: {user}") is not supported; use a user with the required permissions'
        for user in impersonated
    ]


@contextmanager
def _capture_errors() -> Iterator[list[str]]:
    """Collect errors that the client only logs, such as a failed credential plugin."""
    errors: list[str] = []

    class ErrorCollector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(record.getMessage())

    collector, root = ErrorCollector(logging.ERROR), logging.getLogger()
    root.addHandler(collector)
    try:
        yield errors
    finally:
        root.removeHandler(collector)
