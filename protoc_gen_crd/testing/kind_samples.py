"""The samples of the kinds of a run: those that people wrote, judged, and for the rest ones made for their schemas.

One lies in the folder of samples for each served version and form, `widgets.acme.example/v1-full.yaml`. Other files
there are further ones by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.field_errors import format_error_body
from protoc_gen_crd.admission.objects.error_origins import find_error_place
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.documents.crd_definitions import CrdDefinition, CrdDefinitions
from protoc_gen_crd.emit.sample_yaml import format_sample
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.versions import format_minors, parse_minors
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.handwritten_samples import HandwrittenSample, read_handwritten

_MAX_MESSAGE_LENGTH = 400  # characters of an error message
_FORMS = {"minimal": False, "full": True}


class KindSample(Record):
    """A sample of a kind and version: its form, "" for further ones by hand, its file below the folder, its YAML."""

    group: str
    kind: str
    version: str
    form: str
    file: str
    text: str
    is_handwritten: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Group, kind and version."""
        return self.group, self.kind, self.version


class _RequiredSample(Record):
    """What a kind and version should have."""

    definition: CrdDefinition
    crd: Crd
    version: CrdVersion
    form: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Group, kind and version."""
        return self.crd.group, self.crd.names.kind, self.version.name

    @property
    def path(self) -> str:
        """What settings accept findings by."""
        return f"{self.crd.group}/{self.crd.names.kind}.{self.version.name}"

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.form} sample of {self.crd.group}/{self.version.name} {self.crd.names.kind}"


class _SampleError(Record):
    """What servers of some minor versions say of an object, and where that comes from."""

    minors: tuple[int, ...]
    text: str
    at: Place | None = None


def make_samples(
    crds: Sequence[Crd], settings: Settings, problems: Problems, paths: Mapping[str, str] | None = None
) -> tuple[KindSample, ...]:
    """The samples of Crds that servers take; see `collect_samples`. `paths` says where .proto files lie."""
    definitions = CrdDefinitions(parse_minors(settings.kubernetes))
    for crd in crds:
        definitions.add(crd, problems)
    return collect_samples(definitions, settings, problems, SourceFiles(paths))


def collect_samples(
    definitions: CrdDefinitions, settings: Settings, problems: Problems, sources: SourceFiles
) -> tuple[KindSample, ...]:
    """The samples of some kinds, by file. What is wrong with those by hand is reported, and where none is found."""
    wanted = dict(_list_required_samples(definitions))
    written = read_handwritten(definitions, Path(settings.samples), problems, sources)
    shown = {file: _check_handwritten(file, one, wanted.get(file), problems) for file, one in written.items()}
    maker = _SampleMaker(definitions.minors, settings, problems)
    for file in sorted(wanted):
        if file not in written:
            shown[file] = maker.make(file, wanted[file])
    return tuple([found for file in sorted(shown) if (found := shown[file]) is not None])


def _list_required_samples(definitions: CrdDefinitions) -> Iterator[tuple[str, _RequiredSample]]:
    """The samples that there should be, by file: of every version that servers take objects of."""
    for definition in definitions:
        crd = definition.crd
        for version in crd.versions if crd is not None else ():
            if crd is not None and version.served:
                for form in _FORMS:
                    yield f"{crd.name}/{version.name}-{form}.yaml", _RequiredSample(definition, crd, version, form)


def _check_handwritten(
    file: str, written: HandwrittenSample, wanted: _RequiredSample | None, problems: Problems
) -> KindSample | None:
    case = written.case
    if case is None:
        return None
    if wanted is not None and (case.group, case.kind, case.version) != wanted.key:
        message = f"expected a {wanted.name}, found {case.group}/{case.version} {case.kind}"
        problems.report("sample-file", message, case.get_place(("apiVersion",)), path=file)
    form = wanted.form if wanted is not None else ""
    return KindSample(case.group, case.kind, case.version, form, file, written.text, is_handwritten=True)


class _SampleMaker:
    """Makes samples that all the versions accept, guided by the newest, then by the oldest."""

    def __init__(self, asked: Sequence[int], settings: Settings, problems: Problems) -> None:
        self.minors, self.settings, self.problems = asked, settings, problems
        self._samplers = [
            Sampler(AdmissionServer(minors), deprecated=False) for minors in dict.fromkeys((asked[-1:], asked[:1]))
        ]

    def make(self, file: str, wanted: _RequiredSample) -> KindSample | None:
        """The sample, or a finding."""
        full = _FORMS[wanted.form]
        if full:
            self._check_examples(wanted)
        faults: list[_SampleError] = []
        for sampler in self._samplers:
            obj = sampler.generate_object(wanted.crd, wanted.version, full=full)
            found = list(self._find_errors(wanted, obj))
            if not found:
                if full:  # a minimal one need not show them
                    self._report_dropped(file, wanted, sampler)
                text = format_sample(obj, wanted.crd, wanted.version, full=full, header=self.settings.header)
                return KindSample(*wanted.key, wanted.form, file, text)
            faults += found
            if any(self.minors[-1] in fault.minors for fault in found):
                break  # another guide would find nothing else
        self._report_unsolved(file, wanted, faults[0])
        return None

    def _find_errors(self, wanted: _RequiredSample, obj: dict[str, Any]) -> Iterator[_SampleError]:
        """What servers say of an object."""
        schema = wanted.version.schema or Schema({})
        for answer in wanted.definition.validate(obj, None, self.minors, status=False):
            for said in answer.errors:
                at = find_error_place(said.error, schema, obj) if said.error else None
                yield _SampleError(answer.minors, said.text, at)
            yield from (_SampleError(answer.minors, text) for text in answer.unknown_fields)

    def _check_examples(self, wanted: _RequiredSample) -> None:
        """Report examples that API servers reject; samples do not use them."""
        sampler = self._samplers[0]
        for schema, example, error in sampler.find_bad_examples(wanted.version):
            reason = _truncate(format_error_body(error, sampler.validator.switches))
            problem = f"example {_truncate(bounded_json.format_json(example))} is rejected: {reason}"
            self.problems.report(
                "sample-example", problem, schema.get_place("example") or schema.origin, path=wanted.path
            )

    def _report_dropped(self, file: str, wanted: _RequiredSample, sampler: Sampler) -> None:
        """Report fields that the sample omits because no valid value was found."""
        for dropped, error in sampler.list_omitted_nodes():
            reason = _truncate(format_error_body(error, sampler.validator.switches))
            message = f'field "{dropped.name}" is missing in the {wanted.name}: no valid value found: {reason}'
            at = find_error_place(error, dropped.schema, dropped.nearest) or dropped.schema.origin
            hint = f"write the sample by hand: {Path(self.settings.samples) / file}"
            self.problems.report("sample-field", message, at, path=wanted.path, hint=hint)

    def _report_unsolved(self, file: str, wanted: _RequiredSample, fault: _SampleError) -> None:
        message = f"cannot generate a valid {wanted.name}: {_truncate(fault.text)}"
        if len(fault.minors) < len(self.minors):
            message += f" (Kubernetes {format_minors(sorted(fault.minors))})"
        hint = f"write the sample by hand: {Path(self.settings.samples) / file}"
        self.problems.report("sample-unsolved", message, fault.at or wanted.version.origin, path=wanted.path, hint=hint)


def _truncate(text: str) -> str:
    """Shorten a long error message."""
    return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:_MAX_MESSAGE_LENGTH]} ..."
