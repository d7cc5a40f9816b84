"""The modules of the messages of a version: `messages.py` builds the classes, `messages.pyi` declares their types.

The classes are built from embedded descriptors, since generated `_pb2` modules require a recent runtime, and since two
files of one package with the same message name cannot be in the default descriptor pool.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterator, Mapping
from keyword import iskeyword

from protoc_gen_crd.conversion.plan.python_source import format_string
from protoc_gen_crd.groups.codegen.module_source import HEADER, format_module, list_words, select_imports, wrap_line
from protoc_gen_crd.groups.group_model import (
    WELL_KNOWN_PACKAGE,
    FieldType,
    GroupVersion,
    HubType,
    VersionField,
    VersionMessage,
)
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES, format_python_type, format_well_known_class

_NAME = re.compile(r"(?<![\w.])\w+")
_LINE = 96  # characters of base64 on a line


def generate_descriptors(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the module of the embedded descriptors of a version."""
    return _format_descriptors(
        plan.descriptors[version.index], f"Descriptors of version {version.name} of the group {plan.group.name}"
    )


def generate_group_descriptors(plan: GroupPlan) -> str:
    """Return the module of the embedded descriptors of all microversions of a group."""
    return _format_descriptors(plan.all_descriptors, f"Descriptors of all microversions of the group {plan.group.name}")


def _format_descriptors(descriptors: bytes, docstring: str) -> str:
    data = base64.b64encode(descriptors).decode()
    rows = [f"    {format_string(data[at : at + _LINE])}," for at in range(0, len(data), _LINE)]
    return format_module(f"{docstring}: a FileDescriptorSet in base64.", [], ["FILES = (", *rows, ")"])


def _list_messages(plan: GroupPlan, version: GroupVersion) -> dict[str, VersionMessage]:
    """Return the messages of a version by their names in its module, outer messages first."""
    members = [
        lineage.members[version.index] for lineage in plan.types.messages.values() if version.index in lineage.members
    ]
    by_path = {plan.get_message_path(version, member.message.full_name): member for member in members}
    return dict(sorted(by_path.items()))


