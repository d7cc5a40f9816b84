"""Which cluster, and as whom: a kubeconfig as the official Python client reads it, or what is around a pod.

Where the client passes over what it cannot do, and asks as nobody or as somebody else, it is told here.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from protoc_gen_crd.cluster.api import ClusterError

_DEFAULT = "~/.kube/config"
_NOWHERE = "which cluster? There is no {path}: give --kubeconfig PATH, or set KUBECONFIG"


def load(configuration: Any, kubeconfig: str, context: str) -> None:
    """Set a configuration of the client by a kubeconfig, without one of KUBECONFIG. Raises ClusterError."""
    from kubernetes import config  # noqa: PLC0415 - it takes half a second

    path = kubeconfig or _named(os.environ.get("KUBECONFIG", "")) or os.path.expanduser(_DEFAULT)  # noqa: PTH111 - a list
    there = any(Path(one).exists() for one in path.split(os.pathsep))
    around = not kubeconfig and not there and os.environ.get("KUBERNETES_SERVICE_HOST")
    if not there and not around:
        raise ClusterError(_NOWHERE.format(path=path))
    broken = (config.ConfigException, config.kube_config.yaml.YAMLError, OSError, LookupError, TypeError, ValueError)
    what = "the service account of this pod" if around else path
    try:
        with _errors() as found:
            if around:
                config.load_incluster_config(client_configuration=configuration)
            else:
                config.load_kube_config(path, context or None, configuration, persist_config=False)
                found += _impersonated(config.kube_config.KubeConfigMerger(path).config.value, context)
    except (*broken, AttributeError) as error:
        found = [str(error)]
    if found:
        told = re.sub(r"\{.*\}", "{…}", " ".join(found[0].split()))  # the client shows users with their secrets
        raise ClusterError(f"{what} must say how to reach a cluster: {told}")
    if not configuration.host.startswith(("https://", "http://")):
        raise ClusterError(f'{path} must name a server as https://HOST:PORT, found "{configuration.host}"')


def _named(paths: str) -> str:
    """The files of KUBECONFIG, without those that are empty if there is one that is not."""
    known = [one for one in paths.split(os.pathsep) if one]
    return os.pathsep.join([one for one in known if not _empty(Path(one))] or known)


def _empty(path: Path) -> bool:
    return path.is_file() and path.stat().st_size == 0


def _impersonated(config: Any, context: str) -> Sequence[str]:
    """What is wrong with a user of a kubeconfig that has the rights of another, as whom the client does not ask."""
    wanted = context or config.get("current-context")
    users = {one.value["name"]: one.value.get("user") or {} for one in config["users"]}
    names = [one.value["context"].get("user") for one in config["contexts"] if one.value["name"] == wanted]
    others = [users[name]["as"] for name in names if "as" in users.get(name, {})]
    return [f'"as: {other}" is not supported, name a user who has the rights' for other in others]


@contextmanager
def _errors() -> Iterator[list[str]]:
    """What the client logs as an error and goes on: that no token has come of a program, for one."""
    found: list[str] = []

    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage())

    heard, root = Heard(logging.ERROR), logging.getLogger()
    root.addHandler(heard)
    try:
        yield found
    finally:
        root.removeHandler(heard)
