"""Values of all options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Place

if TYPE_CHECKING:
    from protoc_gen_crd.findings.severity_policy import PolicyEntry
    from protoc_gen_crd.kubernetes.deprecation_policy import Term


class TypeEntry(Record):
    """One entry of `types`: the schema as plain data, and a function that locates paths of it."""

    schema: Mapping[str, Any]
    places: Callable[[tuple[str | int, ...]], Location | None]


class OverrideEntry(Record):
    """One entry of `overrides`: the markers as plain data, and a function that locates paths of it."""

    values: Mapping[str, Any]
    places: Callable[[tuple[str | int, ...]], Location]


class ConversionsEntry(Record):
    """One entry of `conversions`: the list as plain data, and a function that locates paths of it."""

    conversions: Sequence[Any]
    places: Callable[[tuple[str | int, ...]], Location]


class HubEntry(Record):
    """One entry of `hub_versions` or `group_hubs`: the version and its place."""

    version: str
    at: Location


class Settings(Record):
    """The values of all options. `places` has the places of those set in a file."""

    compat: str = ""
    report: str = ""
    include_description: bool = True
    max_description_length: int | None = None
    enum_as_int_or_string: bool = False
    int64_as: str = "integer"
    embedded_object_meta: bool = False
    oneof: str = "classic"
    ignored_options: tuple[str, ...] = ()
    resource_shape: str = "spec"
    format: str = "yaml"
    bundle: str = ""
    header: str = ""
    kubernetes: str = ""
    release: str = ""
    channel: str = ""
    channels: tuple[str, ...] = ("stable", "extended")
    channel_fields: str = "policy"
    policy_existing: str = "allow"
    policy_failure: str = "Fail"
    policy_namespaces: Mapping[str, Any] = {}
    policy_switch: str = ""
    converters: str = ""
    imported_converters: tuple[str, ...] = ()
    conversion_rules: tuple[str, ...] = ()
    conversions: Mapping[str, ConversionsEntry] = {}
    hub_versions: Mapping[str, HubEntry] = {}
    groups: str = ""
    group_hubs: Mapping[str, HubEntry] = {}
    group_servers: str = "asyncio"
    webhook_service: str = ""
    webhook_url: str = ""
    webhook_ca: str = ""
    kcp: str = ""
    kcp_prefix: str = ""
    node_limit: int = 50_000
    byte_limit: int = 1_572_864
    types: Mapping[str, TypeEntry] = {}
    overrides: Mapping[str, OverrideEntry] = {}
    findings: tuple[PolicyEntry, ...] = ()
    settings: str = ""
    dump_request: str = ""
    inputs: tuple[str, ...] = ()
    import_paths: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    out: str = "crds"
    check: bool = False
    prune: bool = False
    fail_on: str = "error"
    format_findings: str = "text"
    color: str = "auto"
    quiet: bool = False
    verbose: bool = False
    documents: tuple[str, ...] = ()
    field_validation: str = "warn"
    strict_kinds: bool = False
    skip_kinds: tuple[str, ...] = ()
    coverage: float | None = None
    old: tuple[str, ...] = ()
    update: bool = False
    jobs: int = 1
    json: bool = False
    against: str = ""
    count: int = 2000
    time: int = 0
    seed: int = 0
    timeout: int = 10
    ca_file: str = ""
    insecure: bool = False
    found: str = "fuzz"
    corpus: str = "corpus"
    form: str = "yaml"
    history: str = "history"
    to: str = ""
    write: bool = False
    diff: bool = False
    prove: bool = False
    plan: bool = False
    deprecation_policy: Mapping[str, Term] = {}
    samples: str = "samples"
    docs: str = "docs/api"
    manifests: str = "manifests"
    image: str = ""
    cluster: bool = False
    address: str = ""
    port: int = 8443
    certificates: str = "/tls"
    workers: int = 1
    concurrency: int = 256
    body_limit: int = 33_554_432
    read_timeout: int = 10
    idle_timeout: int = 120
    drain: int = 5
    kubeconfig: str = ""
    context: str = ""
    emit: str = ""
    wait: bool = False
    dry_run: bool = False
    rate: int = 500
    parallel: int = 8
    settle: int = 10
    drop_managed: tuple[str, ...] = ()
    state: str = "protoc-gen-crd-migrate.json"
    places: Mapping[str, Place] = {}

    def is_beyond(self, channel: str) -> bool:
        """Return whether a channel comes after the selected one; False for an empty name."""
        order = self.channels
        return channel in order and self.channel in order and order.index(channel) > order.index(self.channel)

    @property
    def output_folders(self) -> tuple[str, ...]:
        """The folders that commands write to; their files are not inputs."""
        return self.out, self.samples, self.docs, self.history, self.manifests
