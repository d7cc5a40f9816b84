"""Names, addresses and settings of the webhook, and the objects in its namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record

Manifest = dict[str, Any]

CONTENT_FOLDER = "/srv/api"  # the inputs of `serve` in the image
PORT_NAME = "https"


class Workload(Record):
    """Names, addresses and settings of the webhook."""

    namespace: str
    name: str
    port: int  # of the service
    container_port: int  # of the container
    image: str
    certificates: str  # the folder of tls.crt and tls.key
    drain: int  # seconds
    oldest_minor: int  # minor version of Kubernetes
    converters: str = ""  # folder below the output folder

    @property
    def command(self) -> list[str]:
        """The arguments of the image's entry point."""
        imports = [f"--converter-package={CONTENT_FOLDER}/{self.converters}"] if self.converters else []
        return [
            "serve",
            CONTENT_FOLDER,
            *imports,
            f"--port={self.container_port}",
            f"--certificates={self.certificates}",
        ]

    @property
    def has_own_namespace(self) -> bool:
        """Report whether the namespace is created; namespaces of the cluster exist already."""
        return self.namespace != "default" and not self.namespace.startswith("kube-")

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of all objects."""
        return {"app.kubernetes.io/name": self.name}

    @property
    def selector(self) -> Manifest:
        """The selector of the pods."""
        return {"matchLabels": dict(self.labels)}

    @property
    def secret(self) -> str:
        """The Secret of the certificate."""
        return f"{self.name}-certificate"

    @property
    def host(self) -> str:
        """The host name that API servers use."""
        return f"{self.name}.{self.namespace}.svc"

    def make_object(
        self, api_version: str, kind: str, spec: Mapping[str, Any] | None = None, suffix: str = ""
    ) -> Manifest:
        """Create an object in the webhook's namespace."""
        metadata = {"name": self.name + suffix, "namespace": self.namespace, "labels": dict(self.labels)}
        manifest: Manifest = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
        return manifest if spec is None else {**manifest, "spec": dict(spec)}
