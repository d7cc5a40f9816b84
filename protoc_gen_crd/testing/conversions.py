"""Objects in files, converted to a version of their kind: the converters of a run, and what becomes of each file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.objects.prune import Pruning
from protoc_gen_crd.admission.objects.structural import Structurals
from protoc_gen_crd.base.diagnostics import Location, Problems, Severity
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.code.codegen import module
from protoc_gen_crd.conversion.code.handwritten import check_functions, file_name, folder_of, needed
from protoc_gen_crd.conversion.code.modules import converter
from protoc_gen_crd.conversion.derive.declared import declares
from protoc_gen_crd.conversion.helpers.runtime import ConversionError
from protoc_gen_crd.conversion.hub import with_hubs
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.planning import check_names, check_once, plan_of
from protoc_gen_crd.conversion.proof.laws import Convert
from protoc_gen_crd.conversion.rules.rulefiles import is_meant, read_rules, report_stranger
from protoc_gen_crd.conversion.rules.rules import GROUP, KIND, RuleFile
from protoc_gen_crd.conversion.rules.rules import Reader as RuleReader
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.crds import is_for_kcp
from protoc_gen_crd.testing.files import SHOWN, content
from protoc_gen_crd.testing.packages import Modules
from protoc_gen_crd.testing.places import located
from protoc_gen_crd.testing.rewrite import rewritten
from protoc_gen_crd.testing.schemas import crds_of
from protoc_gen_crd.testing.session import Session

_UNCONVERTED = ("conversion-unserved", "version-loss", "version-required", "version-differs")


def forget_losses(problems: Problems) -> None:
    """Take back what is lost without conversion, which is beside the point where all is converted by checked plans."""
    problems.findings = [
        finding.replace(severity=Severity.OFF) if finding.rule in _UNCONVERTED else finding
        for finding in problems.findings
    ]


class Converted(Record):
    """A file: its bytes, what they become if anything changes, how many objects were looked at, and how many change."""

    data: bytes
    text: bytes | None
    count: int
    changed: int


class Conversions:
    """The kinds of a run that can be converted, each with what does it.

    What is declared counts before modules that were made of it, unless these are `trusted`, and both before what was
    written for kcp, which may be less.
    """

    def __init__(self, session: Session, beside: Modules | None = None, *, trusted: bool = False) -> None:
        """Make the converters of all kinds, except for those that modules convert."""
        self._session = session
        self._beside = beside or {}
        self._trusted = trusted
        self._kcp = [(file, case) for file in session.files for case in self._read(file) if case.group == GROUP]
        for schema in crds_of([case for _, case in self._kcp]):
            if not session.definitions.knows(schema):
                session.definitions.add(schema, session.problems)
        self.plans = tuple(self._plans([each.crd for each in session.definitions if each.crd is not None]))
        self._folder = folder_of(session.settings)
        self._schemas = {
            (crd.group, crd.names.kind, version.name): version.schema
            for definition in session.definitions
            if (crd := definition.crd) is not None and not crd.preserve_unknown_fields
            for version in crd.versions
        }
        self._nodes = Structurals()
        self._converters = {key: one.convert for key, one in self._beside.items()}
        self._converters |= {
            (plan.crd.group, plan.crd.names.kind): made
            for plan in self.plans
            if (made := self._ready(plan)) is not None
        }

    def _read(self, file: str) -> Sequence[Case]:
        """The documents of a file; what cannot be read may have said how objects are converted."""
        cases, findings = self._session.cases(file)
        self._session.problems.findings += findings
        return cases

    def _plans(self, crds: Sequence[Crd]) -> Iterator[Plan]:
        given, ours = self._rule_files()
        named = read_rules(self._session.settings, self._session.problems)
        # A file that the settings name may lie in the paths as well.
        files = list({(Path(file.origin.file).resolve(), file.origin.line): file for file in (*given, *named)}.values())
        check_names([*files, *ours], crds, self._session.problems)
        check_once(files, crds, self._session.problems)
        crds = with_hubs(crds, self._session.settings, self._session.problems)
        strayed = any(not any(file.about(crd) for crd in crds) for file in files)
        for crd in crds:
            about = [file for file in files if file.about(crd)]
            stated = bool(about) or declares(crd)
            written = self._beside.get((crd.group, crd.names.kind))
            if (written and (self._trusted or not stated)) or len(crd.versions) == 1:
                continue
            about = about if stated else [file for file in ours if file.about(crd)]
            # What fields declare has been checked with the CRD; what a file with a wrong name lacks is no news.
            known = not about and (declares(crd) or strayed)
            found = plan_of(crd, Problems() if known else self._session.problems, about)
            if found is not None:
                self._compare(found, written.file if written else "", [] if stated else about)
                yield found

    def _compare(self, plan: Plan, file: str, ours: Sequence[RuleFile]) -> None:
        """Report converters that are not those of a plan, and a plan that is what was left of another for kcp."""
        if file and Path(file).read_text("utf-8", "replace") != module(plan):
            problem = f"the converters beside what is declared should be made of it, found others of {plan.name}"
            hint = "what is declared counts here, but serve runs the module: generate it again"
            self._session.problems.report("conversion-outdated", problem, Location(file), path=plan.name, hint=hint)
        for one in ours:
            problem = (
                f"objects should be converted by what was declared, found what was made of it for kcp of {plan.name}"
            )
            hint = "kcp has no form for some steps: give the folder of the converters, or the .proto files"
            self._session.problems.report("conversion-outdated", problem, one.origin, path=plan.name, hint=hint)

    def _rule_files(self) -> tuple[list[RuleFile], list[RuleFile]]:
        """The rules in the files of the run, and those that `generate` wrote for kcp."""
        found: tuple[list[RuleFile], list[RuleFile]] = [], []
        for file in self._session.files:
            for case in self._session.cases(file)[0]:
                if (case.group, case.kind) == (GROUP, KIND):
                    rules = RuleReader(case.place, self._session.problems).read(case.object)
                    found[is_for_kcp(file)].append(rules)
                elif is_meant(case.object) and self._session.definitions.find(case) is None:
                    report_stranger(case.object, case.place, self._session.problems)
        return found

    def _ready(self, plan: Plan) -> Convert | None:
        """What converts objects of a plan's kind; None, with findings, where functions of it cannot be used."""
        problems = self._session.problems
        if not needed(plan):
            return converter(plan)
        if not check_functions(plan, self._folder, problems):
            return None
        try:
            return converter(plan, self._folder)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the file does
            problem = f"a file of functions must load, found {type(error).__name__}: {error}"
            problems.report("conversion-function", problem, Location(f"{self._folder}/{file_name(plan)}"))
            return None

    @property
    def by_kind(self) -> Mapping[tuple[str, str], Convert]:
        """The functions by group and kind."""
        return self._converters

    def of(self, plan: Plan) -> Convert:
        """The function that converts objects of a plan's kind."""
        return self._converters[plan.crd.group, plan.crd.names.kind]

    def objects(self) -> list[dict[str, Any]]:
        """The objects in the files of the run whose kinds can be converted."""
        cases = [case for file in self._session.files for case in self._session.cases(file)[0]]
        return [case.object for case in cases if (case.group, case.kind) in self._converters]

    def file(self, name: str, version: str) -> Converted:
        """What becomes of the objects of a file; those of other kinds stay."""
        problems = self._session.problems
        data = self._session.texts[name] if name == SHOWN else content(name, problems)
        cases, findings = self._session.cases(name)
        before = len(problems.findings) - len(findings)
        made = [(case, self._converted(case, version)) for case in cases]
        changed = [(case, new) for case, new in made if new is not None and new is not case.object]
        wanted = [(case, {**_keys(case), **new}) for case, new in changed]
        text = rewritten(data, wanted, self._session.asked[-1]) if wanted else None
        if wanted and text is None:
            problem = "a file must be one that converted objects can be written into, found one of another form"
            problems.report("conversion-object", problem, wanted[0][0].at, path=wanted[0][0].name)
        if text is not None and len(problems.findings) > before:
            self._session.texts[name] = data  # findings are shown when the file has been written
        return Converted(data, text, sum(new is not None for _, new in made), len(changed))

    def _converted(self, case: Case, version: str) -> dict[str, Any] | None:
        """An object in a version; None with a finding, or for one whose kind nobody knows."""
        convert = self._converters.get((case.group, case.kind))
        if convert is None:
            return None
        try:
            return convert(self._pruned(case, version), version)
        except ConversionError as error:
            problem = f"{case.name} must be an object that can be converted, found {error}"
            boolean = str(error).endswith(("must be a text, found true", "must be a text, found false"))
            hint = (
                "write it in quotes if it is a text: in YAML, words such as yes, on and y are booleans"
                if boolean
                else ""
            )
            self._session.problems.report("conversion-object", problem, case.at, path=case.name, hint=hint)
            return None

    def _pruned(self, case: Case, version: str) -> dict[str, Any]:
        """An object without what servers drop before they convert it: nulls, and unknown fields, which are told of."""
        schema = self._schemas.get((case.group, case.kind, case.version))
        if schema is None or case.version == version:
            return case.object
        pruning = Pruning(nulls=True)
        pruned = pruning.of(self._nodes.of(schema, resource=True), case.object, "")
        for field in pruning.unknown:
            message = f"{case.version} should know the fields of {case.name}, found {field}, which is not converted"
            self._session.problems.report(
                "document-field", message, case.place(located(case.object, field)[0], key=True)
            )
        return dict(pruned)


def _keys(case: Case) -> dict[str, Any]:
    """What a test document says of itself."""
    return {key: value for key, value in case.given.items() if key not in case.object}
