"""Values of all options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Place
from protoc_gen_crd.settings.plugin_option_table import PLUGIN_OPTIONS

if TYPE_CHECKING:
    from protoc_gen_crd.findings.severity_policy import PolicyEntry
    from protoc_gen_crd.kubernetes.deprecation_policy import Term

_PIPES = ("/dev/fd/", "/dev/stdin", "/proc/")  # /dev/shm contains files


class TypeEntry(Record):
    """One entry of `types`: the schema as unchecked plain data, and a function that locates paths of it."""

    schema: Any
    places: Callable[[tuple[str | int, ...]], Location | None]


class OverrideEntry(Record):
    """One entry of `overrides`: the markers as unchecked plain data, and a function that locates paths of it.

    `read_word` returns the number or boolean at a path as written, None if it is unknown.
    """

    values: Any
    places: Callable[[tuple[str | int, ...]], Location]
    read_word: Callable[[tuple[str | int, ...]], str] | None = None


class ConversionsEntry(Record):
    """One entry of `conversions`: the list as plain data, and a function that locates paths of it."""

    conversions: Sequence[Any]
    places: Callable[[tuple[str | int, ...]], Location]


class HubEntry(Record):
    """One entry of `hub_versions` or `group_hubs`: the version and its place."""

    version: str
    at: Location


def get_settings_folder(file: str) -> str:
    """Return the folder that paths of a settings file are relative to: its own, or the working folder for a pipe."""
    return "" if file.startswith(_PIPES) else os.path.dirname(file)  # noqa: PTH120 - keeps the path as written


def _list_defaults(folder: str) -> dict[str, Any]:
    return {**{name: option.get_default(folder) for name, option in PLUGIN_OPTIONS.items()}, "places": {}}


_DEFAULTS = _list_defaults("")


class Settings(Record):
    """The values of all options. `places` has the places of those set in a file.

    `plugin_option_table` and `command_option_table` have the default of each option. The latter is only
    loaded by commands. Paths among the defaults are relative to the folder of the settings file.
    """

    compat: str
    report: str
    include_description: bool
    max_description_length: int | None
    enum_as_int_or_string: bool
    int64_as: str
    embedded_object_meta: bool
    oneof: str
    ignored_options: tuple[str, ...]
    resource_shape: str
    format: str
    bundle: str
    header: str
    kubernetes: str
    release: str
    channel: str
    channels: tuple[str, ...]
    channel_fields: str
    policy_existing: str
    policy_failure: str
    policy_namespaces: Mapping[str, Any]
    policy_switch: str
    release_guard: str
    converters: str
    conversion_rules: tuple[str, ...]
    conversions: Mapping[str, ConversionsEntry]
    hub_versions: Mapping[str, HubEntry]
    groups: str
    group_hubs: Mapping[str, HubEntry]
    group_servers: str
    microversion_header: str
    microversion_notes: str
    microversion_protos: tuple[str, ...]
    webhook_service: str
    webhook_url: str
    webhook_ca: str
    kcp: str
    kcp_prefix: str
    node_limit: int
    byte_limit: int
    types: Mapping[str, TypeEntry]
    overrides: Mapping[str, OverrideEntry]
    findings: tuple[PolicyEntry, ...]
    settings: str
    dump_request: str
    fail_on: str
    old: tuple[str, ...]
    profile: str
    profiles: Mapping[str, str]
    history: str
    inputs: tuple[str, ...]
    import_paths: tuple[str, ...]
    targets: tuple[str, ...]
    out: str
    check: bool
    prune: bool
    format_findings: str
    color: str
    quiet: bool
    verbose: bool
    documents: tuple[str, ...]
    field_validation: str
    strict_kinds: bool
    skip_kinds: tuple[str, ...]
    coverage: float | None
    artifacts: bool
    explain: bool
    notes: str
    update: bool
    jobs: int
    json: bool
    on: str
    schema: str
    against: str
    count: int
    time: int
    seed: int
    timeout: int
    ca_file: str
    insecure: bool
    disagreements: str
    corpus: str
    form: str
    converter_packages: tuple[str, ...]
    to: str
    write: bool
    diff: bool
    prove: bool
    plan: bool
    deprecation_policy: Mapping[str, Term]
    samples: str
    docs: str
    schemas: str
    modeline: bool
    html: bool
    manifests: str
    image: str
    cluster: bool
    address: str
    port: int
    certificates: str
    workers: int
    concurrency: int
    body_limit: int
    read_timeout: int
    idle_timeout: int
    drain: int
    kubeconfig: str
    context: str
    emit: str
    wait: bool
    dry_run: bool
    rate: int
    parallel: int
    settle: int
    drop_managed: tuple[str, ...]
    state: str
    places: Mapping[str, Place]

    def __init__(self, **values: Any) -> None:
        """Set the values of options by name, and the defaults of the others. Raises AttributeError for other names."""
        folder = get_settings_folder(values.get("settings", ""))
        for name, value in {**(_list_defaults(folder) if folder else _DEFAULTS), **values}.items():
            setattr(self, name, value)

    if not TYPE_CHECKING:  # so that mypy finds unknown names

        def __getattr__(self, name: str) -> Any:
            """Return the default of an option that only commands read, and set it."""
            # Plugin runs do not need it.
            from protoc_gen_crd.settings.command_option_table import COMMAND_OPTIONS  # noqa: PLC0415

            if name not in COMMAND_OPTIONS:
                raise AttributeError(f"no option {name}", name=name, obj=self)
            setattr(self, name, COMMAND_OPTIONS[name].get_default(get_settings_folder(self.settings)))
            return getattr(self, name)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed. Defaults of options that are not loaded stay so."""
        values: dict[str, Any] = {}
        for name in type(self)._fields:
            try:
                values[name] = object.__getattribute__(self, name)
            except AttributeError:  # `suppress` takes five times as long
                continue
        return type(self)(**{**values, **changes})

    def is_beyond(self, channel: str) -> bool:
        """Return whether a channel comes after the selected one; False for an empty name."""
        order = self.channels
        return channel in order and self.channel in order and order.index(channel) > order.index(self.channel)

    @property
    def api_inputs(self) -> tuple[str, ...]:
        """The default inputs of commands that read an API: `inputs`, or the CRDs in `documents` without them."""
        return self.inputs or self.documents

    @property
    def output_folders(self) -> tuple[str, ...]:
        """The folders that commands write to; their files are not inputs."""
        return self.out, self.samples, self.docs, self.schemas, self.history, self.manifests, self.notes
