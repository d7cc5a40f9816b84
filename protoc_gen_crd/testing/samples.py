"""The samples of the kinds of a run: those that people wrote, judged, and for the rest ones made for their schemas.

One lies in the folder of samples for each served version and form, `widgets.acme.example/v1-full.yaml`. Other files
there are further ones by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.errors import body
from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.base import jsontext
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.base.versions import minors_of, worded
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.emit.samples import sample_text
from protoc_gen_crd.samples.sample import Sampler
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.definitions import Definition, Definitions
from protoc_gen_crd.testing.handwritten import Written, read_written
from protoc_gen_crd.testing.origins import place_of

_LONGEST = 400  # characters of what servers say
_FORMS = {"minimal": False, "full": True}


class Shown(Record):
    """A sample of a kind and version: its form, "" for further ones by hand, its file below the folder, its YAML."""

    group: str
    kind: str
    version: str
    form: str
    file: str
    text: str
    by_hand: bool = False

    @property
    def of(self) -> tuple[str, str, str]:
        """Group, kind and version."""
        return self.group, self.kind, self.version


class _Wanted(Record):
    """What a kind and version should have."""

    definition: Definition
    crd: Crd
    version: Version
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


class _Fault(Record):
    """What servers of some minor versions say of an object, and where that comes from."""

    minors: tuple[int, ...]
    text: str
    at: Place | None = None


def samples_of(
    crds: Sequence[Crd], settings: Settings, problems: Problems, paths: Mapping[str, str] | None = None
) -> tuple[Shown, ...]:
    """The samples of Crds that servers take; see `gather`. `paths` says where .proto files lie."""
    definitions = Definitions(minors_of(settings.kubernetes))
    for crd in crds:
        definitions.add(crd, problems)
    return gather(definitions, settings, problems, Sources(paths))


def gather(definitions: Definitions, settings: Settings, problems: Problems, sources: Sources) -> tuple[Shown, ...]:
    """The samples of some kinds, by file. What is wrong with those by hand is reported, and where none is found."""
    wanted = dict(_wanted(definitions))
    written = read_written(definitions, Path(settings.samples), problems, sources)
    shown = {file: _by_hand(file, one, wanted.get(file), problems) for file, one in written.items()}
    maker = _Maker(definitions.asked, settings, problems)
    for file in sorted(wanted):
        if file not in written:
            shown[file] = maker.made(file, wanted[file])
    return tuple([found for file in sorted(shown) if (found := shown[file]) is not None])


def _wanted(definitions: Definitions) -> Iterator[tuple[str, _Wanted]]:
    """The samples that there should be, by file: of every version that servers take objects of."""
    for definition in definitions:
        crd = definition.crd
        for version in crd.versions if crd is not None else ():
            if crd is not None and version.served:
                for form in _FORMS:
                    yield f"{crd.name}/{version.name}-{form}.yaml", _Wanted(definition, crd, version, form)


def _by_hand(file: str, written: Written, wanted: _Wanted | None, problems: Problems) -> Shown | None:
    case = written.case
    if case is None:
        return None
    if wanted is not None and (case.group, case.kind, case.version) != wanted.key:
        message = f"a file of this name must hold a {wanted.name}, found {case.group}/{case.version} {case.kind}"
        problems.report("sample-file", message, case.place(("apiVersion",)), path=file)
    form = wanted.form if wanted is not None else ""
    return Shown(case.group, case.kind, case.version, form, file, written.text, by_hand=True)


class _Maker:
    """Makes samples that all the versions accept, guided by the newest, then by the oldest."""

    def __init__(self, asked: Sequence[int], settings: Settings, problems: Problems) -> None:
        self.asked, self.settings, self.problems = asked, settings, problems
        self._samplers = [
            Sampler(Server(minors), deprecated=False) for minors in dict.fromkeys((asked[-1:], asked[:1]))
        ]

    def made(self, file: str, wanted: _Wanted) -> Shown | None:
        """The sample, or a finding."""
        full = _FORMS[wanted.form]
        if full:
            self._check_examples(wanted)
        faults: list[_Fault] = []
        for sampler in self._samplers:
            obj = sampler.object(wanted.crd, wanted.version, full=full)
            found = list(self._faults(wanted, obj))
            if not found:
                if full:  # a minimal one need not show them
                    self._report_dropped(file, wanted, sampler)
                text = sample_text(obj, wanted.crd, wanted.version, full=full, header=self.settings.header)
                return Shown(*wanted.key, wanted.form, file, text)
            faults += found
            if any(self.asked[-1] in fault.minors for fault in found):
                break  # another guide would find nothing else
        self._report(file, wanted, faults[0])
        return None

    def _faults(self, wanted: _Wanted, obj: dict[str, Any]) -> Iterator[_Fault]:
        """What servers say of an object."""
        schema = wanted.version.schema or Schema({})
        for answer in wanted.definition.answers(obj, None, self.asked, status=False):
            for said in answer.errors:
                at = place_of(said.error, schema, obj) if said.error else None
                yield _Fault(answer.minors, said.text, at)
            yield from (_Fault(answer.minors, text) for text in answer.strict)

    def _check_examples(self, wanted: _Wanted) -> None:
        """Tell of examples that samples do without, since servers refuse them."""
        sampler = self._samplers[0]
        for schema, example, error in sampler.bad_examples(wanted.version):
            said = _cut(body(error, sampler.judge.switches))
            problem = f"an example must be a value that is accepted, found {_cut(jsontext.shown(example))}: {said}"
            self.problems.report("sample-example", problem, schema.place("example") or schema.origin, path=wanted.path)

    def _report_dropped(self, file: str, wanted: _Wanted, sampler: Sampler) -> None:
        """Tell of fields that the sample does without."""
        for dropped, error in sampler.dropped():
            said = _cut(body(error, sampler.judge.switches))
            message = (
                f'a {wanted.name} must show each field, found no value for "{dropped.name}" that is accepted: {said}'
            )
            at = place_of(error, dropped.schema, dropped.nearest) or dropped.schema.origin
            hint = f"write it by hand: {Path(self.settings.samples) / file}"
            self.problems.report("sample-field", message, at, path=wanted.path, hint=hint)

    def _report(self, file: str, wanted: _Wanted, fault: _Fault) -> None:
        of = "" if len(fault.minors) == len(self.asked) else f" by version {worded(sorted(fault.minors))}"
        message = f"a {wanted.name} must be found, found only one that is refused{of}: {_cut(fault.text)}"
        hint = f"write it by hand: {Path(self.settings.samples) / file}"
        self.problems.report("sample-unsolved", message, fault.at or wanted.version.origin, path=wanted.path, hint=hint)


def _cut(text: str) -> str:
    """What servers say, where it is long the start of it."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
