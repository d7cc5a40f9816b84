"""The modules of conversions: straight-line functions between the messages of a version and the hub.

The functions to the hub return an object. The functions from the hub fill a message, since protobuf copies messages
that are assigned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from keyword import iskeyword

from protoc_gen_crd.conversion.plan.python_source import format_docstring, format_string
from protoc_gen_crd.groups.codegen.module_source import format_module, list_words, select_imports
from protoc_gen_crd.groups.codegen.runtime_files import VALUE_NAMES
from protoc_gen_crd.groups.group_model import EnumLineage, FieldType, GroupVersion, VersionField
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.hub_messages import VERSION, HubField, HubMessage
from protoc_gen_crd.groups.python_names import format_member, format_method, make_unique
from protoc_gen_crd.groups.python_names import format_module as format_module_name
from protoc_gen_crd.groups.value_conversions import PATH
from protoc_gen_crd.groups.value_expressions import (
    WELL_KNOWN_MODULES,
    Value,
    format_well_known_class,
    format_zero,
)

TO_HUB, FROM_HUB = "to_hub", "from_hub"


def get_function_name(class_name: str, direction: str) -> str:
    """Return the name of the conversion of a message."""
    return f"{format_method(class_name)}_{direction}"


def read_attribute(owner: str, name: str) -> str:
    """Return the expression that reads a field of a message, whose name may be a keyword of Python."""
    return f'getattr({owner}, "{name}")' if iskeyword(name) else f"{owner}.{name}"


class ConversionModule:
    """Generates the conversions of a version: of requests to the hub and responses from it, or the reverse."""

    def __init__(self, plan: GroupPlan, version: GroupVersion, *, for_client: bool = False) -> None:
        self._plan = plan
        self._version = version
        self._for_client = for_client
        self._queue: list[tuple[str, str]] = []  # class and direction
        self._tables: dict[str, list[str]] = {}
        self._fallible: Collection[tuple[str, str]] = ()
        self._variables: list[str] = []  # of the function that is written

    def generate(self) -> str:
        """Return the text of the module."""
        functions = self._generate_functions()
        self._fallible = _find_fallible(functions)
        functions = self._generate_functions()
        lines: list[str] = []
        for key in sorted(functions):
            lines += ["", "", *functions[key]]
        tables = [line for name in sorted(self._tables) for line in self._tables[name]]
        return self._format(["", *tables, *lines] if tables else lines[1:])

    def _format(self, lines: list[str]) -> str:
        words = list_words(lines)
        modules = sorted({*WELL_KNOWN_MODULES.values()} & words)
        imports = [f"from google.protobuf import {', '.join(modules)}", ""] if modules else []
        local = {"...runtime.values": VALUE_NAMES, "..": ("functions", "hub"), ".": ("messages",)}
        imports += select_imports(words, local)
        ends = "the requests of clients" if self._for_client else "the requests of servers"
        docstring = f"Conversions of {ends} in version {self._version.name} of the group {self._plan.group.name}."
        return format_module(docstring, imports, lines)

    def _generate_functions(self) -> dict[tuple[str, str], list[str]]:
        """Return the functions of all messages that the RPCs need, by class and direction."""
        ways = (FROM_HUB, TO_HUB) if self._for_client else (TO_HUB, FROM_HUB)
        self._queue = []
        for rpc in self._plan.group.rpcs:
            if self._version.index in rpc.methods:
                method = rpc.methods[self._version.index].method
                for full_name, way in zip((method.input_type, method.output_type), ways, strict=True):
                    name = self._plan.types.names.get((self._version.index, full_name))
                    self._queue += [(name, way)] if name else []
        functions: dict[tuple[str, str], list[str]] = {}
        while self._queue:
            key = self._queue.pop()
            if key not in functions:
                message = self._plan.messages[key[0]]
                generate = self._generate_to_hub if key[1] == TO_HUB else self._generate_from_hub
                functions[key] = list(generate(message))
        return functions

    def _generate_to_hub(self, message: HubMessage) -> Iterator[str]:
        function = message.find_functions(self._version.index).get("from", "")
        name, source = get_function_name(message.name, TO_HUB), self._format_class(message)
        body = [f"return functions.{function}(source, _derive_{name})"]
        if message.has_version:
            body = [f"converted = functions.{function}(source, _derive_{name})"]
            body += [f"converted.{VERSION} = hub.Version.{self._version.constant}", "return converted"]
        if function:
            yield f"def {name}(source: {source}) -> hub.{message.name}:"
            yield f'    """Convert a message to the hub by the function {function}."""'
            yield from (*(f"    {line}" for line in body), "", "")
        yield f"def {'_derive_' if function else ''}{name}(source: {source}) -> hub.{message.name}:"
        yield f'    """Convert {format_docstring(message.name)} of {self._version.name} to the hub."""'
        arguments = list(self._read_fields(message))
        if message.has_version:
            arguments.append(f"{VERSION}=hub.Version.{self._version.constant}")
        if not arguments:
            yield f"    return hub.{message.name}()"
            return
        yield f"    return hub.{message.name}("
        yield from (f"        {argument}," for argument in arguments)
        yield "    )"

    def _read_fields(self, message: HubMessage) -> Iterator[str]:
        written: set[str] = set()
        for field in message.fields:
            if field.attribute in written:
                continue
            written.add(field.attribute)
            if field.choice:
                members = [member for member in message.fields if member.choice and member.attribute == field.attribute]
                yield self._read_choice(message, members)
            else:
                value, sources = self._read_value(message, field)
                path = format_string(sources[0].name if sources else field.name)
                yield value.or_else(format_zero(field.type)).replace(PATH, path)

    def _read_value(self, message: HubMessage, field: HubField) -> tuple[Value, list[VersionField]]:
        """Return the value of a field of the hub, and the fields of the version that it is computed from."""
        sources: list[VersionField] = []

        def read(source: VersionField) -> Value:
            sources.append(source)
            return self._read(source)

        return message.get_hub_value(field, self._version.index, read), sources

    def _read_choice(self, message: HubMessage, members: Sequence[HubField]) -> str:
        """Return the expression of a oneof, whose members may be separate fields in the version."""
        code, choices = "", []
        oneofs: list[str] = []
        for field in members:
            value, sources = self._read_value(message, field)
            oneofs += [source.type.oneof for source in sources]
            if sources:
                condition, name = value.condition or value.code, format_string(sources[0].name)
                item = f"hub.{field.choice}({value.code})".replace(PATH, name)
                code += f"{item} if {condition} else "
                choices.append(f"*([({name}, {item})] if {condition} else [])")
        if len(choices) < 2 or ("" not in oneofs and len({*oneofs}) == 1):
            return f"{code}None"
        return f"get_choice([{', '.join(choices)}], {format_string(members[0].attribute)})"

    def _read(self, field: VersionField) -> Value:
        """Return the value of a field of the message `source` on the level of the hub."""
        code = read_attribute("source", field.name)
        label, kind = field.type.label, field.type.value.kind
        if label == "list":
            return Value(self._read_items(field.type, code, field.name))
        if label == "map":
            return Value(self._read_entries(field.type, code, field.name))
        condition = f'source.HasField("{field.name}")' if field.type.has_presence else ""
        if kind == "message":
            name = self._call(field.type.value.name, TO_HUB)
            if self._is_fallible(field.type.value.name, TO_HUB):
                return Value(f"nested({name}, {code}, {format_string(field.name)})", condition)
            return Value(f"{name}({code})", condition)
        return Value(self._read_item(field.type, code, field.name), condition)

    def _read_items(self, field_type: FieldType, code: str, path: str) -> str:
        if field_type.value.kind == "message":
            name = self._call(field_type.value.name, TO_HUB)
            if self._is_fallible(field_type.value.name, TO_HUB):
                return f"convert_items({name}, {code}, {format_string(path)})"
            return f"[{name}(item) for item in {code}]"
        item = self._read_item(field_type, "item", path)
        return f"list({code})" if item == "item" else f"[{item} for item in {code}]"

    def _read_entries(self, field_type: FieldType, code: str, path: str) -> str:
        if field_type.value.kind == "message":
            name = self._call(field_type.value.name, TO_HUB)
            if self._is_fallible(field_type.value.name, TO_HUB):
                return f"convert_entries({name}, {code}, {format_string(path)})"
            return f"{{key: {name}(item) for key, item in {code}.items()}}"
        item = self._read_item(field_type, "item", path)
        return f"dict({code})" if item == "item" else f"{{key: {item} for key, item in {code}.items()}}"

    def _read_item(self, field_type: FieldType, code: str, path: str) -> str:
        value = field_type.value
        if value.kind == "enum":
            return f"look_up({self._use_table(value.name, TO_HUB)}, {code}, {format_string(path)})"
        if value.kind == "well-known":
            return f"copy_message({format_well_known_class(value.name)}, {code})"
        return code

    def _generate_from_hub(self, message: HubMessage) -> Iterator[str]:
        function = message.find_functions(self._version.index).get("to", "")
        name, target = get_function_name(message.name, FROM_HUB), self._format_class(message)
        self._variables = []
        body = list(self._write_fields(message))
        fill = f"_fill_{format_method(message.name)}" if function else name
        if function:
            yield f"def {name}(source: hub.{message.name}, target: {target}) -> None:"
            yield f'    """Convert a message from the hub by the function {function}."""'
            yield from (f"    target.MergeFrom(functions.{function}(source, _derive_{name}))", "", "")
            yield f"def _derive_{name}(source: hub.{message.name}) -> {target}:"
            yield f'    """Convert the fields of {format_docstring(message.name)} that need no function."""'
            yield from (f"    target = {target}()", f"    {fill}(source, target)", "    return target", "", "")
        yield f"def {fill}(source: hub.{message.name}, target: {target}) -> None:"
        yield f'    """Fill {format_docstring(message.name)} of {self._version.name} from the hub."""'
        yield from (f"    {line}" for line in body)

    def _write_fields(self, message: HubMessage) -> Iterator[str]:
        for name in message.list_members(self._version.index):
            field = message.lineage.members[self._version.index].fields[name]
            value = message.get_version_value(self._version.index, name)
            path = format_string(name)
            lines = [line.replace(PATH, path) for lines in self._write(field, value) for line in lines.split("\n")]
            if value.condition:
                yield f"if {value.condition}:".replace(PATH, path)
                yield from (f"    {line}" for line in lines)
            else:
                yield from lines
        yield from self._check_choices(message)
        if self._for_client:
            yield from self._check_unset(message)

    def _check_unset(self, message: HubMessage) -> Iterator[str]:
        """Reject fields of requests that the version of the server does not have."""
        index = self._version.index
        if message.find_functions(index):
            return
        values = [message.get_version_value(index, name) for name in message.list_members(index)]
        words = {word for value in values for word in _list_attributes(f"{value.code} {value.condition}")}
        for field in message.fields:
            if field.attribute not in words:
                zero = format_zero(field.type)
                is_set = f"source.{field.attribute}{' is not None' if zero == 'None' or field.choice else ''}"
                arguments = f"path={format_string(field.name)}, version={format_string(self._version.name)}"
                yield f"check_unset(is_set=bool({is_set}), {arguments})"

    def _check_choices(self, message: HubMessage) -> Iterator[str]:
        """Reject the members of a oneof that the version does not have."""
        values = [
            message.get_version_value(self._version.index, name) for name in message.list_members(self._version.index)
        ]
        conditions = " ".join(value.condition for value in values)
        by_attribute: dict[str, list[HubField]] = {}
        for field in message.fields:
            if field.choice:
                by_attribute.setdefault(field.attribute, []).append(field)
        for attribute, members in by_attribute.items():
            known = [member for member in members if f"hub.{member.choice})" in conditions]
            if known and len(known) < len(members):
                classes = ", ".join(f"hub.{member.choice}" for member in known)
                yield f"check_choice(source.{attribute}, ({classes},), {format_string(attribute)})"

    def _write(self, field: VersionField, value: Value) -> Iterator[str]:
        """Yield the statements that write a field of the message `target`."""
        target, label, kind = read_attribute("target", field.name), field.type.label, field.type.value.kind
        if label == "list":
            yield self._write_items(field.type, target, value.code, field.name)
        elif label == "map":
            yield self._write_entries(field.type, target, value.code, field.name)
        elif kind == "message":
            name = self._call(field.type.value.name, FROM_HUB)
            if self._is_fallible(field.type.value.name, FROM_HUB):
                yield f"fill_nested({name}, {value.code}, {target}, {format_string(field.name)})"
            else:
                yield f"{name}({value.code}, {target})"
            yield f"{target}.SetInParent()"
        elif kind == "well-known":
            yield f"fill_copy({value.code}, {target})"
        else:
            code = self._write_item(field.type, value.code, field.name)
            yield f'setattr(target, "{field.name}", {code})' if iskeyword(field.name) else f"{target} = {code}"

    def _write_items(self, field_type: FieldType, target: str, code: str, path: str) -> str:
        if field_type.value.kind == "message":
            name = self._call(field_type.value.name, FROM_HUB)
            if self._is_fallible(field_type.value.name, FROM_HUB):
                return f"fill_items({name}, {code}, {target}.add, {format_string(path)})"
            item = self._make_variable("item")
            return f"for {item} in {code}:\n    {name}({item}, {target}.add())"
        if field_type.value.kind == "well-known":
            item = self._make_variable("item")
            return f"for {item} in {code}:\n    fill_copy({item}, {target}.add())"
        item = self._write_item(field_type, "item", path)
        return f"{target}.extend({code if item == 'item' else f'[{item} for item in {code}]'})"

    def _write_entries(self, field_type: FieldType, target: str, code: str, path: str) -> str:
        if field_type.value.kind == "message":
            name = self._call(field_type.value.name, FROM_HUB)
            if self._is_fallible(field_type.value.name, FROM_HUB):
                return f"fill_entries({name}, {code}, {target}, {format_string(path)})"
            key, item = self._make_variable("key"), self._make_variable("item")
            return f"for {key}, {item} in {code}.items():\n    {name}({item}, {target}[{key}])"
        if field_type.value.kind == "well-known":
            key, item = self._make_variable("key"), self._make_variable("item")
            return f"for {key}, {item} in {code}.items():\n    fill_copy({item}, {target}[{key}])"
        item = self._write_item(field_type, "item", path)
        entries = code if item == "item" else f"{{key: {item} for key, item in {code}.items()}}"
        return f"{target}.update({entries})"

    def _make_variable(self, name: str) -> str:
        """Return a name of a variable that the function does not use yet."""
        self._variables.append(make_unique(name, self._variables))
        return self._variables[-1]

    def _write_item(self, field_type: FieldType, code: str, path: str) -> str:
        if field_type.value.kind == "enum":
            return f"look_up({self._use_table(field_type.value.name, FROM_HUB)}, {code}, {format_string(path)})"
        return code

    def _call(self, class_name: str, direction: str) -> str:
        self._queue.append((class_name, direction))
        return get_function_name(class_name, direction)

    def _is_fallible(self, class_name: str, direction: str) -> bool:
        return not self._fallible or (class_name, direction) in self._fallible

    def _format_class(self, message: HubMessage) -> str:
        full_name = message.lineage.members[self._version.index].message.full_name
        return f"messages.{self._plan.get_message_path(self._version, full_name)}"

    def _use_table(self, class_name: str, direction: str) -> str:
        """Return the name of the table of an enum, and add it to the module."""
        enum = self._plan.types.enums[class_name]
        name = f"_{format_module_name(class_name).upper()}_{direction.upper()}"
        self._tables[name] = list(self._generate_table(name, enum, direction))
        return name

    def _generate_table(self, name: str, enum: EnumLineage, direction: str) -> Iterator[str]:
        members = enum.members[self._version.index]
        rows: dict[str, str] = {}
        for value in members.values:
            member = f"hub.{enum.name}.{format_member(value.name)}"
            key, counterpart = (str(value.number), member) if direction == TO_HUB else (member, str(value.number))
            rows.setdefault(key, counterpart)
        yield f"{name} = {{"
        yield from (f"    {key}: {value}," for key, value in rows.items())
        yield "}"


def _list_attributes(code: str) -> list[str]:
    """Return the names of the attributes of the object `source` in code."""
    return _ATTRIBUTE.findall(code)


_ATTRIBUTE = re.compile(r"\bsource\.(\w+)")


def _find_fallible(functions: dict[tuple[str, str], list[str]]) -> frozenset[tuple[str, str]]:
    """Return the functions that can raise ConversionError, by themselves or by the functions that they call."""
    by_name = {get_function_name(*key): key for key in functions}
    words = {key: list_words(lines) for key, lines in functions.items()}
    calls = {key: {by_name[word] for word in used if word in by_name} - {key} for key, used in words.items()}
    fallible = {key for key, used in words.items() if used & _RAISING}
    while added := {key for key, called in calls.items() if called & fallible} - fallible:
        fallible |= added
    return frozenset(fallible) or frozenset([("", "")])


_RAISING = VALUE_NAMES - {
    *("nested", "fill_nested", "convert_items", "convert_entries", "fill_items", "fill_entries"),
    *("copy_message", "fill_copy", "replace", "join_parts", "get_part", "make_entries", "look_up_or_keep"),
} | {"functions"}
