"""The samples of the kinds of a run: handwritten samples, which are validated, and otherwise generated samples.

The folder of samples has a file for each served version and form, such as `widgets.acme.example/v1-full.yaml`. Other
files in it are additional handwritten samples.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause, format_error_body
from protoc_gen_crd.admission.objects.error_origins import find_error_place
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.documents.crd_definitions import CrdDefinition, CrdDefinitions
from protoc_gen_crd.emit.editor_schemas import get_schema_path
from protoc_gen_crd.emit.sample_yaml import format_sample
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.supported_versions import format_minors, parse_minors
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.handwritten_samples import HandwrittenSample, read_handwritten

_MAX_MESSAGE_LENGTH = 400  # characters of an error message
_FORMS = {"minimal": False, "full": True}


class KindSample(Record):
    """A sample of a kind and version: its form, empty for additional samples; its relative path; its YAML."""

    group: str
    kind: str
    version: str
    form: str
    file: str
    text: str
    is_handwritten: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """The group, kind, and version."""
        return self.group, self.kind, self.version


class _RequiredSample(Record):
    """A sample that a kind and version should have."""

    definition: CrdDefinition
    crd: Crd
    version: CrdVersion
    form: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The group, kind, and version."""
        return self.crd.group, self.crd.names.kind, self.version.name

    @property
    def path(self) -> str:
        """The path of findings, by which settings suppress them."""
        return f"{self.crd.group}/{self.crd.names.kind}.{self.version.name}"

    @property
    def name(self) -> str:
        """The name of the sample in messages."""
        return f"{self.form} sample of {self.crd.group}/{self.version.name} {self.crd.names.kind}"


def make_samples(
    crds: Sequence[Crd], settings: Settings, problems: Problems, paths: Mapping[str, str] | None = None
) -> tuple[KindSample, ...]:
    """Return the samples of generated CRDs; see `collect_samples`. `paths` are the paths of .proto files by name."""
    definitions = CrdDefinitions(parse_minors(settings.kubernetes))
    for crd in crds:
        definitions.add(crd, problems)
    return collect_samples(definitions, settings, problems, SourceFiles(paths))


def collect_samples(
    definitions: CrdDefinitions, settings: Settings, problems: Problems, sources: SourceFiles
) -> tuple[KindSample, ...]:
    """Return the samples of all kinds, sorted by file. Report invalid handwritten samples, and missing samples."""
    required = dict(_list_required_samples(definitions))
    handwritten = read_handwritten(definitions, Path(settings.samples), problems, sources)
    samples = {
        file: _check_handwritten(file, sample, required.get(file), problems) for file, sample in handwritten.items()
    }
    generator = _SampleMaker(definitions.minors, settings, problems)
    for file in sorted(required):
        if file not in handwritten:
            samples[file] = generator.make(file, required[file])
    return tuple([sample_or_none for file in sorted(samples) if (sample_or_none := samples[file]) is not None])


def _list_required_samples(definitions: CrdDefinitions) -> Iterator[tuple[str, _RequiredSample]]:
    """Yield the required samples with their files, for every served version."""
    for definition in definitions:
        crd = definition.crd
        for version in crd.versions if crd is not None else ():
            if crd is not None and version.served:
                for form in _FORMS:
                    yield f"{crd.name}/{version.name}-{form}.yaml", _RequiredSample(definition, crd, version, form)


def _check_handwritten(
    file: str, handwritten: HandwrittenSample, required: _RequiredSample | None, problems: Problems
) -> KindSample | None:
    case = handwritten.case
    if case is None:
        return None
    if required is not None and (case.group, case.kind, case.version) != required.key:
        message = f"expected a {required.name}, found {case.group}/{case.version} {case.kind}"
        problems.report("sample-file", message, case.get_place(("apiVersion",)), path=file)
    form = required.form if required is not None else ""
    return KindSample(case.group, case.kind, case.version, form, file, handwritten.text, is_handwritten=True)


