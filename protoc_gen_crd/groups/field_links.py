"""Links between the fields of a message in adjacent versions, from declarations and from equal names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derivation.declaration_checks import find_declaration_errors
from protoc_gen_crd.conversion.plan.paths import PathSyntaxError, parse_path
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.groups.declared_value_conversions import ChangeBuilder, describe_type
from protoc_gen_crd.groups.group_model import (
    Declaration,
    HubType,
    HubTypes,
    MessageLineage,
    VersionField,
    VersionMessage,
)
from protoc_gen_crd.groups.value_conversions import INTEGERS, Change, Join, MapEntries

_UNSUPPORTED = {
    "cel": "write a function",
    "moved_from": "use renamed_from for a field of the same message, or a function",
    "preserved": "clients have no conversion-data annotation: name the source field, or list the old field in gone",
    "value": "write a function",
}
_MOVES = ("renamed_from", "part", "join", "default", "dropped")
_STRING = HubType("string")


class Link(Record):
    """Fields of an older version and the fields of the next version that have their values."""

    older: tuple[str, ...]
    newer: tuple[str, ...]
    change: Change
    at: Place


class MessageLinks(Record):
    """The links between two adjacent versions of a message.

    `functions` are the hand-written functions for the whole message, by direction, as in the declaration. `underived`
    are the older fields that only they can convert.
    """

    older: VersionMessage
    newer: VersionMessage
    links: tuple[Link, ...]
    functions: Mapping[str, str]
    underived: tuple[str, ...]


class LinkBuilder:
    """Links the fields of messages. Fields that would be lost are reported."""

    def __init__(self, types: HubTypes, versions: Collection[str], problems: Problems) -> None:
        self._builder = ChangeBuilder(types)
        self._versions = versions
        self._problems = problems

    def link(self, lineage: MessageLineage) -> tuple[MessageLinks, ...]:
        """Return the links between all adjacent versions of a message, from the oldest."""
        members = [lineage.members[index] for index in sorted(lineage.members)]
        for member in members:
            self._check_versions(member)
        return tuple(
            [_PairLinker(older, newer, self._builder, self._problems).link() for older, newer in pairwise(members)]
        )

    def _check_versions(self, member: VersionMessage) -> None:
        """Report declarations that name a version which the group does not have."""
        declarations = [declaration for field in member.fields.values() for declaration in field.declarations]
        for declaration in (*member.declarations, *declarations):
            for name in declaration.values.get("versions", ()):
                if name not in self._versions:
                    problem = f'the group has no version "{name}"'
                    hint = self._problems.suggest(name, self._versions)
                    self._problems.report(
                        "conversion-version", problem, declaration.at, path=declaration.owner, hint=hint
                    )


class _PairLinker:
    """Links the fields of two adjacent versions of a message."""

    def __init__(
        self, older: VersionMessage, newer: VersionMessage, builder: ChangeBuilder, problems: Problems
    ) -> None:
        self._older = older
        self._newer = newer
        self._builder = builder
        self._problems = problems
        self._links: list[Link] = []
        self._reported: set[str] = set()  # older fields with a reported problem
        self._entries: dict[str, list[tuple[str, VersionField, Declaration]]] = {}  # map -> key, field, declaration
        self._parts: dict[str, list[tuple[Declaration, VersionField]]] = {}

    def link(self) -> MessageLinks:
        functions = self._find_functions()
        declared = {name: self._find_declaration(field) for name, field in self._newer.fields.items()}
        for name, declaration in declared.items():
            if declaration is not None:
                self._link_declared(self._newer.fields[name], declaration)
        self._link_entries()
        self._link_parts()
        linked = {name for link in self._links for name in link.older} | self._reported
        for name, field in self._newer.fields.items():
            counterpart = self._older.fields.get(name)
            if declared[name] is not None or counterpart is None or name in linked:
                continue
            if not functions or self._builder.derive(counterpart.type, field.type):
                self._link_pair(counterpart, field, None)
        self._check_gone()
        lost = self._find_lost()
        if not functions:
            self._report_lost(lost)
        return MessageLinks(self._older, self._newer, tuple(self._links), functions, tuple(lost) if functions else ())

    def _find_functions(self) -> Mapping[str, str]:
        for declaration in self._newer.declarations:
            is_repeated = any(
                older_declaration.values == declaration.values for older_declaration in self._older.declarations
            )
            if is_repeated and not declaration.values.get("versions"):
                continue  # of a version that copies the older one
            if "function" in declaration.values and self._is_applicable(declaration, same_name=False):
                return dict(declaration.values["function"])
        return {}

    def _find_declaration(self, field: VersionField) -> Declaration | None:
        """Return the declaration of a newer field that applies to this pair of versions."""
        same = self._older.fields.get(field.name)
        for declaration in field.declarations:
            # In an annotated service, the field of each version has the declaration.
            is_inherited = same is not None and any(
                inherited.values == declaration.values for inherited in same.declarations
            )
            if self._is_applicable(declaration, same_name=same is not None) and not (
                is_inherited and "versions" not in declaration.values
            ):
                return declaration if not self._report_invalid(field, declaration) else None
        return None

    def _is_applicable(self, declaration: Declaration, *, same_name: bool) -> bool:
        versions = declaration.values.get("versions")
        if versions:
            return self._older.version.name in versions
        return not (same_name and any(name in declaration.values for name in _MOVES))

    def _find_default_errors(self, field: VersionField, declaration: Declaration) -> Iterator[str]:
        """Yield the errors of a default: of its type, or because the field has a source."""
        default = declaration.values.get("default")
        if default is None:
            return
        if "renamed_from" in declaration.values:
            yield '"default" and "renamed_from" cannot be used together'
        elif not self._builder.is_default(field.type, str(default)):
            yield f'default "{default}" is not a value of type {describe_type(field.type)}'

    def _report_invalid(self, field: VersionField, declaration: Declaration) -> bool:
        errors = list(find_declaration_errors(declaration.values))
        errors += [(problem, "") for problem in self._find_default_errors(field, declaration)]
        errors += [
            (f'"{name}" does not apply to messages of API groups', advice)
            for name, advice in _UNSUPPORTED.items()
            if name in declaration.values
        ]
        for problem, hint in errors:
            self._problems.report("conversion-value", problem, declaration.at, path=declaration.owner, hint=hint)
        return bool(errors)

    def _link_declared(self, field: VersionField, declaration: Declaration) -> None:
        values = declaration.values
        if "part" in values:
            whole = self._find_older(str(values["part"].get("of", "")), declaration)
            if whole is not None:
                self._parts.setdefault(whole.name, []).append((declaration, field))
        elif "join" in values:
            self._link_join(field, declaration)
        elif "renamed_from" in values or not any(name in values for name in ("default", "dropped")):
            self._link_source(field, declaration)

    def _link_source(self, field: VersionField, declaration: Declaration) -> None:
        path = str(declaration.values.get("renamed_from", field.name))
        name, key = self._split_path(path, declaration)
        source = self._find_older(name, declaration) if name else None
        if source is None or self._report_overlap(field, source, declaration):
            return
        if key is None:
            self._link_pair(source, field, declaration)
        elif source.type.label != "map":
            self._report_type(source, field, declaration)
        else:
            self._entries.setdefault(source.name, []).append((key, field, declaration))

    def _report_overlap(self, field: VersionField, source: VersionField, declaration: Declaration) -> bool:
        """Report a field that is renamed from a field which the newer version still has."""
        same = self._newer.fields.get(source.name)
        if same is None or source.name == field.name or same.declarations or source.type.label == "map":
            return False
        self._reported.add(source.name)
        problem = f'"{field.name}" is renamed from "{source.name}", which {self._newer.version.name} still has'
        hint = f'end "{source.name}" in an older version, or remove renamed_from'
        self._problems.report("group-range", problem, declaration.at, path=declaration.owner, hint=hint)
        return True

    def _split_path(self, text: str, declaration: Declaration) -> tuple[str, str | None]:
        """Return the field and the key of a path such as `labels['tier']`; no field, with a finding, for others."""
        try:
            path = parse_path(text)
        except PathSyntaxError as error:
            self._problems.report("conversion-path", str(error), declaration.at, path=declaration.owner)
            return "", None
        if len(path) == 1:
            return path[0], None
        if len(path) == 2 and "[" in text:
            return path[0], path[1]
        problem = f'"{text}" is not a field, or an entry of a map, of "{self._older.message.full_name}"'
        self._problems.report(
            "conversion-path", problem, declaration.at, path=declaration.owner, hint="write a function for the message"
        )
        return "", None

    def _find_older(self, name: str, declaration: Declaration) -> VersionField | None:
        field = self._older.fields.get(name)
        if field is None:
            problem = f'no field "{name}" in {self._older.version.name} of "{self._newer.message.name}"'
            hint = self._problems.suggest(name, self._older.fields)
            self._problems.report("conversion-path", problem, declaration.at, path=declaration.owner, hint=hint)
            self._reported |= {nearest for nearest in [self._problems.nearest(name, self._older.fields)] if nearest}
        return field

    def _link_pair(self, source: VersionField, field: VersionField, declaration: Declaration | None) -> None:
        build = self._builder.build
        change = (
            build(source.type, field.type, declaration)
            if declaration
            else self._builder.derive(source.type, field.type)
        )
        if change is None:
            self._report_type(source, field, declaration)
            return
        at = declaration.at if declaration else field.field.at
        self._links.append(Link((source.name,), (field.name,), change, at))

    def _report_type(self, source: VersionField, field: VersionField, declaration: Declaration | None) -> None:
        self._reported.add(source.name)
        before, after = describe_type(source.type), describe_type(field.type)
        kind = (
            next((name for name in declaration.values if name not in ("renamed_from", "versions")), "")
            if declaration
            else ""
        )
        subject = f'"{kind}" cannot convert' if kind else "no automatic conversion"
        problem = (
            f'{subject} between "{source.name}" ({before}) of {self._older.version.name} and "{field.name}" ({after})'
        )
        at = declaration.at if declaration else field.field.at
        hint = "" if kind else _suggest_declaration(source, field)
        self._problems.report("conversion-type", problem, at, path=field.field.full_name, hint=hint)

    def _link_entries(self) -> None:
        """Link the fields that are entries of a map of the older version."""
        for name, entries in self._entries.items():
            source = self._older.fields[name]
            usable = [
                entry
                for entry in entries
                if entry[1].type.label == "single" and entry[1].type.value == source.type.value
            ]
            for _, field, declaration in entries:
                if field.name not in [usable_field[1].name for usable_field in usable]:
                    self._report_type(source, field, declaration)
            if not usable:
                continue
            keys = tuple([_parse_key(source, key) for key, _, _ in usable])
            types = tuple([field.type for _, field, _ in usable])
            change = MapEntries(source.type, usable[0][1].type, keys=keys, newers=types)
            newer = tuple([field.name for _, field, _ in usable])
            self._links.append(Link((name,), newer, change, usable[0][2].at))

    def _link_join(self, field: VersionField, declaration: Declaration) -> None:
        names = [str(name) for name in declaration.values["join"].get("fields", ())]
        fields = [self._find_older(name, declaration) for name in names]
        parts = [part for part in fields if part is not None]
        if len(parts) == len(names) and self._check_strings([*parts, field], declaration):
            separator = str(declaration.values["join"]["separator"])
            change = Join(parts[0].type, field.type, separator=separator, count=len(parts))
            self._links.append(Link(tuple(names), (field.name,), change, declaration.at))

    def _link_parts(self) -> None:
        """Link the fields that are parts of a string of the older version."""
        for name, parts in self._parts.items():
            ordered = sorted(parts, key=lambda part: part[0].values["part"].get("index", 0))
            indexes = [declaration.values["part"].get("index", 0) for declaration, _ in ordered]
            first = ordered[0][0]
            whole = self._older.fields[name]
            if indexes != list(range(len(ordered))) or len(ordered) < 2:
                problem = f'parts of "{name}" are not consecutive from 0: {", ".join(map(str, indexes))}'
                self._problems.report("conversion-value", problem, first.at, path=first.owner)
                self._reported.add(name)
            elif self._check_strings([whole, *(field for _, field in ordered)], first):
                separator = str(first.values["part"]["separator"])
                change = Join(whole.type, ordered[0][1].type, separator=separator, count=len(ordered), is_up=False)
                self._links.append(Link((name,), tuple([field.name for _, field in ordered]), change, first.at))

    def _check_strings(self, fields: Sequence[VersionField], declaration: Declaration) -> bool:
        """Report fields that are not strings; return whether all are."""
        wrong = [field for field in fields if field.type.label != "single" or field.type.value != _STRING]
        for field in wrong[:1]:
            problem = f'"{field.name}" is not a string, but {describe_type(field.type)}'
            self._problems.report("conversion-type", problem, declaration.at, path=declaration.owner)
        self._reported |= {field.name for field in fields} if wrong else set()
        return not wrong

    def _check_gone(self) -> None:
        """Report names in `gone` that the older version does not have, or that the newer version still has."""
        for name, at in self._newer.gone.items():
            problem = ""
            if name in self._newer.fields and not self._newer.version.is_generated:
                problem = f'"{name}" is in gone, but "{self._newer.message.full_name}" still has it'
            elif name not in (*self._older.fields, *self._newer.fields) and not self._is_gone_earlier(name):
                problem = f'no field "{name}" in {self._older.version.name} of "{self._newer.message.name}"'
            if problem:
                hint = self._problems.suggest(name, self._older.fields.keys() - self._newer.fields.keys())
                self._problems.report("conversion-path", problem, at, path=self._newer.message.full_name, hint=hint)

    def _is_gone_earlier(self, name: str) -> bool:
        """Return whether the older version also declares that it lacks a field."""
        return name in self._older.gone

    def _find_lost(self) -> list[str]:
        """Return the older fields without a link that are not declared as gone."""
        linked = {name for link in self._links for name in link.older} | self._reported | self._newer.gone.keys()
        return [name for name in self._older.fields if name not in linked]

    def _report_lost(self, names: Iterable[str]) -> None:
        """Report fields that would be lost, with the most likely newer field."""
        taken = {name for link in self._links for name in link.newer}
        free = [
            field for name, field in self._newer.fields.items() if name not in taken and name not in self._older.fields
        ]
        for name in names:
            field = self._older.fields[name]
            likely = _find_likely_pair(field, free, self._problems)
            problem = (
                f'field "{name}" of "{self._newer.message.name}" in {self._older.version.name} has no counterpart in '
            )
            problem += f"{self._newer.version.name} and would be lost"
            hint = f'declare gone: ["{name}"] on message "{self._newer.message.name}" of {self._newer.version.name}'
            if likely:
                members = f'renamed_from: "{name}"' + " decimal: true" * _is_decimal_pair(field, likely)
                hint = (
                    f'if "{likely.name}" replaces "{name}", declare conversion {{{members}}} on "{likely.name}"; '
                    f"otherwise {hint}"
                )
            at = likely.field.at if likely else self._newer.message.at
            self._problems.report("conversion-lost", problem, at, path=self._newer.message.full_name, hint=hint)


def _find_likely_pair(field: VersionField, free: Sequence[VersionField], problems: Problems) -> VersionField | None:
    """Return the new field that most likely has the value of a lost one: of a similar name, number, or type."""
    near = problems.nearest(field.name, [other.name for other in free])
    related = [other for other in free if field.name in other.name or other.name in field.name]
    candidates: Iterator[VersionField] = iter([
        *(other for other in free if other.name == near), *related,
        *(other for other in free if other.field.number == field.field.number and _is_convertible(field, other)),
    ])  # fmt: skip
    return next(candidates, None)


def _is_convertible(field: VersionField, other: VersionField) -> bool:
    """Return whether two fields have the same type, or one is a string for the number of the other."""
    return field.type.value == other.type.value or _is_decimal_pair(field, other)


def _is_decimal_pair(field: VersionField, other: VersionField) -> bool:
    kinds = {field.type.value.kind, other.type.value.kind}
    return field.type.label == other.type.label and _STRING.kind in kinds and bool(kinds & INTEGERS.keys())


def _suggest_declaration(source: VersionField, field: VersionField) -> str:
    kinds = {source.type.value.kind, field.type.value.kind}
    labels = {source.type.label, field.type.label}
    if labels == {"single", "list"} and source.type.value == field.type.value:
        return "declare conversion {one_item: true} on the newer field"
    if "string" in kinds or (source.type.key != field.type.key and len(labels) == 1):
        return "declare conversion {decimal: true} for a number as a string, {values: ...}, or {function: ...}"
    if kinds == {"message"}:
        renamed = f'{{renamed_from: "{source.type.value.name}"}}'
        return f"declare type_conversion {renamed} on the message, or conversion {{function: ...}}"
    return "declare conversion {function: ...} on the newer field"


def _parse_key(source: VersionField, key: str) -> Any:
    """Return the key of a map as a value of its type."""
    is_number = source.type.key is not None and source.type.key.kind != "string"
    return int(key.strip("[]")) if is_number and key.strip("[]").isdecimal() else key
