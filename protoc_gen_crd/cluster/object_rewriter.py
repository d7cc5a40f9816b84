"""One pass over the stored objects of a kind: each is written again by its server, unchanged, at the storage version.

The request is a merge patch without content: the server reads what is stored, converts it, and writes it if the bytes
differ. Nothing of the object comes here and goes back, so nothing can be lost on the way or set back to how it was.
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
from protoc_gen_crd.cluster.migration_progress import MigrationProgress, RewriteOutcome
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
from protoc_gen_crd.cluster.request_throttle import RequestThrottle

_MAX_BATCH_SIZE = (
    5  # objects that a thread takes at a time from a long page: to hand over each costs as much as half a request
)
_MAX_CONFLICTS = 5
_MAX_RESTARTS = 10  # of a list whose tokens always expire at once
_OWN_MANAGED_FIELDS = {
    "manager": "protoc-gen-crd",
    "operation": "Update",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:metadata": {"f:name": {}}},
}


class ObjectRewriter:
    """A pass over the objects of one CRD, by several threads. Entries of managedFields of `dropped` versions go."""

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
        """While a page is being written the next one is listed and waits behind it, so that no server is ever idle."""
        token = progress.state.token
        listing: Future[ObjectPage] | None = lister.submit(self._read_page, token)
        while listing is not None:
            found = self._get_page(listing, progress)
            self._check_end(found, token)
            token = found.token
            listing = lister.submit(self._read_page, token) if token else None
            progress.start_page(found, self._rewrite_page(found, pool))
        progress.finish_page()
        return progress.state

    def _read_page(self, token: str) -> ObjectPage:
        return read_page(self._throttle, self._crd, token, whole=bool(self._dropped))

    def _get_page(self, listing: Future[ObjectPage], progress: MigrationProgress) -> ObjectPage:
        """A page, once it is there. What is being written is not lost by an error, nor met again by a list afresh."""
        try:
            found = listing.result()
        except ClusterError:
            progress.finish_page()
            raise
        return (
            self._read_page("").replace(is_restarted=True) if found.is_restarted and progress.finish_page() else found
        )

    def _check_end(self, found: ObjectPage, token: str) -> None:
        """Let no list go on for ever: each page must lead further, and what begins anew must come to its end."""
        self._restarts += found.is_restarted
        stands = (
            found.token == token != "" and not found.is_restarted
        )  # a list that begins anew may come to the same token
        if self._restarts > _MAX_RESTARTS or stands:
            how = "returns the same page again" if stands else "restarts each time"
            raise ClusterError(f"cannot list all objects of {self._crd.name}: the list {how}")

    def _rewrite_page(self, found: ObjectPage, pool: ThreadPoolExecutor) -> Iterable[RewriteOutcome]:
        """What becomes of the objects of a page, which are worked at from now on."""
        size = max(1, min(_MAX_BATCH_SIZE, len(found.objects) // (_MAX_BATCH_SIZE * self._workers)))
        shares = [found.objects[at : at + size] for at in range(0, len(found.objects), size)]
        return chain.from_iterable(pool.map(lambda share: [self.rewrite(seen) for seen in share], shares))

    def rewrite(self, seen: StoredObject) -> RewriteOutcome:
        """Let the server write an object. Raises ClusterError for what is not the object's fault."""
        reply = self._patch(seen, self._make_body(seen))
        if reply.code == OK:
            return RewriteOutcome(UNCHANGED if _get_resource_version(reply) == seen.resource_version else REWRITTEN)
        for _ in range(_MAX_CONFLICTS):
            if reply.code != CONFLICT:
                break
            # Somebody has written it since, but perhaps through a server that does not know of the storage version yet.
            reply = self._patch(seen, self._make_retry_body(seen))
        if reply.code == CONFLICT:
            return self._resolve_conflict(seen, reply)
        if reply.code == OK and _get_resource_version(reply):
            return RewriteOutcome(OTHERS)
        if reply.code == NOT_FOUND and (reply.body.get("details") or {}).get("name"):
            return RewriteOutcome(GONE)
        if reply.code in (NOT_FOUND, UNAUTHORIZED):
            raise ClusterError(f"can no longer write {self._crd.plural} in {self._version}: {reply.message}")
        return RewriteOutcome(FAILED, reply.message, reply.code == FORBIDDEN or reply.code >= SERVER_ERROR)

    def _resolve_conflict(self, seen: StoredObject, refusal: ApiReply) -> RewriteOutcome:
        """What has become of an object that is never there to be written: a webhook may say so of one that is."""
        reply = self._throttle.call("GET", make_path(self._crd, self._version, seen), accept=METADATA)
        if reply.code == OK and _get_resource_version(reply) != seen.resource_version:
            return RewriteOutcome(OTHERS)
        return RewriteOutcome(GONE) if reply.code == NOT_FOUND else RewriteOutcome(FAILED, refusal.message)

    def _make_body(self, seen: StoredObject) -> Json:
        metadata: Json = {"resourceVersion": seen.resource_version}
        kept = [entry for entry in seen.managed_fields if get_entry_version(entry) not in self._dropped]
        if len(kept) < len(seen.managed_fields):
            # Of an object without any entry, servers would hold all fields to be those of whoever applies it first.
            metadata["managedFields"] = kept or [
                {**_OWN_MANAGED_FIELDS, "apiVersion": f"{self._crd.group}/{self._crd.storage}"}
            ]
        return {"metadata": metadata}

    def _make_retry_body(self, seen: StoredObject) -> Json:
        """After a conflict: without a resourceVersion, if nothing depends on it."""
        if not self._dropped:
            return {}
        reply = self._throttle.call("GET", make_path(self._crd, self._version, seen), accept=METADATA)
        return self._make_body(parse_object(reply.metadata)) if reply.code == OK else {}

    def _patch(self, seen: StoredObject, body: Json) -> ApiReply:
        path = f"{make_path(self._crd, self._version, seen)}{self._query}"
        return self._throttle.call("PATCH", path, body, content=MERGE, accept=METADATA)


def _get_resource_version(reply: ApiReply) -> str:
    """The resourceVersion of an object that was answered with. Raises ClusterError where it is none: a proxy's page."""
    found = reply.metadata.get("resourceVersion")
    if not isinstance(found, str):
        raise ClusterError(f"the response is not an object: {reply.message}")
    return found
