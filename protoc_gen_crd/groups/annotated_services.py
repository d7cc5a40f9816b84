"""Annotated services: one file that describes several versions, with ranges on RPCs, messages, fields, and values.

Each version becomes files of its own, which are then the same as files that were written for each version. The versions
are API versions (`versions`), or microversions, whose files share one package for clients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Finding, Location, Place, Problems
from protoc_gen_crd.groups.group_model import get_version_module
from protoc_gen_crd.groups.served_microversions import MicroversionLine, read_line
from protoc_gen_crd.kubernetes.api_version_order import get_age_key, parse_version
from protoc_gen_crd.kubernetes.version_ranges import VersionRange, is_release
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, File, Message, Service
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.proto.version_files import find_invalid_file, make_version_request
from protoc_gen_crd.settings.settings import OverrideEntry


class AnnotatedService(Record):
    """A service with several versions, from oldest to newest, and the place of their list.

    `line` is the line of microversions; None for API versions.
    """

    service: Service
    file: File
    versions: tuple[str, ...]
    at: Place
    line: MicroversionLine | None = None


class VersionedRequest(Record):
    """A request in which the files of annotated services are replaced by those of each version.

    `originals` are the annotated files by the names of the new files, and `numbers` the microversions of these.
    """

    request: Request
    originals: Mapping[str, str]
    numbers: Mapping[str, str] = {}

    def list_protos(self) -> list[str]:
        """Return the new files that are written for clients: those of API versions."""
        return [name for name in self.originals if name not in self.numbers]

    def copy_overrides(self, overrides: Mapping[str, OverrideEntry]) -> dict[str, OverrideEntry]:
        """Return the overrides with those of annotated files also under the names of their versions."""
        files = self.request.files
        copies = {(files[old].package, files[new].package) for new, old in self.originals.items()}
        return {**overrides, **{
            new + name.removeprefix(old): entry
            for old, new in copies
            for name, entry in overrides.items()
            if f"{name}.".startswith(f"{old}.")
        }}  # fmt: skip

    def relocate(self, finding: Finding) -> Finding:
        """Return a finding about a file of a version with its place in the annotated file."""
        return finding.replace(at=self.find_original(finding.at)) if finding.at and self.originals else finding

    def find_original(self, place: Place) -> Place:
        """Return the place in the annotated file of a place in the file of a version; other places are kept."""
        at = place.resolve()
        original = self.originals.get(at.file)
        return Location(original, at.line, at.column) if original else place


def find_annotated_services(api: ApiSet, collector: MarkerCollector, problems: Problems) -> Iterator[AnnotatedService]:
    """Yield the services of the targets that define several versions. Invalid microversions are reported."""
    for file in api.list_targets():
        for service in api.list_services(file):
            for members in collector.collect(service).members:
                versions, line_values = members.values.get("versions"), members.values.get("microversions")
                if line_values:
                    at = members.get_place("microversions")
                    _check_conflicts(service, members.values, at, problems)
                    line = read_line(line_values, at, service.full_name, problems)
                    if line is not None:
                        yield AnnotatedService(service, file, line.numbers, at, line)
                elif versions:
                    names = sorted(dict.fromkeys(map(str, versions)), key=get_age_key)
                    yield AnnotatedService(service, file, tuple(names), members.get_place("versions"))


def _check_conflicts(service: Service, values: Mapping[str, Any], at: Place, problems: Problems) -> None:
    """Report options of a service that contradict its microversions."""
    for name, value, reason in (
        ("versions", values.get("versions"), "a service has versions or microversions"),
        ("unknown_fields", values.get("unknown_fields") == "drop", "microversions reject unknown fields"),
    ):
        if value:
            problem = f'options "microversions" and "{name}" of "{service.name}": {reason}'
            problems.report("microversion-range", problem, at, path=service.full_name, hint=f"remove {name}")


class VersionExpander:
    """Replaces the files of annotated services by those of their versions."""

    def __init__(self, api: ApiSet, collector: MarkerCollector, problems: Problems) -> None:
        self._api = api
        self._collector = collector
        self._problems = problems
        self._ranges: dict[str, tuple[VersionRange, ...]] = {}
        self._places: dict[str, Place] = {}

    def expand(self, request: Request) -> VersionedRequest:
        """Return the request with the files of all versions. Invalid versions are reported and left out."""
        originals: dict[str, str] = {}
        numbers: dict[str, str] = {}
        for annotated in find_annotated_services(self._api, self._collector, self._problems):
            package = [file for file in self._api.list_targets() if file.package == annotated.file.package]
            self._places = {}
            for file in package:
                self._read_ranges(file)
            if annotated.line is not None:
                self._check_ranges(annotated.line)
            else:
                self._check_presence(annotated)
            targets = set(request.targets)
            for version in annotated.versions:
                names = {file.name: _make_name(file.name, get_version_module(version)) for file in package}
                expanded = self._make_version(request, names, version, annotated)
                if expanded is not None:
                    request = expanded
                    originals |= {new_name: name for name, new_name in names.items()}
                    numbers |= dict.fromkeys(names.values(), version) if annotated.line else {}
            new_targets = {name for name in request.targets if name not in targets}
            kept = (targets | new_targets) - {file.name for file in package}
            request = request.replace(targets=tuple(sorted(kept)))
        return VersionedRequest(request, originals, numbers)

    def _make_version(
        self, request: Request, names: Mapping[str, str], version: str, annotated: AnnotatedService
    ) -> Request | None:
        problem, hint = "", ""
        if annotated.line is None and parse_version(version) is None:
            problem, hint = f'invalid version name "{version}"', "name it as v1alpha1, v1beta1, or v1"
        elif clash := [name for name in names.values() if name in request.files]:
            problem, hint = f'file "{clash[0]}" of version {version} exists already', "remove it from the inputs"
        if not problem:
            expanded = make_version_request(
                request.replace(targets=(*request.targets, *names)),
                names,
                get_version_module(version),
                lambda name: self._is_in(name, version),
            )
            error = find_invalid_file(expanded, names.values())
            if not error:
                return expanded
            problem = f"version {version} is not valid: {error}"
            hint = "change the ranges so that each version has the types and the values that it uses"
        self._problems.report("group-range", problem, annotated.at, path=annotated.service.full_name, hint=hint)
        return None

    def _is_in(self, full_name: str, version: str) -> bool:
        """Return whether an element is in a version. Ranges of releases do not apply to API versions."""
        ranges = self._ranges.get(full_name, ())
        return all(range_.contains(version) for range_ in ranges if range_.is_of_releases == is_release(version))

    def _check_ranges(self, line: MicroversionLine) -> None:
        """Report ranges of a package with microversions whose ends are not microversions of the line."""
        for name, place in self._places.items():
            for range_ in self._ranges[name]:
                for end in filter(None, (range_.since, range_.until)):
                    if end not in line.numbers:
                        problem = f'"{end}" is not a microversion from {line.minimum} to {line.maximum}'
                        hint = "change the range, or the option microversions of the service"
                        self._problems.report("microversion-range", problem, place, path=name, hint=hint)

    def _check_presence(self, annotated: AnnotatedService) -> None:
        """Report RPCs, and fields of their messages, that no version of the service has."""
        for name in self._list_elements(annotated.service):
            if name in self._ranges and not any(self._is_in(name, version) for version in annotated.versions):
                element = name.removeprefix(f"{annotated.file.package}.")
                problem = f'"{element}" is in no version of the service "{annotated.service.name}"'
                hint = f"change its range, or remove it; versions: {', '.join(annotated.versions)}"
                self._problems.report("group-range", problem, self._places[name], path=name, hint=hint)

    def _list_elements(self, service: Service) -> Iterator[str]:
        """Yield the full names of RPCs, their messages, and the fields of these."""
        names = [name for method in service.methods for name in (method.input_type, method.output_type)]
        yield from (method.full_name for method in service.methods)
        seen: set[str] = set()
        while names:
            message = self._api.find_message(names.pop())
            if message is not None and message.full_name not in seen:
                seen.add(message.full_name)
                yield message.full_name
                yield from (field.full_name for field in message.fields)
                names += [field.type_name for field in message.fields if field.kind == "message"]

    def _read_ranges(self, file: File) -> None:
        """Read the ranges of all elements of a file."""
        for service in self._api.list_services(file):
            for method in service.methods:
                self._read_method_range(method)
        names = [*file.messages]
        for enum in file.enums:
            self._read_enum(enum)
        while names:
            message = self._api.find_message(names.pop())
            if message is not None:
                self._read_message(message)
                names += message.messages

    def _read_message(self, message: Message) -> None:
        for element in (message, *message.fields):
            self._add(element)
        for name in message.enums:
            self._read_enum(name)

    def _read_enum(self, name: str) -> None:
        enum = self._api.find_enum(name)
        if enum is not None:
            self._add(enum)
            for value in enum.values:
                self._add(value, f"{enum.full_name}.{value.name}")

    def _add(self, element: Element, name: str = "") -> None:
        spans = self._collector.collect(element).spans
        if spans:
            self._ranges[name or element.full_name] = tuple([span.range for span in spans])
            self._places[name or element.full_name] = spans[0].at

    def _read_method_range(self, method: Element) -> None:
        for members in self._collector.collect(method).members:
            ends = [str(members.values.get(end, "")) for end in ("since", "until")]
            if any(ends):
                try:
                    self._ranges[method.full_name] = (VersionRange.make(*ends),)
                    self._places[method.full_name] = members.get_place("since" if ends[0] else "until")
                except ValueError as error:
                    at = members.get_place("since" if ends[0] else "until")
                    self._problems.report("version-range", str(error), at, path=method.full_name)


def _make_name(name: str, version: str) -> str:
    path = PurePosixPath(name)
    return str(path.parent / version / path.name)
