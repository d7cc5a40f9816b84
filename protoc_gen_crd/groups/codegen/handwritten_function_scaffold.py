"""The file `functions.py` of hand-written conversions: the required functions, and its initial content."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.python_source import format_docstring, format_string
from protoc_gen_crd.groups.codegen.module_source import format_module, get_natural_key, list_words
from protoc_gen_crd.groups.group_model import Declaration, FieldType
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.hub_messages import HubMessage
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES, format_hub_type

WRITTEN_ONCE = "# Written once by protoc-gen-crd. It is yours: generate never overwrites it."
_DERIVED = "Callable[[{0}], {1}]"


class FunctionSignature(Record):
    """A hand-written function: its name, parameters, and result. `message` is the class that it returns as a whole.

    `underived` are the fields of older versions that `derived` does not convert.
    """

    name: str
    parameters: str
    result: str
    description: str
    message: str = ""
    underived: tuple[str, ...] = ()


def list_functions(plan: GroupPlan) -> dict[str, FunctionSignature]:
    """Return the functions that the conversions of a group call, by name."""
    functions: dict[str, FunctionSignature] = {}
    for name in sorted(plan.messages):
        for function in (
            *_list_field_functions(plan.messages[name]),
            *_list_message_functions(plan, plan.messages[name]),
        ):
            functions.setdefault(function.name, function)
    return functions


def _list_field_functions(message: HubMessage) -> Iterator[FunctionSignature]:
    for pair in message.links:
        for link in pair.links:
            declarations = [declaration for name in link.newer for declaration in pair.newer.fields[name].declarations]
            names = _get_functions(declarations)
            fields = pair.older.fields[link.older[0]], pair.newer.fields[link.newer[0]]
            for way, (source, target) in {"from": fields, "to": fields[::-1]}.items():
                if names.get(way):
                    types = [_format_type(field.type) for field in (source, target)]
                    description = f"{source.field.full_name} to {target.field.full_name}"
                    yield FunctionSignature(names[way], f"value: {types[0]}", types[1], description)


def _get_functions(declarations: list[Declaration]) -> dict[str, str]:
    return next(
        (dict(declaration.values["function"]) for declaration in declarations if "function" in declaration.values), {}
    )


def _format_type(field_type: FieldType) -> str:
    """Return the type of a value that is set."""
    return format_hub_type(field_type.replace(has_presence=False), "hub.").removesuffix(" | None")


def _list_message_functions(plan: GroupPlan, message: HubMessage) -> Iterator[FunctionSignature]:
    """Yield the functions for the whole message, which convert all older versions."""
    for pair in message.links:
        older = [index for index in message.lineage.members if index <= pair.older.version.index]
        names = [
            f"{plan.group.versions[index].module}_messages."
            + plan.get_message_path(plan.group.versions[index], message.lineage.members[index].message.full_name)
            for index in older
        ]
        versions, hub = " | ".join(names), f"hub.{message.name}"
        if pair.functions.get("from"):
            parameters = f"source: {versions}, derived: {_DERIVED.format('Any', hub)}"
            description = f"{message.name} to the hub"
            yield FunctionSignature(pair.functions["from"], parameters, hub, description, message.name, pair.underived)
        if pair.functions.get("to"):
            parameters = f"source: {hub}, derived: {_DERIVED.format(hub, 'Any')}"
            description = f"{message.name} from the hub"
            yield FunctionSignature(pair.functions["to"], parameters, "Any", description, underived=pair.underived)


def _get_body(function: FunctionSignature) -> str:
    """Return the initial statement of a function: an error, unless all fields are derived."""
    if "derived:" in function.parameters and not function.underived:
        return "return derived(source)"
    arguments = ", ".join(format_string(name) for name in function.underived or (function.name,))
    return f"raise NotImplementedError({arguments})"


def generate_functions(plan: GroupPlan) -> str:
    """Return the initial content of the file."""
    lines: list[str] = []
    for function in list_functions(plan).values():
        lines += ["", "", f"def {function.name}({function.parameters}) -> {function.result}:"]
        remark = f". `derived` does not convert {', '.join(function.underived)}" * bool(function.underived)
        lines += [f'    """Convert {format_docstring(function.description + remark)}."""', f"    {_get_body(function)}"]
    words = list_words(lines)
    imports = ["from collections.abc import Callable"] if "Callable" in words else []
    imports += ["from typing import Any"] if "Any" in words else []
    modules = sorted({*WELL_KNOWN_MODULES.values()} & words)
    imports += ["", f"from google.protobuf import {', '.join(modules)}"] if modules else []
    imports += ["", "from . import hub"] if "hub" in words else []
    names = sorted((version.module for version in plan.group.versions), key=get_natural_key)
    imports += [f"from .{name} import messages as {name}_messages" for name in names if f"{name}_messages" in words]
    return format_module(f"Hand-written conversions of the group {plan.group.name}.", imports, lines[1:], WRITTEN_ONCE)
