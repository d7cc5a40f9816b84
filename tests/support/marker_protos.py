"""The .proto files of a case of markers: all its spellings in one file."""

from __future__ import annotations

import re

from tests.support.marker_cases import Case, Spelling

_FIELD_TYPES = {"": "{}", "items": "repeated {}", "values": "map<string, {}>"}

# The declaration of a type for one spelling, and the name of that type in a field, by kind of case.
_TYPES = {
    "member": ("message {name} {{\n{comment}{body} value = 1{bracket};\n}}\n", "{name}"),
    "message": ("{comment}message {name} {{\n{statements}{body}\n}}\n", "{name}"),
    "enum": ("message {name} {{\n{comment}enum Enum {{\n{statements}{body}\n}}\n}}\n", "{name}.Enum"),
    "value": ("message {name} {{\nenum Enum {{\nFIRST = 0;\n{comment}SECOND = 1{bracket};\n}}\n}}\n", "{name}.Enum"),
    "oneof": ("message {name} {{\n{comment}oneof choice {{\n{statements}{body}\n}}\n}}\n", "{name}"),
}
_RESOURCE = (
    "{comment}message {name} {{\n"
    'option (protoc_gen_crd.v1.resource).group = "{lower}.acme.com";\n'
    'option (protoc_gen_crd.v1.resource).kind = "Case";\n'
    "{statements}{body}\n}}\n"
)
_IMPORTS = {
    r"google\.api\.": "google/api/field_behavior.proto",
    "google.protobuf.Any": "google/protobuf/any.proto",
    "google.protobuf.Duration": "google/protobuf/duration.proto",
    "google.protobuf.Empty": "google/protobuf/empty.proto",
    "google.protobuf.(ListValue|Struct|Value)": "google/protobuf/struct.proto",
    "google.protobuf.Timestamp": "google/protobuf/timestamp.proto",
    "google.protobuf.[A-Za-z0-9]+Value": "google/protobuf/wrappers.proto",
    "protoc_gen_crd.v1.": "protoc_gen_crd/v1/options.proto",
}


def protos(case: Case) -> dict[str, str]:
    """Return the files of a case by name: one, unless the package itself has the markers."""
    if case.kind == "proto":
        return {"api.proto": _file(case.body, case)}
    if case.kind == "package":
        return {f"{spelling.name}.proto": _file(_package(case, spelling), case) for spelling in case.spellings}
    if case.kind == "resource":
        declared = "\n".join([_declared(_RESOURCE, spelling, case.body) for spelling in case.spellings])
    else:
        declared = _fields(case) if case.kind == "field" else _types(case)
    return {"api.proto": _file(_indented(f"{declared}{case.declarations}"), case)}


def _fields(case: Case) -> str:
    """Declare a field for each spelling in one message, and for each nesting a field without markers."""
    plain = [Spelling(f"plain{nest.capitalize()}", nest=nest) for nest in dict.fromkeys(s.nest for s in case.spellings)]
    template = "{comment}{body} {lower} = {number}{bracket};\n"
    spellings = enumerate((*plain, *case.spellings), 1)
    fields = [
        _declared(template, spelling, _FIELD_TYPES[spelling.nest].format(case.body), number)
        for number, spelling in spellings
    ]
    return _main("".join(fields))


def _types(case: Case) -> str:
    """Declare a type for each spelling, and a message with a field of each type."""
    declaration, reference = _TYPES[case.kind]
    spellings = (Spelling("plain"), *case.spellings)
    fields = [
        f"{reference.format(name=_type_name(spelling))} {spelling.name} = {n};\n"
        for n, spelling in enumerate(spellings, 1)
    ]
    return "\n".join([_main("".join(fields)), *[_declared(declaration, spelling, case.body) for spelling in spellings]])


def _main(fields: str) -> str:
    return f'message Case {{\noption (protoc_gen_crd.v1.resource).group = "acme.com";\n{fields}}}\n'


def _type_name(spelling: Spelling) -> str:
    return spelling.name[0].upper() + spelling.name[1:]


def _declared(template: str, spelling: Spelling, body: str, number: int = 0) -> str:
    return template.format(
        name=_type_name(spelling),
        lower=spelling.name,
        number=number,
        body=body.rstrip("\n"),
        comment="".join([f"// {line}\n" for line in spelling.lines]),
        statements="".join([f"option {option};\n" for option in spelling.options]),
        bracket=f" [{', '.join(spelling.options)}]" if spelling.options else "",
    )


def _package(case: Case, spelling: Spelling) -> str:
    package = f"package {scope_of(case)}.{spelling.name}.v1;"
    return _indented(_declared(f"{{comment}}{package}\n\n{{statements}}{{body}}", spelling, case.body))


def scope_of(case: Case) -> str:
    """Declare a package for each case, since protoc compiles all of them together."""
    return case.id.replace("/", ".").replace("-", "_")


def _indented(text: str) -> str:
    """The text with every line indented by the braces around it."""
    depth, lines = 0, []
    for line in text.split("\n"):
        depth -= line.startswith("}")
        lines.append(f"{'  ' * depth}{line}".rstrip())
        depth += line.endswith("{")
    return "\n".join(lines)


def _file(text: str, case: Case) -> str:
    """A whole file: syntax, package and imports around declarations; what the text brings itself stays."""
    package = re.search(r"^package .*\n", text, re.MULTILINE)
    head, body = (
        (text[: package.end()], text[package.end() :]) if package else (f"package {scope_of(case)}.v1;\n", text)
    )
    imports = [f'import "{path}";\n' for pattern, path in _IMPORTS.items() if re.search(pattern, text)]
    return f'syntax = "proto3";\n\n{head}\n{"".join(dict.fromkeys(imports))}\n{body.strip()}\n'