class _SampleMaker:
    """Generates samples that all Kubernetes versions accept, for the newest version, then for the oldest."""

    def __init__(self, minors: Sequence[int], settings: Settings, problems: Problems) -> None:
        self.minors, self.settings, self.problems = minors, settings, problems
        self._samplers = [
            Sampler(AdmissionServer(sampler_minors), deprecated=False)
            for sampler_minors in dict.fromkeys((minors[-1:], minors[:1]))
        ]

    def make(self, file: str, required: _RequiredSample) -> KindSample | None:
        """Return a generated sample; None, with a finding, if there is no valid one."""
        full = _FORMS[required.form]
        if full:
            self._check_examples(required)
        errors: list[tuple[tuple[int, ...], Cause]] = []
        for sampler in self._samplers:
            obj = sampler.generate_object(required.crd, required.version, full=full)
            object_errors = list(self._find_errors(required, obj))
            if not object_errors:
                if full:  # minimal samples can omit fields
                    self._report_dropped(file, required, sampler)
                header = self._format_header(file, required)
                content = format_sample(obj, required.crd, required.version, full=full, header=header)
                return KindSample(*required.key, required.form, file, content)
            errors += object_errors
            if any(self.minors[-1] in minors for minors, _ in object_errors):
                break  # the other sampler would not change this
        self._report_unsolved(file, required, *errors[0])
        return None

    def _format_header(self, file: str, required: _RequiredSample) -> str:
        """Return the header, with the line by which editors find the schema of the sample if that is requested."""
        if not self.settings.modeline:
            return self.settings.header
        schema = os.path.join(self.settings.schemas, get_schema_path(*required.key))  # noqa: PTH118
        folder = os.path.dirname(os.path.join(self.settings.samples, file))  # noqa: PTH118, PTH120
        path = os.path.relpath(schema, folder).replace(os.sep, "/")
        return "\n".join([*self.settings.header.splitlines(), f"yaml-language-server: $schema={path}"])

    def _find_errors(self, required: _RequiredSample, obj: dict[str, Any]) -> Iterator[tuple[tuple[int, ...], Cause]]:
        """Yield the errors of an object with their minor versions."""
        schema = required.version.schema or Schema({})
        for verdict in required.definition.validate(obj, None, self.minors, status=False):
            for cause in verdict.causes:
                place = find_error_place(cause, schema, obj) if cause.path else None
                yield verdict.minors, cause.replace(place=place)
            yield from ((verdict.minors, cause) for cause in verdict.unknown_fields)

    def _check_examples(self, required: _RequiredSample) -> None:
        """Report examples that API servers reject. Samples do not use them."""
        sampler = self._samplers[0]
        for schema, example, error in sampler.find_bad_examples(required.version):
            reason = _truncate(format_error_body(error, sampler.validator.switches))
            problem = f"example {_truncate(bounded_json.format_json(example))} is rejected: {reason}"
            self.problems.report(
                "sample-example", problem, schema.get_place("example") or schema.origin, path=required.path
            )

    def _report_dropped(self, file: str, required: _RequiredSample, sampler: Sampler) -> None:
        """Report fields that the sample omits because no valid value was found."""
        for omitted, error in sampler.list_omitted_nodes():
            reason = _truncate(format_error_body(error, sampler.validator.switches))
            message = f'field "{omitted.name}" is missing in the {required.name}: no valid value found: {reason}'
            at = find_error_place(error, omitted.schema, omitted.nearest) or omitted.schema.origin
            hint = f"write the sample by hand: {Path(self.settings.samples) / file}"
            self.problems.report("sample-field", message, at, path=required.path, hint=hint)

    def _report_unsolved(self, file: str, required: _RequiredSample, minors: Sequence[int], cause: Cause) -> None:
        message = f"cannot generate a valid {required.name}: {_truncate(cause.message)}"
        if len(minors) < len(self.minors):
            message += f" (Kubernetes {format_minors(sorted(minors))})"
        hint = f"write the sample by hand: {Path(self.settings.samples) / file}"
        self.problems.report(
            "sample-unsolved", message, cause.place or required.version.origin, path=required.path, hint=hint
        )


def _truncate(message: str) -> str:
    """Shorten a long error message."""
    return message if len(message) <= _MAX_MESSAGE_LENGTH else f"{message[:_MAX_MESSAGE_LENGTH]} ..."
