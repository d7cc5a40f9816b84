"""Convert plans to kcp's APIConversion, and report steps that kcp does not support.

kcp's converter copies the whole object, then each `field` to its `destination`, with CEL if the rule has any. Paths are
names separated by dots and cannot enter lists. Then the server prunes unknown fields of the version.

Source: kcp-dev/kcp config/crds/apis.kcp.io_apiconversions.yaml and pkg/conversion, of 2026.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derivation.cel_rendering import ANY_STRING_FIELD, render_step
from protoc_gen_crd.conversion.derivation.schema_compatibility import CONTAINER_SHAPES, MAP, get_shape
from protoc_gen_crd.conversion.expressions import ConversionExpression, encode_object_schema, encode_schema
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    EachEntry,
    EachItem,
    HandwrittenField,
    HandwrittenObject,
)
from protoc_gen_crd.conversion.plan.copy_steps import (
    Copy,
    CopyNonNull,
    CopyWithDefault,
    Default,
    Drop,
    DropEntry,
    Duplicate,
    Keep,
    KeepEntry,
    Namesake,
    ObjectStep,
)
from protoc_gen_crd.conversion.plan.paths import Path, format_path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ComputedStep, Divide, ValueTable
from protoc_gen_crd.conversion.rule_files.api_conversion import DROP_ANNOTATION, GROUP, KIND
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema

VERSION = "v1alpha1"
_NAME = re.compile("v[1-9][0-9]*([a-z]+[1-9][0-9]*)?")
_PLAIN_NAME = re.compile(r"[^.\[\]'\"]+")
_TYPED_FORMATS = ("date-time", "duration", "byte")  # CEL compiles them as their own types but evaluates them as strings

_WEBHOOK_HINT = "use a webhook with a URL instead"
_DEFAULT_HINT = "set a default in the schema of {source} instead: servers apply it before they convert"
_HINTS = {
    "items": f"kcp does not convert inside lists: {_WEBHOOK_HINT}",
    "names": f"kcp converts no metadata and no names with dots or brackets: {_WEBHOOK_HINT}",
    "kept": "preserve the whole list instead: it then overwrites stale-client updates",
}


class KcpIssue(Record):
    """A problem of a step in kcp: rule id, detail and hint."""

    rule: str
    detail: str
    hint: str


class KcpForm(Record):
    """The kcp form of a step: a rule of the APIConversion or a path to preserve, and its problems."""

    rule: dict[str, str] | None = None
    issues: tuple[KcpIssue, ...] = ()
    preserved_path: str = ""


def build_api_conversion(plan: Plan, name: str, problems: Problems) -> dict[str, Any]:
    """Return the APIConversion of a plan, named after its schema; report unsupported steps."""
    _check_versions(plan, problems)
    directions: list[dict[str, Any]] = []
    dropped: dict[str, dict[str, list[str]]] = {}
    for pair in plan.pairs:
        for direction, reverse in pair.get_directions():
            directions.append(_KcpDirection(plan, (direction, reverse), problems).build_entry())
            lost = [format_path(step.source) for step in direction.steps if isinstance(step, Drop)]
            if lost:
                dropped.setdefault(direction.source, {})[direction.target] = lost
        _check_preserved_values(plan, [direction for direction, _ in pair.get_directions()], problems)
    metadata: dict[str, Any] = {"name": name}
    if dropped:
        metadata["annotations"] = {f"{plan.crd.group}/{DROP_ANNOTATION}": json.dumps(dropped, sort_keys=True)}
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": KIND,
        "metadata": metadata,
        "spec": {"conversions": directions},
    }


def _check_versions(plan: Plan, problems: Problems) -> None:
    at = plan.crd.origin
    for version in plan.crd.versions:
        if not _NAME.fullmatch(version.name):
            problem = f'kcp cannot convert version "{version.name}": its name is not of the form v1 or v1beta1'
            problems.report("kcp-name", problem, version.origin or at, path=plan.name)
    if len(plan.pairs) > 1:
        problem = f"kcp converts between two versions, but {plan.crd.names.kind} has {len(plan.crd.versions)}"
        hint = "kcp applies the rules of one pair to all others of the same version: serve two versions at a time, or "
        hint += f"{_WEBHOOK_HINT}"
        problems.report("kcp-versions", problem, at, path=plan.name, hint=hint)


def _check_preserved_values(plan: Plan, directions: list[Direction], problems: Problems) -> None:
    kept = [
        [step for step in direction.steps if type(step) is Keep and _is_plain(paths.strip_object_scopes(step.source))]
        for direction in directions
    ]
    if all(kept):
        both = " and ".join(
            f'"{format_path(steps[0].source)}" of {direction.source}'
            for direction, steps in zip(directions, kept, strict=True)
        )
        problem = f"kcp preserves values of one version at a time, but {both} are preserved"
        at = kept[0][0].origin
        hint = "values of the other version are lost in the meantime"
        problems.report("kcp-loss", problem, at, path=at.find_owner() if at else plan.name, hint=hint)


class _KcpDirection:
    """One direction of a pair, for kcp."""

    def __init__(self, plan: Plan, directions: tuple[Direction, Direction], problems: Problems) -> None:
        direction, reverse = directions
        self._direction, self._problems = direction, problems
        self._kept = [step.source for step in reverse.steps if isinstance(step, Keep)]
        self._lost = [step.source for step in reverse.steps if isinstance(step, Drop)]
        self._source, self._target = plan.get_schema(direction.source), plan.get_schema(direction.target)
        self._container_steps = [step for step in direction.steps if isinstance(step, ContainerStep)]
        self._written = [
            path for step in direction.steps if not isinstance(step, ObjectStep) for path in step.get_writes()
        ]

    def build_entry(self) -> dict[str, Any]:
        """Return the entry of spec.conversions."""
        forms = [(step, self._build_form(step)) for step in self._direction.steps]
        for step, form in forms:
            fails = any(issue.rule == "kcp-unsupported" for issue in form.issues)
            for issue in (*form.issues, *(() if fails else self._find_leftovers(step))):
                self._report(step, issue)
        rules = [form.rule for _, form in forms if form.rule is not None]
        preserved = [form.preserved_path for _, form in forms if form.preserved_path]
        entry: dict[str, Any] = {"from": self._direction.source, "to": self._direction.target, "rules": rules}
        return {**entry, "preserve": preserved} if preserved else entry

    def _report(self, step: Step, issue: KcpIssue) -> None:
        at = step.origin
        versions = f"{self._direction.source} -> {self._direction.target}"
        problem = f'{_PROBLEMS[issue.rule]} "{step.format()}" of {versions}{issue.detail}'
        self._problems.report(issue.rule, problem, at, path=at.find_owner() if at else "", hint=issue.hint)

    def _build_form(self, step: Step) -> KcpForm:
        """Return the kcp form of a step."""
        entered = isinstance(step, ObjectStep) and not isinstance(step, ContainerStep)
        is_entry = isinstance(step, KeepEntry | DropEntry)  # kcp does not remove them from the other version
        if not is_entry and (self._is_inside(step) or isinstance(step, Drop | Namesake | HandwrittenField) or entered):
            return KcpForm()
        if isinstance(step, Keep):
            path = paths.strip_object_scopes(step.source)
            is_part_of_copy = (
                paths.is_metadata_entry(path) and not step.declared
            )  # part of the step that writes the label or annotation
            return (
                KcpForm(preserved_path=_format_dotted(path))
                if _is_plain(path) and not is_entry
                else KcpForm()
                if is_part_of_copy
                else _build_missing_form("", _HINTS["kept"])
            )
        if not all(_is_plain(path) for path in (*step.get_reads(), *step.get_writes())):
            return _build_missing_form("", _HINTS["items" if _has_brackets(step) else "names"])
        if isinstance(step, Copy):
            return self._build_copy(step)
        if isinstance(step, Duplicate):
            form = self._build_rule(step.source, step.target)
            return form.replace(issues=(*form.issues, *self._find_differences(step)))
        return self._build_computed(step)

    def _build_copy(self, step: Copy) -> KcpForm:
        """Return the form of a copied value, or of a list or map whose items are only pruned."""
        if isinstance(step, ContainerStep) and type(step) not in (EachItem, EachEntry):
            return _build_missing_form("", _WEBHOOK_HINT if isinstance(step, HandwrittenObject) else _HINTS["items"])
        if type(step) not in (Copy, CopyNonNull, EachItem, EachEntry, CopyWithDefault):
            return _build_missing_form("", _WEBHOOK_HINT)
        issues: tuple[KcpIssue, ...] = ()
        if isinstance(step, CopyWithDefault):
            issues = (
                KcpIssue(
                    "kcp-approximate", ": kcp ignores its default", _DEFAULT_HINT.format(source=self._direction.source)
                ),
            )
        if step.source == step.target:
            return KcpForm(None, issues)
        form = self._build_rule(step.source, step.target)
        return form.replace(issues=(*form.issues, *issues))

    def _build_computed(self, step: Step) -> KcpForm:
        """Return the form of a value that an expression computes."""
        field = ANY_STRING_FIELD if isinstance(step, Default) else (step.get_reads() or (ANY_STRING_FIELD,))[0]
        schema = paths.find_schema(self._source, field)
        expression = render_step(step, schema) if len(step.get_reads()) < 2 else ""
        if not expression or schema is None:
            return _build_missing_form(
                "", f"a rule reads one field: {_WEBHOOK_HINT}" if len(step.get_reads()) > 1 else _WEBHOOK_HINT
            )
        fault = _find_unreadable(schema) or (self._find_root_read(step) if isinstance(step, CelExpression) else "")
        if fault:
            return _build_missing_form(f": {fault}", _WEBHOOK_HINT)
        form = self._build_rule(field, step.target, expression)
        return form.replace(issues=(*form.issues, *self._find_differences(step)))

    def _find_root_read(self, step: CelExpression) -> str:
        own = paths.find_schema(self._source, step.source)
        reads_root = (
            own is not None
            and ConversionExpression(
                step.expression, {"self": encode_schema(own), "root": encode_object_schema(self._source)}
            ).is_root_read
        )
        return "it reads the whole object" if reads_root else ""

    def _find_differences(self, step: Step) -> Iterator[KcpIssue]:
        if isinstance(step, Default) and len(step.target) > 2:
            where = format_path(step.target[:-1])
            yield KcpIssue(
                "kcp-approximate",
                f": kcp also creates {where}",
                _DEFAULT_HINT.format(source=self._direction.target),
            )
        parent = paths.find_schema(self._target, step.target[:-1])
        is_kept = step.target in self._kept  # no step converts it back
        creates_value = (
            isinstance(step, Default | Duplicate | ComputedStep) and is_kept and step.target not in self._lost
        )
        if creates_value and parent is not None and step.target[-1] not in (parent.get("required") or ()):
            yield KcpIssue(
                "kcp-loss",
                "",
                f"require it in {self._direction.target}: an object without it has it after conversion back",
            )
        if is_kept:
            return
        if isinstance(step, ComputedStep | Divide) or (isinstance(step, ValueTable) and _is_ambiguous(step)):
            yield KcpIssue("kcp-loss", "", "kcp preserves whole fields only: values that do not convert back are lost")

    def _build_rule(self, source: Path, target: Path, expression: str = "") -> KcpForm:
        for cut in range(1, len(target)):
            parent = paths.find_schema(self._source, target[:cut])
            if parent is not None and get_shape(parent) not in (*CONTAINER_SHAPES, "opaque object"):
                detail = f": {format_path(target[:cut])} is a scalar in {self._direction.source}"
                return _build_missing_form(
                    detail, "rename it: kcp copies the old value first and cannot write below it"
                )
        rule = {"field": _format_dotted(source), "destination": _format_dotted(target)}
        return KcpForm({**rule, "transformation": expression} if expression else rule)

    def _find_leftovers(self, step: Step) -> Iterator[KcpIssue]:
        """Find fields that kcp leaves in place because the target version has a field of the same name."""
        for path in step.get_reads() if not isinstance(step, ObjectStep) and not self._is_inside(step) else ():
            field = paths.find_schema(self._target, path)
            if field is not None and not any(paths.has_overlap(path, written) for written in self._written):
                detail = f": kcp leaves {format_path(path)} in {self._direction.target}"
                yield KcpIssue("kcp-unsupported", detail, "rename the new field: kcp copies fields of the same name")

    def _is_inside(self, step: Step) -> bool:
        """Return true if the step is part of a list or map that is copied as a whole."""
        if isinstance(step, Drop):
            return True
        enclosing = [
            container
            for container in self._container_steps
            if step is not container
            and (
                _has_prefix(step.get_reads(), container.source_scope)
                or _has_prefix(step.get_writes(), container.target_scope)
            )
        ]
        if not enclosing:
            return False
        container = max(enclosing, key=lambda step: len(step.source_scope))
        if type(container) not in (EachItem, EachEntry):
            return True  # the enclosing step is reported
        stays = step.source[len(container.source_scope) :] == step.target[len(container.target_scope) :]
        return stays and type(step) in (Copy, CopyNonNull, ObjectStep, EachItem, EachEntry)


_PROBLEMS = {
    "kcp-unsupported": "kcp has no equivalent of",
    "kcp-approximate": "kcp only approximates",
    "kcp-loss": "kcp loses values of",
}


def _build_missing_form(detail: str, hint: str) -> KcpForm:
    return KcpForm(None, (KcpIssue("kcp-unsupported", detail, hint),))


def _has_prefix(read_paths: tuple[Path, ...], start: Path) -> bool:
    return any(path[: len(start)] == start for path in read_paths)


def _find_unreadable(schema: Schema) -> str:
    """Return the reason why kcp compiles no expression on a value; empty if it does."""
    kind = get_shape(schema)
    if kind == MAP and isinstance(schema.additional, Schema) and get_shape(schema.additional) not in CONTAINER_SHAPES:
        return ""
    if kind in CONTAINER_SHAPES or kind == "opaque object":
        return f"it reads {kind}"
    return f"it reads a string of format {schema.get('format')}" if schema.get("format") in _TYPED_FORMATS else ""


def _is_ambiguous(step: ValueTable) -> bool:
    values = list(step.build_table().values())
    return len(set(values)) < len(values)


def _is_plain(path: Path) -> bool:
    brackets = any(step in paths.BRACKETS for step in path)
    return not brackets and path[:1] != ("metadata",) and all(_PLAIN_NAME.fullmatch(step) for step in path)


def _has_brackets(step: Step) -> bool:
    return any(
        bracket in path for path in (*step.get_reads(), *step.get_writes()) for bracket in (paths.ITEM, paths.VALUE)
    )


def _format_dotted(path: Path) -> str:
    return ".".join(path)
