"""Rows of the verdict tables sent to a running API server: its verdicts, in the form of recorded answers.

Nothing is stored: requests are dry runs, and the old object of an update is written to etcd. CRDs that must serve
objects get a unique group, in the object and in our own verdict as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import groupby
from typing import Any

from protoc_gen_crd.admission.objects.object_strategy import CREATED
from tests.cluster.server import CRDS, Cluster, Reply
from tests.conformance.tables import Row

BATCH = 40
_TRIES = 10
_DRY = "dryRun=All&fieldValidation=Ignore"
_OF_THE_SERVER = ("uid", "creationTimestamp", "managedFields", "resourceVersion")
Input = dict[str, Any]


def read_verdict(reply: Reply) -> dict[str, Any]:
    """Return an answer as far as a server reports it."""
    verdict: dict[str, Any] = {"warnings": sorted(set(reply.warnings)), "errors": reply.errors}
    if reply.code < HTTPStatus.MULTIPLE_CHOICES:
        verdict["object"] = bare(reply.body)
    elif not reply.errors:
        verdict["rejection"] = reply.body.get("message", "")
    return {key: value for key, value in verdict.items() if value}


def put_crd(cluster: Cluster, probe: Input) -> Reply | None:
    """Create or update a CRD, as a dry run; None if no server would store the old one."""
    crd, old = probe["crd"], probe.get("old_crd")
    created = f"{CRDS}?{_DRY}"
    if old is None:
        return cluster.call("POST", created, crd)
    if cluster.call("POST", created, old).code != HTTPStatus.CREATED:
        return None
    name = old["metadata"]["name"]
    key = f"apiextensions.k8s.io/customresourcedefinitions/{name}"
    cluster.put(key, _stored_crd(old))
    reply = _updated(cluster, f"{CRDS}/{name}", crd)
    cluster.drop(key)
    return reply


def _updated(cluster: Cluster, path: str, obj: Any, subresource: str = "") -> Reply | None:
    """Update an object in etcd, and retry after a controller's update. A permanent conflict counts.

    None if the server cannot read the stored object.
    """
    reply = None
    for _ in range(_TRIES):
        result = cluster.call("GET", path)
        if result.code != HTTPStatus.OK:
            return None
        metadata = {"resourceVersion": result.body["metadata"]["resourceVersion"], **(obj.get("metadata") or {})}
        reply = cluster.call("PUT", f"{path}{subresource}?{_DRY}", {**obj, "metadata": metadata})
        if reply.code != HTTPStatus.CONFLICT:
            break
    return reply


def put_object(cluster: Cluster, crd: Input, obj: Any, old: Any = None, *, status: bool = False) -> Reply | None:
    """Create or update an object of a served CRD, as a dry run; bytes are sent unchanged.

    None if no server can store the old object: it has no name, or cannot be read.
    """
    names, group = crd["spec"]["names"], crd["spec"]["group"]
    namespace = "" if crd["spec"]["scope"] == "Cluster" else _namespace(cluster, obj if old is None else old)
    scope = f"/namespaces/{namespace}" if namespace else ""
    path = f"/apis/{group}/{_version(obj, crd)}{scope}/{names['plural']}"
    if old is None:
        return cluster.call("POST", f"{path}?{_DRY}", obj)
    name = old["metadata"].get("name")
    if not name:
        return None
    stored = {
        "generation": 1,
        "creationTimestamp": CREATED,
        **({"namespace": namespace} if namespace else {}),
        **old["metadata"],
    }
    key = "/".join(filter(None, (group, names["plural"], namespace, name)))
    cluster.put(key, {**old, "metadata": stored})
    reply = _updated(cluster, f"{path}/{name}", obj, "/status" * status)
    cluster.drop(key)
    return reply


def in_own_groups(rows: Iterable[Row]) -> Iterator[Row]:
    """Return the rows with a unique group for each CRD; those of one CRD are adjacent."""
    known: dict[str, int] = {}
    numbered = [(known.setdefault(json.dumps(row.input["crd"]), len(known)), row) for row in rows]
    for index, row in sorted(numbered, key=lambda each: each[0]):
        group = row.input["crd"]["spec"]["group"]
        text = json.dumps(row.input).replace(group, f"r{index}.{group}")
        yield row.replace(input=json.loads(text))


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield rows of as many CRDs as a server can serve at a time; those of one CRD stay together."""
    of_one = [list(result) for _, result in groupby(rows, lambda row: str(row.input["crd"]["metadata"]["name"]))]
    for start in range(0, len(of_one), BATCH):
        yield [row for item in of_one[start : start + BATCH] for row in item]


def _namespace(cluster: Cluster, obj: Any) -> str:
    """Return the namespace to send an object to: its own, if it is valid."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    name = str((isinstance(metadata, dict) and metadata.get("namespace")) or "default")
    status = cluster.call("POST", "/api/v1/namespaces", {"metadata": {"name": name}}).code
    return name if status in (HTTPStatus.CREATED, HTTPStatus.CONFLICT) else "default"


def _version(obj: Any, crd: Input) -> str:
    """Return the version of the request: the object's own, if it is served."""
    served = [version["name"] for version in crd["spec"]["versions"] if version["served"]]
    fields = obj if isinstance(obj, dict) else {}
    named = str(fields.get("apiVersion", "")).rpartition("/")[2]
    return named if named in served else served[0]


def _stored_crd(crd: Input) -> Input:
    """Return a served CRD as it is stored in etcd: with the status that servers set."""
    storage = [version["name"] for version in crd["spec"]["versions"] if version["storage"]]
    condition = {"type": "Established", "status": "True", "reason": "InitialNamesAccepted"}
    status = {"acceptedNames": crd["spec"]["names"], "conditions": [condition], "storedVersions": storage}
    metadata = {"generation": 1, **crd["metadata"]}
    return {**crd, "metadata": metadata, "status": {**status, **(crd.get("status") or {})}}


def bare(obj: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the fields that every server sets differently."""
    metadata = {key: value for key, value in obj["metadata"].items() if key not in _OF_THE_SERVER}
    return {**obj, "metadata": metadata}
