"""Discovery of API groups: the services of a request, their groups and versions, and the RPCs of all versions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.groups.deprecation_notices import find_deprecation, find_package_deprecation, find_version_notice
from protoc_gen_crd.groups.group_model import GroupVersion, ServiceGroup
from protoc_gen_crd.groups.rpcs import merge_rpcs
from protoc_gen_crd.groups.served_microversions import MicroversionLine, VersionMetadata, read_line
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.kubernetes.version_ranges import is_release, parse_release
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.override_place import is_overridden
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import File, Service
from protoc_gen_crd.settings.settings import Settings

_VERSION = re.compile(r"v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?")
_VERSION_LIKE = re.compile(r"v[0-9]\w*")
_VERSION_HINT = "name it as v1alpha1, v1beta1, or v1"


class ServiceOptions(Record):
    """The options of a service, and the place of each."""

    values: Mapping[str, Any]
    places: Mapping[str, Place]


class _DiscoveredService(Record):
    group: str
    version: str
    service: Service
    file: File
    options: ServiceOptions


class GroupDiscovery:
    """Finds the groups of a request. `generated` are the files of the versions of annotated services."""

    def __init__(
        self,
        api: ApiSet,
        collector: MarkerCollector,
        settings: Settings,
        problems: Problems,
        generated: Collection[str] = (),
    ) -> None:
        self._api = api
        self._collector = collector
        self._settings = settings
        self._problems = problems
        self._generated = generated

    def find_groups(self) -> list[ServiceGroup]:
        """Return the groups by name. Groups with invalid services are reported and left out."""
        groups: dict[str, dict[str, _DiscoveredService]] = {}
        for file in self._api.list_targets():
            for service in self._read_services(file):
                self._add(groups.setdefault(service.group, {}), service)
        self._check_imports(groups)
        self._check_settings(groups)
        return [self._build_group(name, list(groups[name].values())) for name in sorted(groups)]

    def _read_services(self, file: File) -> Iterator[_DiscoveredService]:
        for service in self._api.list_services(file):
            options = self._read_options(service)
            if options.values.keys() & {"versions", "microversions"} and file.name not in self._generated:
                continue  # its versions have files of their own
            version = self._find_version(file, service, options)
            group = self._find_group(file, service, options, version) if version else ""
            if group:
                yield _DiscoveredService(group, version, service, file, options)

    def _read_options(self, service: Service) -> ServiceOptions:
        values: dict[str, Any] = {}
        places: dict[str, Place] = {}
        for members in self._collector.collect(service).members:
            values |= members.values
            places |= {name: members.get_place(name) for name in members.values}
        return ServiceOptions(values, places)

    def _find_option(self, file: File, options: ServiceOptions, name: str) -> str:
        """Return an option of a service, or else of its package, whose override takes precedence."""
        value, place = str(options.values.get(name, "")), options.places.get(name)
        package = next((part for part in self._collector.collect_package(file) if name in part.values), None)
        if package is None or (value and not is_overridden(place, package.get_place(name))):
            return value
        return str(package.values[name])

    def _get_folders(self, file: File) -> tuple[str, ...]:
        return PurePosixPath(self._api.paths.get(file.name, file.name)).parts[:-1]

    def _find_version(self, file: File, service: Service, options: ServiceOptions) -> str:
        """Return the version of a service; empty, with a finding, if there is none."""
        if "microversions" in options.values:
            return file.package.rpartition(".")[2].removeprefix("v").replace("_", ".")
        declared = self._find_option(file, options, "version")
        folders = self._get_folders(file)
        derived = (file.package.rpartition(".")[2], folders[-1] if folders else "")
        names = [declared] if declared else [name for name in derived if _VERSION_LIKE.fullmatch(name)]
        version = next((name for name in names if _VERSION.fullmatch(name)), "")
        if not version:
            at = options.places.get("version", service.at)
            problem = f'invalid version name "{names[0]}"' if names else f'service "{service.name}" has no version'
            hint = (
                _VERSION_HINT
                if names
                else f"end its package with the version, or set the option version; {_VERSION_HINT}"
            )
            self._problems.report("group-version", problem, at, path=service.full_name, hint=hint)
        return version

    def _find_group(self, file: File, service: Service, options: ServiceOptions, version: str) -> str:
        """Return the group of a service; empty, with a finding, if there is none."""
        declared = self._find_option(file, options, "group")
        folders, parts = self._get_folders(file), file.package.split(".")
        in_folder = folders[-2] if len(folders) > 1 and folders[-1] == version else ""
        in_package = parts[-2] if len(parts) > 1 and parts[-1] == version else ""
        if is_release(version):  # a package such as `acme.volume.v3` without its API version
            in_package = next((part for part in reversed(parts[:-1]) if not _VERSION.fullmatch(part)), "")
        group = declared or in_folder or in_package
        if not group:
            problem = f'service "{service.name}" has no group'
            hint = "move the file to a folder GROUP/VERSION, or set the option group of the service"
            self._problems.report("group-name", problem, service.at, path=service.full_name, hint=hint)
        return group

    def _add(self, versions: dict[str, _DiscoveredService], service: _DiscoveredService) -> None:
        other = versions.setdefault(service.version, service)
        if other is not service:
            problem = f'version "{service.version}" of group "{service.group}" has two services: '
            problem += f'"{other.service.full_name}" and "{service.service.full_name}"'
            hint = "move one of them to another group or version"
            self._problems.report(
                "group-service", problem, service.service.at, path=service.service.full_name, hint=hint
            )

    def _check_imports(self, groups: Mapping[str, Mapping[str, _DiscoveredService]]) -> None:
        """Report services of the groups in files that are imported, but not generated."""
        problems, self._problems = self._problems, Problems()
        others = [service for file in self._api.list_imports() for service in self._read_services(file)]
        self._problems = problems
        for service in others:
            if service.group in groups:
                name = service.service.full_name
                problem = f'service "{name}" of group "{service.group}" is in a file that is only imported'
                hint = f'add "{service.file.name}" to the inputs'
                self._problems.report(
                    "group-service", problem, service.service.at, path=service.service.full_name, hint=hint
                )

    def _check_settings(self, groups: Mapping[str, object]) -> None:
        for name, entry in self._settings.group_hubs.items():
            if name not in groups:
                hint = self._problems.suggest(name, groups)
                self._problems.report("group-hub", f'unknown group "{name}" in "group_hubs"', entry.at, hint=hint)

    def _build_group(self, name: str, services: Sequence[_DiscoveredService]) -> ServiceGroup:
        ordered = sorted(services, key=lambda service: parse_release(service.version) or get_age_key(service.version))
        versions = tuple([self._build_version(index, service) for index, service in enumerate(ordered)])
        key, _, form = self._settings.microversion_header.partition(": ")
        header = VersionMetadata(key, form)
        self._check_deprecations(ordered)
        rpcs = merge_rpcs(name, versions, self._collector, self._problems)
        return ServiceGroup(name, versions, rpcs, self._find_hub(name, ordered), self._find_line(ordered[0]), header)

    def _find_line(self, oldest: _DiscoveredService) -> MicroversionLine | None:
        """Return the line of a group of microversions; None for API versions."""
        values = oldest.options.values.get("microversions")
        return read_line(values, oldest.service.at, oldest.service.full_name, Problems()) if values else None

    def _check_deprecations(self, services: Sequence[_DiscoveredService]) -> None:
        """Report deprecated versions that the group does not have, once for all versions of an annotated service."""
        names = [service.version for service in services]
        reported = set()
        for service in services:
            for entry in service.options.values.get("deprecated_versions", ()):
                name = str(entry.get("version", ""))
                if name not in names and name not in reported:
                    reported.add(name)
                    problem = f'deprecated_versions names "{name}", which group "{service.group}" does not have'
                    hint = self._problems.suggest(name, names) or f"versions: {', '.join(names)}"
                    at = service.options.places["deprecated_versions"]
                    self._problems.report("group-version", problem, at, path=service.service.full_name, hint=hint)

    def _build_version(self, index: int, service: _DiscoveredService) -> GroupVersion:
        values = service.options.values
        deprecated = find_deprecation(service.service, self._collector) or find_package_deprecation(service.file)
        line = self._find_line(service)
        if line is not None:
            deprecated = deprecated or line.describe_deprecation(service.version)
        deprecated = deprecated or find_version_notice(values.get("deprecated_versions", ()), service.version)
        return GroupVersion(
            index,
            service.version,
            service.file.package,
            service.service,
            deprecated,
            str(values.get("endpoint", "")),
            line is not None or values.get("unknown_fields") == "reject",
            service.file.name in self._generated,
            values.get("policy") or {},
            service.file.package.rpartition(".")[0] if line is not None else None,
        )

    def _find_hub(self, name: str, services: Sequence[_DiscoveredService]) -> int:
        """Return the index of the hub version: the one that an option or setting names, or the newest."""
        versions = [service.version for service in services]
        entry = self._settings.group_hubs.get(name)
        named: list[tuple[str, Place]] = [(entry.version, entry.at)] if entry else []
        named += [
            (str(service.options.values["hub"]), service.options.places["hub"])
            for service in services
            if "hub" in service.options.values
        ]
        for version, at in named:
            if version not in versions:
                problem = f'group "{name}" has no version "{version}"'
                hint = self._problems.suggest(version, versions) or f"versions: {', '.join(versions)}"
                self._problems.report("group-hub", problem, at, hint=hint)
        known = [version for version, _ in named if version in versions]
        if len({*known}) > 1 and not entry:
            problem = f'group "{name}" has two hub versions: {" and ".join(dict.fromkeys(known))}'
            self._problems.report("group-hub", problem, named[-1][1], hint="set the option hub once")
        return versions.index(known[0]) if known else len(versions) - 1
