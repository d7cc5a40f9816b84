"""StorageVersionMigration objects in a cluster.

Only its conditions report whether a migration has succeeded: controllers trim status.storedVersions of the CRD also
after a failed migration.

Source: k8s.io/kubernetes pkg/controller/storageversionmigrator/migrationrunner.go (finishCRDMigration).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import FORBIDDEN, NOT_FOUND, ApiServer, Json, expect_code
from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.emit.storage_version_migrations import GROUPS, PLURAL

RUNNING, SUCCEEDED, FAILED = "Running", "Succeeded", "Failed"
POLL_INTERVAL = 1.0  # seconds


class StorageVersionMigration(Record):
    """A StorageVersionMigration: its API, name, creation time, and the messages of its true conditions by type."""

    api_version: str
    name: str
    created: datetime
    conditions: dict[str, str]

    @property
    def is_done(self) -> bool:
        """Return whether the migration has succeeded or failed."""
        return SUCCEEDED in self.conditions or FAILED in self.conditions

    @property
    def condition_text(self) -> str:
        """The true conditions with their messages, on one line."""
        conditions = [f"{kind}: {message}" if message else kind for kind, message in sorted(self.conditions.items())]
        return "; ".join(conditions) or "not started"


def find_migration(api: ApiServer, crd: InstalledCrd) -> StorageVersionMigration | None:
    """Return the newest migration of a kind; None if there is none. Raises ClusterError."""
    migrations = [migration for group in GROUPS for migration in _list_migrations(api, group, crd)]
    return max(migrations, key=lambda migration: (migration.created, migration.name), default=None)


def watch_migration(
    api: ApiServer, crd: InstalledCrd, pause: Callable[[float], bool]
) -> Iterator[StorageVersionMigration | None]:
    """Yield the migration repeatedly until it is done or missing, or until `pause` returns False."""
    while True:
        migration = find_migration(api, crd)
        yield migration
        if migration is None or migration.is_done or not pause(POLL_INTERVAL):
            return


def is_stale(migration: StorageVersionMigration, crd: InstalledCrd) -> bool:
    """Return whether the CRD has changed since, so that the migration may not cover its current storage version."""
    trimmed = crd.stored_versions == (crd.storage,)
    return not trimmed and crd.spec_changed_at is not None and migration.created < crd.spec_changed_at


def _list_migrations(api: ApiServer, group: str, crd: InstalledCrd) -> Iterator[StorageVersionMigration]:
    served = api.call("GET", f"/apis/{group}")
    if served.code in (NOT_FOUND, FORBIDDEN):
        return
    version = expect_code(served, f"get the versions of {group}").body["preferredVersion"]["version"]
    reply = expect_code(api.call("GET", f"/apis/{group}/{version}/{PLURAL}"), f"list {PLURAL}.{group}")
    for item in reply.body["items"]:
        resource = item["spec"]["resource"]
        if (resource.get("group"), resource.get("resource")) == (crd.group, crd.plural):
            yield _parse_migration(item, f"{group}/{version}")


def _parse_migration(item: Json, api_version: str) -> StorageVersionMigration:
    metadata, conditions = item["metadata"], (item.get("status") or {}).get("conditions") or ()
    true_conditions = [condition for condition in conditions if condition["status"] == "True"]
    messages = {
        condition["type"]: condition.get("message") or condition.get("reason") or "" for condition in true_conditions
    }
    return StorageVersionMigration(
        api_version, metadata["name"], datetime.fromisoformat(metadata["creationTimestamp"]), messages
    )