def generate_messages(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the module that builds the message classes of a version."""
    full_names = {
        path.partition(".")[0]: member.message.full_name for path, member in _list_messages(plan, version).items()
    }
    roots = {
        path: ".".join(full_name.split(".")[: len(full_name.split(".")) - _count_outer(plan, version, full_name)])
        for path, full_name in full_names.items()
    }
    roots = {path: version.get_wire_name(full_name) for path, full_name in roots.items()}
    roots |= {name: full_name for full_name, name in list_well_known(plan, version).items()}
    lines = ["pool = load_pool(FILES)"]
    lines += [f"{path} = get_class(pool, {format_string(full_name)})" for path, full_name in sorted(roots.items())]
    imports = ["from ...runtime.pools import get_class, load_pool", "from .descriptors import FILES"]
    return format_module(f"Messages of version {version.name} of the group {plan.group.name}.", imports, lines)


def list_well_known(plan: GroupPlan, version: GroupVersion) -> dict[str, str]:
    """Return the names in the module of the well-known types that a version uses, by full name."""
    methods = version.service.methods
    used = {name for method in methods for name in (method.input_type, method.output_type)}
    types = [field.type.value for member in _list_messages(plan, version).values() for field in member.fields.values()]
    used |= {hub_type.name for hub_type in types if hub_type.kind == "well-known"}
    taken = {path.partition(".")[0] for path in _list_messages(plan, version)}
    names = sorted(name for name in used if name.startswith(f"{WELL_KNOWN_PACKAGE}."))
    short_names = [name.rpartition(".")[2] for name in names]
    return {
        name: f"Google{short_name}" if short_name in taken else short_name
        for name, short_name in zip(names, short_names, strict=True)
    }


def _count_outer(plan: GroupPlan, version: GroupVersion, full_name: str) -> int:
    return plan.get_message_path(version, full_name).count(".")


class _StubClass:
    """A class of the stub: its message, None for a message that only contains others, and the classes in it."""

    def __init__(self) -> None:
        self.message: VersionMessage | None = None
        self.nested: dict[str, _StubClass] = {}


def generate_stub(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the stub of the message classes of a version."""
    root = _StubClass()
    for path, member in _list_messages(plan, version).items():
        current = root
        for name in path.split("."):
            current = current.nested.setdefault(name, _StubClass())
        current.message = member
    writer = _StubWriter(plan, version)
    lines = ["pool: DescriptorPool", *writer.write_well_known(), *writer.write(root.nested)]
    lines += [f"{alias} = {name}" for alias, name in sorted(writer.aliases.items())]
    words = list_words(lines)
    standard = select_imports(words, _STANDARD)
    imports = [*standard, ""] if standard else []
    imports += select_imports(words, _PROTOBUF)
    wrapped = [line for statement in lines for line in wrap_line(statement)]
    return "\n".join([HEADER, *imports, "", *wrapped]) + "\n"


_STANDARD = {"collections.abc": ("Iterable", "Mapping")}
_PROTOBUF = {
    "google.protobuf": sorted({*WELL_KNOWN_MODULES.values()}),
    "google.protobuf.descriptor_pool": ("DescriptorPool",),
    "google.protobuf.internal.containers": (
        *("MessageMap", "RepeatedCompositeFieldContainer", "RepeatedScalarFieldContainer", "ScalarMap"),
    ),
    "google.protobuf.message": ("Message",),
}


class _StubWriter:
    """Writes the classes of a stub."""

    def __init__(self, plan: GroupPlan, version: GroupVersion) -> None:
        self._plan = plan
        self._version = version
        self._well_known = list_well_known(plan, version)
        self.aliases: dict[str, str] = {}

    def write_well_known(self) -> Iterator[str]:
        """Yield the classes of well-known types, which only look like those of the default pool."""
        for full_name, name in self._well_known.items():
            yield f"{name} = {format_well_known_class(full_name)}"

    def write(self, classes: Mapping[str, _StubClass], depth: int = 0) -> Iterator[str]:
        """Yield the lines of classes."""
        indent = "    " * depth
        for name, stub in sorted(classes.items()):
            if iskeyword(name):
                continue
            yield ""
            yield f"{indent}class {name}(Message):"
            yield from self.write(stub.nested, depth + 1)
            body = list(self._write_fields(stub.message)) if stub.message else []
            yield from (f"{indent}    {line}" for line in body)
            if not body and not stub.nested:
                yield f"{indent}    ..."

    def _write_fields(self, message: VersionMessage) -> Iterator[str]:
        fields = [field for field in message.fields.values() if not iskeyword(field.name)]
        names = {field.name for field in fields}
        for field in fields:
            yield f"{field.name}: {self._avoid(self._format_type(field.type), names)}"
        parameters = [
            f"{field.name}: {self._avoid(self._format_argument(field), names)} | None = None" for field in fields
        ]
        first = "self_" if "self" in names else "self"
        yield f"def __init__({', '.join([first, '*', *parameters] if parameters else [first])}) -> None: ..."

    def _avoid(self, type_text: str, names: Collection[str]) -> str:
        """Replace the names of types that are also names of fields by aliases."""

        def replace(match: re.Match[str]) -> str:
            if match[0] not in names:
                return match[0]
            self.aliases[f"_{match[0]}"] = match[0]
            return f"_{match[0]}"

        return _NAME.sub(replace, type_text)

    def _format_single(self, hub_type: HubType) -> str:
        if hub_type.kind == "enum":
            return "int"
        if hub_type.kind == "well-known":
            return self._well_known[hub_type.name]
        if hub_type.kind != "message":
            return format_python_type(hub_type)
        lineage = self._plan.types.messages[hub_type.name]
        member = lineage.members[self._version.index]
        return self._plan.get_message_path(self._version, member.message.full_name)

    def _format_type(self, field_type: FieldType) -> str:
        single = self._format_single(field_type.value)
        is_message = field_type.value.kind in ("message", "well-known")
        if field_type.label == "list":
            return f"Repeated{'Composite' if is_message else 'Scalar'}FieldContainer[{single}]"
        if field_type.label == "map" and field_type.key is not None:
            return f"{'Message' if is_message else 'Scalar'}Map[{format_python_type(field_type.key)}, {single}]"
        return single

    def _format_argument(self, field: VersionField) -> str:
        single = self._format_single(field.type.value)
        if field.type.label == "list":
            return f"Iterable[{single}]"
        if field.type.label == "map" and field.type.key is not None:
            return f"Mapping[{format_python_type(field.type.key)}, {single}]"
        return single
