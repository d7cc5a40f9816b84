"""The comparison of two summaries of protos: what protobuf clients notice, element by element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Difference
from protoc_gen_crd.comparison.protos.member_groups import (
    DESCRIPTOR,
    check_reservation,
    compare_oneofs,
    compare_reservations,
)
from protoc_gen_crd.comparison.protos.proto_summary import (
    ENUM,
    MESSAGE,
    SERVICE,
    Facts,
    ProtoSummary,
    ProtoType,
    get_json_name,
)
from protoc_gen_crd.comparison.protos.service_comparison import IDEMPOTENCY_FACT, compare_services

REUSED, TYPE = "change-number-reused", "change-wire-type"
PRESENCE, PACKAGE, LANGUAGE = "change-field-presence", "change-package", "change-language-option"
MESSAGE_NAME = "change-message-name"
DEPRECATED, WITHDRAWN = "change-deprecated", "change-deprecation-withdrawn"
NUMBERS = {MESSAGE: "change-field-number", ENUM: "change-enum-number"}
TYPE_ITSELF = "type"  # the keyword of a type that one side has
IMPORT, JSON = "import", "json"
_FILE_PARTS = {"imports": IMPORT, "extensions": "extension"}  # facts of a file by name, and their keywords
_FIRST_EDITION, _FIRST_YEAR, _LAST_YEAR = 1000, 2023, 2099
_DIGESTS = ("options", "oneofs")
_NO_EFFECT = (
    "deprecated", "file", "number", "type", "oneof", "reservedNumbers", "reservedNames", "request", "response",
    IDEMPOTENCY_FACT,
)  # fmt: skip
# Rules of facts of a member, by kind of its type. All other facts are reported as parts of the descriptor.
_FACT_RULES = {
    MESSAGE: {
        JSON: "change-field-renamed", "presence": PRESENCE, "default": "change-default", "required": "",
    },
}  # fmt: skip
_ELEMENTS = {MESSAGE: "field", ENUM: "enum value"}
_ADDED = {MESSAGE: "change-field-added", ENUM: "change-enum-value-added"}
REMOVED = {MESSAGE: "change-field-removed", ENUM: "change-enum-value-removed"}
RENAMED = {MESSAGE: "change-field-renamed", ENUM: "change-enum"}


class ProtoDifference(Record):
    """A difference of a file, of a type, or of its member; `old_owner` is the old name of the type.

    `old_member` is the old name of the member if it has another.
    """

    owner: str
    member: str
    difference: Difference
    old_owner: str = ""
    old_member: str = ""


def compare_protos(
    old: ProtoSummary, new: ProtoSummary, messages: Mapping[str, str] | None = None
) -> Iterator[ProtoDifference]:
    """Yield the differences of two summaries: files, then types in the order of their names.

    A file with another package has types with other names, which are compared with the old ones, and so are `messages`
    of kinds, new names by old ones.
    """
    packages = {}
    for name, after in new.files.items():
        if before := old.files.get(name):
            if before["package"] != after["package"]:
                packages[before["package"]] = after["package"]
            for part, difference in _compare_files(before, after):
                yield ProtoDifference(name, part, difference, name)
    for old_name, new_name in (messages or {}).items():
        names = old.get_relative_name(old_name), new.get_relative_name(new_name)
        if names[0] != names[1]:
            yield ProtoDifference(new_name, "", Difference(MESSAGE_NAME, "message", *names), old_name)
            packages |= {} if new_name in old.types else {old_name: new_name}
    comparison = _TypeComparison(old, new, packages)
    yield from comparison.compare()


def _compare_files(old: Facts, new: Facts) -> Iterator[tuple[str, Difference]]:
    """Yield the differences of two files, with the names of their parts."""
    if old["package"] != new["package"]:
        yield "", Difference(PACKAGE, "package", old["package"], new["package"])
    for fact in ("languages", *_FILE_PARTS):
        before, after = old.get(fact, {}), new.get(fact, {})
        for name in sorted({*before, *after}):
            if before.get(name) != after.get(name):
                rule, keyword = (DESCRIPTOR, _FILE_PARTS[fact]) if fact in _FILE_PARTS else (LANGUAGE, name)
                yield name, Difference(rule, keyword, before.get(name), after.get(name))
    if old["syntax"] != new["syntax"]:
        yield "", Difference(DESCRIPTOR, "syntax", _format_syntax(old["syntax"]), _format_syntax(new["syntax"]))
    rest = _compare_rest(old, new, ("package", "syntax", "languages", "deprecated", *_FILE_PARTS))
    yield from (("", difference) for difference in rest)


def _format_syntax(syntax: str) -> str:
    """Return a syntax with the year of the edition instead of its number, which descriptors have: 1000 for 2023."""
    _, _, edition = syntax.partition("edition ")
    year = int(edition) + _FIRST_YEAR - _FIRST_EDITION if edition.isdecimal() else 0
    return f"edition {year}" if _FIRST_YEAR <= year <= _LAST_YEAR else syntax


def _compare_rest(old: Facts, new: Facts, claimed: tuple[str, ...]) -> Iterator[Difference]:
    """Yield the differences of facts that no other rule claims."""
    for name in sorted({*old, *new} - {*claimed}):
        if old.get(name) != new.get(name):
            is_digest = name in _DIGESTS
            yield Difference(DESCRIPTOR, name, *((None, None) if is_digest else (old.get(name), new.get(name))))


def _pair_members(old: ProtoType, new: ProtoType) -> Mapping[str, str]:
    """Return the new names of old members: the same name, or else that of the same number, or of the same JSON name."""
    pairs = {name: name for name in old.members if name in new.members}
    for get_key in (_get_number, get_json_name) if len(pairs) < len(old.members) else ():
        used = {*pairs.values()}
        free = {get_key(name, facts): name for name, facts in new.members.items() if name not in used}
        for name, facts in old.members.items() if free else ():
            if name not in pairs and get_key(name, facts) in free:
                pairs[name] = free[get_key(name, facts)]
    return pairs


def _get_number(name: str, facts: Facts) -> object:
    """Return the number of a member; the name of a method."""
    return facts.get("number", name)


class _TypeComparison:
    def __init__(self, old: ProtoSummary, new: ProtoSummary, packages: Mapping[str, str]) -> None:
        self._old, self._new, self._packages = old, new, packages
        self._renamed = {name: self._rename(name) for name in old.types} if packages else {}

    def compare(self) -> Iterator[ProtoDifference]:
        before = {self._find_name(name): (name, proto_type) for name, proto_type in self._old.types.items()}
        for name in sorted({*before, *self._new.types}):
            old_name, old = before.get(name, (name, None))
            new = self._new.types.get(name)
            if old is None or new is None or old.kind != new.kind:
                yield from self._compare_presence(name, old, new)
                continue
            pairs = _pair_members(old, new)
            old_members = {member: old_member for old_member, member in pairs.items() if old_member != member}
            for member, difference in self._compare_types(old, new, pairs):
                yield ProtoDifference(name, member, difference, old_name, old_members.get(member, ""))

    def _find_name(self, name: str) -> str:
        """Return the new name of an old type."""
        return self._renamed.get(name, name)

    def _rename(self, name: str) -> str:
        package = max(
            (candidate for candidate in self._packages if f"{name}.".startswith(f"{candidate}.")), key=len, default=""
        )
        is_moved = package and name not in self._new.types
        return f"{self._packages[package]}{name.removeprefix(package)}" if is_moved else name

    @staticmethod
    def _compare_presence(name: str, old: ProtoType | None, new: ProtoType | None) -> Iterator[ProtoDifference]:
        """Report a type that only one side has."""
        before, after = (proto_type.kind if proto_type else None for proto_type in (old, new))
        yield ProtoDifference(name, "", Difference(DESCRIPTOR, TYPE_ITSELF, before, after), name)

    def _compare_types(
        self, old: ProtoType, new: ProtoType, pairs: Mapping[str, str]
    ) -> Iterator[tuple[str, Difference]]:
        if old.kind == SERVICE:
            yield from compare_services(old, new, self._translate)
            for name in (name for name in old.members if name in new.members):
                rest = _compare_rest(old.members[name], new.members[name], _NO_EFFECT)
                yield from ((name, difference) for difference in rest)
        else:
            yield from self._compare_messages(old, new, pairs)
        yield from (("", difference) for difference in _compare_rest(old.facts, new.facts, _NO_EFFECT))

    def _compare_messages(
        self, old: ProtoType, new: ProtoType, pairs: Mapping[str, str]
    ) -> Iterator[tuple[str, Difference]]:
        """Yield the differences of two messages or enums, except those of their own options."""
        for name, before in old.members.items():
            successor = pairs.get(name, "")
            if not successor:
                yield name, _make_member_difference(REMOVED, old.kind, before, None, name)
                yield from ((name, difference) for difference in check_reservation(new, name, before))
                continue
            after = new.members[successor]
            is_same = old.kind == MESSAGE and get_json_name(name, before) == get_json_name(successor, after)
            if successor != name and not is_same and self._get_type(before) != after.get("type", ""):
                yield successor, Difference(REUSED, "number", name, successor)
            elif successor != name:
                yield successor, _make_name_difference(old.kind, name, successor, before, after)
            if successor == name or is_same:
                rest = self._compare_members(old.kind, successor, {JSON: name, **before}, {JSON: successor, **after})
                yield from ((successor, difference) for difference in rest)
        used = {*pairs.values()}
        for name, after in new.members.items():
            if name not in used:
                is_reserved = old.is_reserved(after.get("number", 0)) or name in old.facts.get("reservedNames", ())
                if is_reserved:
                    yield name, Difference(REUSED, "number", None, name)
                else:
                    yield name, _make_member_difference(_ADDED, new.kind, None, after, name)
        yield from compare_oneofs(old, new)
        yield from (("", difference) for difference in compare_reservations(old, new))

    def _is_equivalent(self, old: str, new: str, compared: set[tuple[str, str]]) -> bool:
        """Return whether two types have another name, and the same fields or values.

        Pairs in `compared` count as equivalent. The first different pair ends the comparison, so each is compared once.
        """
        if self._translate(old) == new or (old, new) in compared:
            return True
        compared.add((old, new))
        before, after = self._old.types.get(old), self._new.types.get(new)
        if before is None or after is None or before.kind != after.kind or [*before.members] != [*after.members]:
            return False
        return all(
            {**facts, "type": ""} == {**after.members[name], "type": ""}
            and self._is_equivalent(facts.get("type", ""), after.members[name].get("type", ""), compared)
            for name, facts in before.members.items()
        )

    def _get_type(self, facts: Facts) -> str:
        """Return the type of an old field with the new names of types."""
        return self._translate(facts.get("type", ""))

    def _translate(self, text: str) -> str:
        for name, renamed in self._renamed.items():
            if text.endswith(name) or f"{name}>" in text:
                return text.replace(name, renamed)
        return text

    def _compare_members(self, kind: str, name: str, before: Facts, after: Facts) -> Iterator[Difference]:
        if before.get("number") != after.get("number"):
            yield Difference(NUMBERS[kind], "number", before["number"], after["number"])
        if self._get_type(before) != after.get("type", ""):
            is_equal = self._is_equivalent(before["type"], after["type"], set())
            yield Difference(DESCRIPTOR if is_equal else TYPE, "type", before["type"], after["type"])
        if before.get("deprecated") != after.get("deprecated"):
            yield Difference(DEPRECATED if after.get("deprecated") else WITHDRAWN, _ELEMENTS[kind], name, name)
        rules = _FACT_RULES.get(kind, {})
        for fact, rule in rules.items():
            values = before.get(fact), after.get(fact)
            if values[0] != values[1] and not (fact == "presence" and "oneof" in {*before, *after}):
                yield Difference(rule or f"change-required-{'added' if values[1] else 'removed'}", fact, *values)
        yield from _compare_rest(before, after, (*_NO_EFFECT, *rules))


def _make_name_difference(kind: str, old: str, new: str, before: Facts, after: Facts) -> Difference:
    """Return the difference of a member that has another name and the same number."""
    if kind == ENUM:
        return Difference(RENAMED[kind], "enum", [old], [new])
    names = get_json_name(old, before), get_json_name(new, after)
    is_in_json = names[0] != names[1] and names != (old, new)
    return Difference(RENAMED[kind], JSON, *names) if is_in_json else Difference(RENAMED[kind], "name", old, new)


def _make_member_difference(
    table: Mapping[str, str], kind: str, before: Facts | None, after: Facts | None, name: str
) -> Difference:
    """Return the difference of a member that one side has, with the values that its message shows."""
    if kind == ENUM:
        return Difference(table[kind], "enum", [name] if before else [], [name] if after else [])
    old, new = (
        member_facts and (member_facts["type"] if kind == MESSAGE else name) for member_facts in (before, after)
    )
    is_required = kind == MESSAGE and bool(after and after.get("required"))
    return Difference("change-field-added-required" if is_required else table[kind], "", old, new)
