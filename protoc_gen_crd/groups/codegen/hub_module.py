"""The module `hub.py` of a group: versions, enums, and dataclasses that represent the messages of every version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.plan.python_source import format_comment, format_docstring
from protoc_gen_crd.groups.codegen.module_source import format_module, indent, list_words, summarize
from protoc_gen_crd.groups.group_model import EnumLineage
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.hub_messages import VERSION, HubField, HubMessage
from protoc_gen_crd.groups.python_names import format_member
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES, format_hub_type, format_python_type, format_zero

_WELL_KNOWN_MODULES = sorted({*WELL_KNOWN_MODULES.values(), "descriptor_pb2"})


def generate_hub(plan: GroupPlan) -> str:
    """Return the text of the module."""
    lines = [*_generate_version(plan)]
    for enum in sorted(plan.types.enums.values(), key=lambda enum: enum.name):
        lines += ["", "", *_generate_enum(enum)]
    for message in sorted(plan.messages.values(), key=lambda message: message.name):
        lines += _generate_choices(message)
        lines += ["", "", *_generate_class(message, plan)]
    words = list_words(lines)
    imports = ["import enum"] if "enum" in words else []
    if "dataclass" in words:
        imports.append(f"from dataclasses import dataclass{', field' if 'field' in words else ''}")
    used = [module for module in _WELL_KNOWN_MODULES if module in words]
    imports += ["", f"from google.protobuf import {', '.join(used)}"] if used else []
    imports += ["", "from ..runtime.microversions import Microversion"] if plan.group.line else []
    return format_module(f"Types of the group {plan.group.name} that represent every version.", imports, ["", *lines])


def _generate_version(plan: GroupPlan) -> Iterator[str]:
    is_line = plan.group.line is not None
    yield f"class Version({'Microversion' if is_line else 'enum.IntEnum'}):"
    yield f'    """A version of the group {format_docstring(plan.group.name)}, ordered by age."""'
    yield ""
    for version in plan.group.versions:
        yield f"    {version.constant} = {version.index}"
    if is_line:
        return
    yield ""
    yield "    @property"
    yield "    def label(self) -> str:"
    yield '        """The name of the version, such as v1beta1."""'
    yield "        return self.name.lower()"


def _generate_enum(enum: EnumLineage) -> Iterator[str]:
    newest = enum.members[max(enum.members)]
    yield f"class {enum.name}(enum.IntEnum):"
    yield f'    """{format_docstring(_summarize(newest.comment, f"Values of the enum {newest.name}."))}"""'
    yield ""
    for name, number in enum.values.items():
        yield f"    {format_member(name)} = {number}"


def _generate_choices(message: HubMessage) -> Iterator[str]:
    """Generate a class for each member of the oneofs of a message."""
    for field in message.fields:
        if field.choice:
            yield from ("", "", "@dataclass(slots=True)", f"class {field.choice}:")
            yield f'    """The member {format_docstring(field.name)} of {message.name}."""'
            yield from ("", f"    value: {format_python_type(field.type.value)}")


def _generate_class(message: HubMessage, plan: GroupPlan) -> Iterator[str]:
    newest = message.lineage.newest.message
    yield "@dataclass(slots=True)"
    yield f"class {message.name}:"
    yield f'    """{format_docstring(_summarize(newest.comment, f"The message {newest.name}."))}"""'
    if message.fields or message.has_version:
        yield ""
    yield from indent(_generate_fields(message.fields, plan))
    if message.has_version:
        constant = plan.group.versions[-1].constant
        yield f"    {VERSION}: Version = field(default=Version.{constant}, compare=False, repr=False, kw_only=True)"


def _generate_fields(fields: Sequence[HubField], plan: GroupPlan) -> Iterator[str]:
    written: set[str] = set()
    for field in fields:
        if field.attribute in written:
            continue
        written.add(field.attribute)
        yield from _generate_comment(field, plan)
        if field.choice:
            choices = [member.choice for member in fields if member.choice and member.attribute == field.attribute]
            yield f"{field.attribute}: {' | '.join(choices)} | None = None"
        else:
            yield f"{field.attribute}: {format_hub_type(field.type)} = {_format_default(field, plan)}"


def _generate_comment(field: HubField, plan: GroupPlan) -> Iterator[str]:
    notice = plan.get_deprecation(field.origin.field)
    if notice:
        yield format_comment(f"Deprecated: {notice}")
    if field.last:
        yield format_comment(f"Last version: {field.last}.")


def _format_default(field: HubField, plan: GroupPlan) -> str:
    enum = plan.types.enums.get(field.type.value.name)
    if field.type.label != "single":
        return f"field(default_factory={'list' if field.type.label == 'list' else 'dict'})"
    zero = format_zero(field.type)
    if enum is None or zero == "None":
        return zero
    first = next((name for name, number in enum.values.items() if number == 0), next(iter(enum.values)))
    return f"{enum.name}.{format_member(first)}"


def _summarize(comment: str, default: str) -> str:
    return summarize(comment) or default
