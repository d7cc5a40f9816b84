"""The path of fields to the current message, with findings about cycles, depth, and size."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.generation.schema_size import DEPTH
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Field, Message

_MAX_NAMES = 12  # fields of a path in a message


class MessageStack:
    """A stack of fields. With `is_unused`, the current message is in no CRD, and may be recursive or too large."""

    def __init__(self, api: ApiSet, problems: Problems) -> None:
        self.is_unused = False
        self._api = api
        self._problems = problems
        self._fields: list[Field] = []
        self._broken: set[str] = set()

    def push(self, field: Field) -> None:
        """Push a field."""
        self._fields.append(field)

    def pop(self) -> None:
        """Pop the last field."""
        self._fields.pop()

    @property
    def place(self) -> Place | None:
        """The location of the last field."""
        return self._fields[-1].at if self._fields else None

    def report_missing(self, name: str) -> None:
        """Report a type that is not in the request."""
        self._problems.report("type-missing", f'type "{name}" is not declared', self.place, path=name)

    def check_depth(self, field: Field) -> bool:
        """Report a field that exceeds the maximum depth. Return True if it does."""
        if len(self._fields) <= DEPTH:
            return False
        problem = f"messages are nested more than {DEPTH} deep: {_format_fields(self._fields)}"
        self._problems.report("schema-depth", problem, field.at, path=field.full_name)
        return True

    def report_size(self, excess: str, message: Message) -> None:
        """Report a schema that is too large."""
        where = _format_fields(self._fields) or message.full_name
        problem = f"schema at {where} is too large: {excess}"
        hint = "mark a field of the path +protoc-gen-crd:opaque, or raise node_limit or byte_limit"
        self._problems.report("schema-size", problem, message.at, path=message.full_name, hint=hint)

    def report_cycle(self, name: str) -> None:
        """Report a recursive message with the fields of the cycle. Each cycle is reported once."""
        start = next(index for index, field in enumerate(self._fields) if _get_owner(field) == name)
        cycle = self._fields[start:]
        closing = cycle[-1]
        if closing.full_name in self._broken or self.is_unused:
            return
        self._broken.add(closing.full_name)
        short = name.rpartition(".")[2]
        self._problems.report(
            "schema-recursive",
            f'message "{short}" is recursive: {_format_fields(cycle)} -> {short}',
            closing.at,
            path=closing.full_name,
            hint=self._suggest_fix(name, cycle),
        )

    def _suggest_fix(self, name: str, cycle: Sequence[Field]) -> str:
        """Suggest a field that breaks the cycle: in it, or before it if the cycle is imported."""
        target_fields = [field for field in self._fields if self._api.get_file(field.at.source.file).target]
        if not target_fields or any(field is member for field in target_fields for member in cycle):
            return (
                'mark one field of the cycle +protoc-gen-crd:opaque, in the file or under "overrides:" in the settings '
                "file: its schema becomes an object with arbitrary fields"
            )
        fix = f'mark "{target_fields[-1].full_name}" +protoc-gen-crd:opaque'
        return f'the cycle is in imported files: {fix}, or declare a schema for "{name}" under "types" in the settings'


def _get_owner(field: Field) -> str:
    """Return the full name of the message of a field."""
    return field.full_name.rpartition(".")[0]


def _format_fields(fields: Sequence[Field]) -> str:
    """Format a path of fields; of a long one the first and the last."""
    names = [f"{_get_owner(field).rpartition('.')[2]}.{field.name}" for field in fields]
    if len(names) > _MAX_NAMES:
        names[_MAX_NAMES // 2 : -_MAX_NAMES // 2] = [f"({len(names) - _MAX_NAMES} more fields)"]
    return " -> ".join(names)
