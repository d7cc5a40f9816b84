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

from protoc_gen_crd.cluster.api import (
    CONFLICT,
    FORBIDDEN,
    MERGE,
    METADATA,
    NOT_FOUND,
    OK,
    SERVER_ERROR,
    UNAUTHORIZED,
    ClusterError,
    Json,
    Reply,
)
from protoc_gen_crd.cluster.calling import Caller
from protoc_gen_crd.cluster.crds import Installed
from protoc_gen_crd.cluster.pages import Page, Seen, page, path_of, seen_in, version_of, versions_of
from protoc_gen_crd.cluster.progress import Outcome, Progress
from protoc_gen_crd.cluster.state import FAILED, GONE, OTHERS, REWRITTEN, UNCHANGED, State

_SHARE = 5  # objects that a thread takes at a time from a long page: to hand over each costs as much as half a request
_CONFLICTS = 5
_STARTS = 10  # of a list whose tokens always expire at once
_SEED = {
    "manager": "protoc-gen-crd",
    "operation": "Update",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:metadata": {"f:name": {}}},
}


class Rewriter:
    """A pass over the objects of one CRD, by several threads. Entries of managedFields of `dropped` versions go."""

    def __init__(
        self, caller: Caller, crd: Installed, workers: int, *, dry: bool = False, dropped: Collection[str] = ()
    ) -> None:
        self._caller, self._crd, self._workers, self._dropped = caller, crd, workers, dropped
        self._version = versions_of(crd)[0]
        self._starts = 0
        self._query = "?fieldManager=protoc-gen-crd" + ("&dryRun=All" if dry else "")

    def run(self, state: State, tell: Callable[[State], None]) -> State:
        """The state at the end; `tell` is given that after each page. Raises ClusterError."""
        with ThreadPoolExecutor(1) as lister, ThreadPoolExecutor(self._workers) as pool:
            try:
                return self._passed(Progress(self._crd, state, tell), lister, pool)
            except BaseException:
                self._caller.stop()
                pool.shutdown(cancel_futures=True)
                raise

    def _passed(self, progress: Progress, lister: ThreadPoolExecutor, pool: ThreadPoolExecutor) -> State:
        """While a page is being written the next one is listed and waits behind it, so that no server is ever idle."""
        token = progress.state.token
        listing: Future[Page] | None = lister.submit(self._page, token)
        while listing is not None:
            found = self._listed(listing, progress)
            self._check_end(found, token)
            token = found.token
            listing = lister.submit(self._page, token) if token else None
            progress.work_on(found, self._written(found, pool))
        progress.settle()
        return progress.state

    def _page(self, token: str) -> Page:
        return page(self._caller, self._crd, token, whole=bool(self._dropped))

    def _listed(self, listing: Future[Page], progress: Progress) -> Page:
        """A page, once it is there. What is being written is not lost by an error, nor met again by a list afresh."""
        try:
            found = listing.result()
        except ClusterError:
            progress.settle()
            raise
        return self._page("").replace(afresh=True) if found.afresh and progress.settle() else found

    def _check_end(self, found: Page, token: str) -> None:
        """Let no list go on for ever: each page must lead further, and what begins anew must come to its end."""
        self._starts += found.afresh
        stands = found.token == token != "" and not found.afresh  # a list that begins anew may come to the same token
        if self._starts > _STARTS or stands:
            how = "leads to the same page again" if stands else "begins anew each time"
            raise ClusterError(f"cannot list the objects of {self._crd.name} to their end: the list {how}")

    def _written(self, found: Page, pool: ThreadPoolExecutor) -> Iterable[Outcome]:
        """What becomes of the objects of a page, which are worked at from now on."""
        size = max(1, min(_SHARE, len(found.objects) // (_SHARE * self._workers)))
        shares = [found.objects[at : at + size] for at in range(0, len(found.objects), size)]
        return chain.from_iterable(pool.map(lambda share: [self.rewrite(seen) for seen in share], shares))

    def rewrite(self, seen: Seen) -> Outcome:
        """Let the server write an object. Raises ClusterError for what is not the object's fault."""
        reply = self._patched(seen, self._body(seen))
        if reply.code == OK:
            return Outcome(UNCHANGED if _version_in(reply) == seen.resource_version else REWRITTEN)
        for _ in range(_CONFLICTS):
            if reply.code != CONFLICT:
                break
            # Somebody has written it since, but perhaps through a server that does not know of the storage version yet.
            reply = self._patched(seen, self._body_again(seen))
        if reply.code == CONFLICT:
            return self._in_conflict(seen, reply)
        if reply.code == OK and _version_in(reply):
            return Outcome(OTHERS)
        if reply.code == NOT_FOUND and (reply.body.get("details") or {}).get("name"):
            return Outcome(GONE)
        if reply.code in (NOT_FOUND, UNAUTHORIZED):
            raise ClusterError(f"cannot write {self._crd.plural} in {self._version} any more: {reply.message}")
        return Outcome(FAILED, reply.message, reply.code == FORBIDDEN or reply.code >= SERVER_ERROR)

    def _in_conflict(self, seen: Seen, refusal: Reply) -> Outcome:
        """What has become of an object that is never there to be written: a webhook may say so of one that is."""
        reply = self._caller.call("GET", path_of(self._crd, self._version, seen), accept=METADATA)
        if reply.code == OK and _version_in(reply) != seen.resource_version:
            return Outcome(OTHERS)
        return Outcome(GONE) if reply.code == NOT_FOUND else Outcome(FAILED, refusal.message)

    def _body(self, seen: Seen) -> Json:
        metadata: Json = {"resourceVersion": seen.resource_version}
        kept = [entry for entry in seen.entries if version_of(entry) not in self._dropped]
        if len(kept) < len(seen.entries):
            # Of an object without any entry, servers would hold all fields to be those of whoever applies it first.
            metadata["managedFields"] = kept or [{**_SEED, "apiVersion": f"{self._crd.group}/{self._crd.storage}"}]
        return {"metadata": metadata}

    def _body_again(self, seen: Seen) -> Json:
        """After a conflict: without a resourceVersion, if nothing depends on it."""
        if not self._dropped:
            return {}
        reply = self._caller.call("GET", path_of(self._crd, self._version, seen), accept=METADATA)
        return self._body(seen_in(reply.metadata)) if reply.code == OK else {}

    def _patched(self, seen: Seen, body: Json) -> Reply:
        path = f"{path_of(self._crd, self._version, seen)}{self._query}"
        return self._caller.call("PATCH", path, body, content=MERGE, accept=METADATA)


def _version_in(reply: Reply) -> str:
    """The resourceVersion of an object that was answered with. Raises ClusterError where it is none: a proxy's page."""
    found = reply.metadata.get("resourceVersion")
    if not isinstance(found, str):
        raise ClusterError(f"the server must answer with an object, found {reply.message}")
    return found
