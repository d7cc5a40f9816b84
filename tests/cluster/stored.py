"""A kind with many objects that a running server has stored in an old version, and the content of its storage."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from protoc_gen_crd.cluster.api_server import MERGE
from protoc_gen_crd.cluster.cluster_client import connect
from protoc_gen_crd.cluster.rate_limit_and_retry import RequestThrottle
from tests.cluster.server import CRDS, Cluster

OLD, NEW = "v1alpha1", "v1"
_THREADS = 4
Json = dict[str, Any]


class Gadgets:
    """A kind with a unique group, which is kept after the test: deleting so many objects takes minutes."""

    def __init__(self, cluster: Cluster, group: str) -> None:
        self.cluster, self.group, self.name = cluster, group, f"gadgets.{group}"
        self.api = RequestThrottle(connect(str(cluster.kubeconfig), ""))  # it waits while the server installs the CRD
        cluster.serve([self._crd(OLD, NEW, storage=OLD)])

    def _crd(self, *versions: str, storage: str) -> Json:
        anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": anything}}}
        listed = [
            {"name": version, "served": True, "storage": version == storage, "schema": schema} for version in versions
        ]
        names = {"kind": "Gadget", "plural": "gadgets"}
        spec = {"group": self.group, "scope": "Namespaced", "names": names, "versions": listed}
        kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
        return {**kind, "metadata": {"name": self.name}, "spec": spec}

    def path(self, name: str = "", version: str = NEW) -> str:
        """Return the path of the objects, or of one of them."""
        return f"/apis/{self.group}/{version}/namespaces/default/gadgets{'/' if name else ''}{name}"

    def create(self, name: str, spec: Json) -> Json:
        """An object of the old version."""
        return {"apiVersion": f"{self.group}/{OLD}", "kind": "Gadget", "metadata": {"name": name}, "spec": spec}

    def fill(self, count: int) -> None:
        """Create objects in the old version."""

        def create(number: int) -> int:
            spec = {"number": number, "zero": 0, "float": 1.5, "empty": {}, "none": None, "text": f"{number} " * 100}
            return self.api.call("POST", self.path(version=OLD), self.create(f"g{number:05}", spec)).code

        with ThreadPoolExecutor(_THREADS) as pool:
            assert set(pool.map(create, range(count))) == {HTTPStatus.CREATED}

    def switch(self, *versions: str, storage: str = NEW) -> int:
        """Set these versions of the CRD, and wait for the server; return the status code."""
        body = {"spec": {"versions": self._crd(*versions, storage=storage)["spec"]["versions"]}}
        code = self.api.call("PATCH", f"{CRDS}/{self.name}", body, content=MERGE).code
        time.sleep(2)
        return code

    @property
    def reported_versions(self) -> Any:
        """status.storedVersions."""
        return self.api.call("GET", f"{CRDS}/{self.name}").body["status"]["storedVersions"]

    @property
    def stored(self) -> set[str]:
        """Return the versions of the objects in etcd."""
        kept = self.cluster.kept(f"{self.group}/gadgets/")
        return {item["apiVersion"].rpartition("/")[2] for item in kept}

    def objects(self) -> dict[str, Json]:
        """Return all objects as the server returns them, without the resourceVersion, which every write changes."""
        results = {}
        for item in self.api.call("GET", self.path()).body["items"]:
            item["metadata"].pop("resourceVersion")
            results[item["metadata"]["name"]] = item
        return results
