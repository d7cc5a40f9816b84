"""One pass over the stored objects of a kind: the server rewrites each unchanged at the storage version.

The request is an empty merge patch: the server reads the stored object, converts it, and writes it if the bytes differ.
The content of the object is never sent, so that nothing can be lost or reverted.

Source: k8s.io/apiserver pkg/endpoints/handlers/patch.go, pkg/storage/etcd3/store.go (GuaranteedUpdate);
k8s.io/kubernetes pkg/controller/storageversionmigrator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain

from protoc_gen_crd.cluster.api_server import (
    CONFLICT,
    FORBIDDEN,
    MERGE,
    METADATA,
    NOT_FOUND,
    OK,
    SERVER_ERROR,
    UNAUTHORIZED,
    ApiReply,
    ClusterError,
    Json,
)
from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.cluster.migration_outcomes import MigrationProgress, RewriteOutcome
from protoc_gen_crd.cluster.migration_state import FAILED, GONE, OTHERS, REWRITTEN, UNCHANGED, MigrationState
from protoc_gen_crd.cluster.object_pages import (
    ObjectPage,
    StoredObject,
    get_entry_version,
    list_versions,
    make_path,
    parse_object,
    read_page,
)
from protoc_gen_crd.cluster.rate_limit_and_retry import RequestThrottle

_MAX_BATCH_SIZE = (
    5  # objects that a thread takes at a time from a long page: a task for each would cost as much as half a request
)
_MAX_CONFLICTS = 5
_MAX_RESTARTS = 10  # limit for a list whose tokens always expire at once
_OWN_MANAGED_FIELDS = {
    "manager": "protoc-gen-crd",
    "operation": "Update",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:metadata": {"f:name": {}}},
}


class ObjectRewriter:
    """A pass over the objects of a CRD by several threads. It removes managedFields of `dropped` versions."""

    def __init__(
        self,
        throttle: RequestThrottle,
        crd: InstalledCrd,
        workers: int,
        *,
        dry: bool = False,
        dropped: Collection[str] = (),
    ) -> None:
        self._throttle, self._crd, self._workers, self._dropped = throttle, crd, workers, dropped
        self._version = list_versions(crd)[0]
        self._restarts = 0
        self._query = "?fieldManager=protoc-gen-crd" + ("&dryRun=All" if dry else "")

    def run(self, state: MigrationState, report_progress: Callable[[MigrationState], None]) -> MigrationState:
        """Rewrite all objects and return the final state; `report_progress` gets the state after each page.

        Raises:
            ClusterError: The server fails, or the list never ends.
        """
        with ThreadPoolExecutor(1) as lister, ThreadPoolExecutor(self._workers) as pool:
            try:
                return self._rewrite_pages(MigrationProgress(self._crd, state, report_progress), lister, pool)
            except BaseException:
                self._throttle.stop()
                pool.shutdown(cancel_futures=True)
                raise

    def _rewrite_pages(
        self, progress: MigrationProgress, lister: ThreadPoolExecutor, pool: ThreadPoolExecutor
    ) -> MigrationState:
        """Rewrite all pages. The next page is listed while a page is written, so that the server is never idle."""
        token = progress.state.token
        listing: Future[ObjectPage] | None = lister.submit(self._read_page, token)
        while listing is not None:
            page = self._get_page(listing, progress)
            self._check_end(page, token)
            token = page.token
            listing = lister.submit(self._read_page, token) if token else None
            progress.start_page(page, self._rewrite_page(page, pool))
        progress.finish_page()
        return progress.state

    def _read_page(self, token: str) -> ObjectPage:
        return read_page(self._throttle, self._crd, token, whole=bool(self._dropped))

    def _get_page(self, listing: Future[ObjectPage], progress: MigrationProgress) -> ObjectPage:
        """Wait for a page. Before an error is raised or the list restarts, the page in progress is finished."""
        try:
            page = listing.result()
        except ClusterError:
            progress.finish_page()
            raise
        return self._read_page("").replace(is_restarted=True) if page.is_restarted and progress.finish_page() else page

    def _check_end(self, page: ObjectPage, token: str) -> None:
        """Raise ClusterError for an endless list: one that repeats a page, or restarts too often."""
        self._restarts += page.is_restarted
        repeats = page.token == token != "" and not page.is_restarted  # a restarted list may have the same token
        if self._restarts > _MAX_RESTARTS or repeats:
            behavior = "returns the same page again" if repeats else "restarts each time"
            raise ClusterError(f"cannot list all objects of {self._crd.name}: the list {behavior}")

    def _rewrite_page(self, page: ObjectPage, pool: ThreadPoolExecutor) -> Iterable[RewriteOutcome]:
        """Start to rewrite the objects of a page, and return their outcomes, which block until they are available."""
        size = max(1, min(_MAX_BATCH_SIZE, len(page.objects) // (_MAX_BATCH_SIZE * self._workers)))
        batches = [page.objects[at : at + size] for at in range(0, len(page.objects), size)]
        return chain.from_iterable(
            pool.map(lambda batch: [self.rewrite(stored_object) for stored_object in batch], batches)
        )

    def rewrite(self, stored_object: StoredObject) -> RewriteOutcome:
        """Make the server rewrite an object. Raises ClusterError for failures that are not specific to the object."""
        reply = self._patch(stored_object, self._make_body(stored_object))
        if reply.code == OK:
            return RewriteOutcome(
                UNCHANGED if _get_resource_version(reply) == stored_object.resource_version else REWRITTEN
            )
        for _ in range(_MAX_CONFLICTS):
            if reply.code != CONFLICT:
                break
            # Another client has written it since, but perhaps through a server that has an older storage version.
            reply = self._patch(stored_object, self._make_retry_body(stored_object))
        if reply.code == CONFLICT:
            return self._resolve_conflict(stored_object, reply)
        if reply.code == OK and _get_resource_version(reply):
            return RewriteOutcome(OTHERS)
        if reply.code == NOT_FOUND and (reply.body.get("details") or {}).get("name"):
            return RewriteOutcome(GONE)
        if reply.code in (NOT_FOUND, UNAUTHORIZED):
            raise ClusterError(f"can no longer write {self._crd.plural} in {self._version}: {reply.message}")
        return RewriteOutcome(FAILED, reply.message, reply.code == FORBIDDEN or reply.code >= SERVER_ERROR)

    def _resolve_conflict(self, stored_object: StoredObject, conflict: ApiReply) -> RewriteOutcome:
        """Return the outcome for an object with repeated conflicts, which may be the response of a webhook."""
        reply = self._throttle.call("GET", make_path(self._crd, self._version, stored_object), accept=METADATA)
        if reply.code == OK and _get_resource_version(reply) != stored_object.resource_version:
            return RewriteOutcome(OTHERS)
        return RewriteOutcome(GONE) if reply.code == NOT_FOUND else RewriteOutcome(FAILED, conflict.message)

    def _make_body(self, stored_object: StoredObject) -> Json:
        metadata: Json = {"resourceVersion": stored_object.resource_version}
        kept = [entry for entry in stored_object.managed_fields if get_entry_version(entry) not in self._dropped]
        if len(kept) < len(stored_object.managed_fields):
            # Without any entry, servers would assign all fields to the first client that applies the object.
            metadata["managedFields"] = kept or [
                {**_OWN_MANAGED_FIELDS, "apiVersion": f"{self._crd.group}/{self._crd.storage}"}
            ]
        return {"metadata": metadata}

    def _make_retry_body(self, stored_object: StoredObject) -> Json:
        """Return the body after a conflict: without a resourceVersion unless managedFields are changed."""
        if not self._dropped:
            return {}
        reply = self._throttle.call("GET", make_path(self._crd, self._version, stored_object), accept=METADATA)
        return self._make_body(parse_object(reply.metadata)) if reply.code == OK else {}

    def _patch(self, stored_object: StoredObject, body: Json) -> ApiReply:
        path = f"{make_path(self._crd, self._version, stored_object)}{self._query}"
        return self._throttle.call("PATCH", path, body, content=MERGE, accept=METADATA)


def _get_resource_version(reply: ApiReply) -> str:
    """Return the resourceVersion in a reply. Raises ClusterError if it is not an object, as for a page of a proxy."""
    resource_version = reply.metadata.get("resourceVersion")
    if not isinstance(resource_version, str):
        raise ClusterError(f"the response is not an object: {reply.message}")
    return resource_version
