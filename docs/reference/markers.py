"""The page of markers: options.proto with its comments, and the other spellings from the alias tables.

Examples are cases of testdata/markers, which tests execute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docs.reference import tags
from docs.reference.text import code, flow, listed, paragraph, table
from protoc_gen_crd.markers.declarative_validation import list_replacements
from protoc_gen_crd.markers.ignored_markers import INERT
from protoc_gen_crd.markers.marker_aliases import ALIASES, NO_OPTION
from protoc_gen_crd.markers.marker_descriptions import read_comment
from protoc_gen_crd.markers.option_declarations import MarkerOption, get_enum_names, get_message_options
from protoc_gen_crd.markers.option_spellings import list_spellings
from tests.support.marker_cases import Case, all_cases

_INTRODUCTION = """# Markers

This reference is for API authors. A marker adds to a `.proto` file what the schema of a CRD needs beyond types. Each
marker is an option of [`protoc_gen_crd/v1/options.proto`](../options/protoc_gen_crd/v1/options.proto), and has several
equivalent spellings:

```proto
import "protoc_gen_crd/v1/options.proto";

message Widget {
  string a = 1 [(protoc_gen_crd.v1.field).max_length = 63];

  // +protoc-gen-crd:max_length=63
  string b = 2;

  // +kubebuilder:validation:MaxLength=63
  string c = 3;
}
```

All spellings have the same effect. Comment markers need no import and are familiar from controller-gen. The names and
types of options are also checked by compilers and editors.

Comment markers are part of the leading comment of an element, each on its own line. Package markers are in the comment
above the `package` line. Markers of this tool (`+protoc-gen-crd:`) contain protobuf text format: strings can be
unquoted, messages are `{name: value}`, lists are `[a, b]`, and a bool without a value is true. Markers of
controller-gen have its grammar. Comments can be `//`, `///`, `/* */`, or `/** */`, also with leading asterisks, which
are not part of the description.

Unknown, malformed, and inapplicable markers, and markers in comments of no element, are [findings](findings.md). No
marker is silently ignored:

| a line of a comment | meaning |
|---|---|
| `+` and the name of a marker, with or without a value | a marker |
| `+` and a similar name; `+ name`, `++name`, `+name:value` | a finding, [`marker-unknown`](findings.md) |
| `+name=value` or `+name:value` of another tool | removed from the description |
| a marker without `+`, `kubebuilder:validation:Optional` | description, and [`marker-missing-plus`](findings.md) |
| text and a marker after it, `The size. +optional` | description, and [`marker-embedded`](findings.md) |
| any other, such as `+Inf means no limit`, `+1` and `+ item` | description |

The description is the rest of the leading comment or, if that is empty, of the trailing comment on the last line of the
element or on the line of its opening brace. A comment below that line is not a description. The same applies to a
comment with more than one blank line before the next element.

"""
_SCHEMA = """## Fields, messages, enums

Options of a field are `(protoc_gen_crd.v1.field)`, of a message `(protoc_gen_crd.v1.message)`, of an enum
`(protoc_gen_crd.v1.enum)`. Options of a message or an enum apply wherever the type is used. Options of a field are
added to them.

`items` and `values` apply to the items of a list and to the values of a map, at any depth:

```proto
map<string, string> labels = 1 [(protoc_gen_crd.v1.field).values.max_length = 63];

// +protoc-gen-crd:items.max_length=63
// +kubebuilder:validation:items:Pattern=`^[a-z]+$`
// +protoc-gen-crd:list-value-validation:MinLength=1
repeated string names = 2;
```

"""
_RESOURCE = """## Resources

Options of a message are `(protoc_gen_crd.v1.resource)`. As a comment: `+protoc-gen-crd:resource.scope=Cluster`, or
`+protoc-gen-crd:resource={scope: "Cluster" short_names: "wd"}` for several options. Any of them, and
`+kubebuilder:object:root=true`, marks the message as a resource.

If the message has a field `spec` whose type is a message, it defines the whole object: `spec`, `status`, and so on.
Otherwise, the message defines only the content of `spec`. The option `shape` overrides this.

"""
_OTHERS = {
    "Package": "## Packages\n\nThe option of a file is `option (protoc_gen_crd.v1.file)`. "
    "Comment markers are above the `package` line.\n\n",
    "EnumValue": "## Enum values\n\nThe option of an enum value is `(protoc_gen_crd.v1.enum_value)`.\n\n"
    "The CRD accepts the names of all values, including that of the value 0, such as `MODE_UNSPECIFIED`. To leave it\n"
    "out, mark it with `// +protoc-gen-crd:hidden`.\n\n",
    "Oneof": "## Oneofs\n\nThe option of a oneof is `(protoc_gen_crd.v1.oneof)`.\n\n",
    "Service": "## Services\n\nThe option of a gRPC service is `option (protoc_gen_crd.v1.service)`.\n\n",
    "Method": "## RPCs\n\nThe option of an RPC is `option (protoc_gen_crd.v1.method)`.\n\n",
}
_BELOW = ("Rule", "FieldSet", "ExternalDocs", "Scale", "PrinterColumn", "Deprecation", "Policy", "Microversions")
_INERT = """## Markers without effect

These markers of other generators are accepted and ignored:

"""
_DECLARATIVE = """
## Markers of Kubernetes' own types

validation-gen generates Go code from these markers, for built-in types of API servers. CRDs do not support them. The
finding names the equivalent:

"""
_SAID = "on an enum has no effect: only the values of a proto enum are allowed anyway.\n"
_FIRST_USES = ("field", "member", "message", "enum", "value", "oneof", "resource", "package", "proto")
_TYPES = {
    "integer": ["numbers"],
    "number": ["numbers"],
    "string": ["strings"],
    "array": ["lists"],
    "object": ["objects", "maps"],
    "": ["untyped fields"],
}


def page() -> str:
    """All options, with their spellings and an example each."""
    schema = "".join(_section("Schema", option) for option in get_message_options("Schema").values())
    rest = "".join(text + _members(message) for message, text in _OTHERS.items())
    below = "".join(f"## {message}\n\n{_comment(message)}{_members(message)}" for message in _BELOW)
    inert = table(("marker", "reason"), [(code(f"+{name}"), reason) for name, reason in INERT.items()])
    said = [code(f"+{alias.name}") for alias in ALIASES.values() if alias.option == NO_OPTION]
    body = f"{_SCHEMA}{schema}{_RESOURCE}{_members('Resource')}{rest}{below}"
    advice = table(
        ("marker", "use instead"), [(code(f"+k8s:{name}"), text) for name, text in list_replacements().items()]
    )
    others = f"{_INERT}{inert}{listed(said)} {_SAID}{_DECLARATIVE}{advice}"
    return f"{_INTRODUCTION}{body}{tags.section()}{others}"


def _section(message: str, option: MarkerOption) -> str:
    """One option of a schema, under a heading of its own."""
    facts = "".join(f"- {fact}\n" for fact in _facts(message, option))
    return f"### {option.name}\n\n{_comment(f'{message}.{option.name}')}{facts}\n{_example(message, option)}"


def _facts(message: str, option: MarkerOption) -> Iterator[str]:
    sets = f"sets `{option.keyword}`" if option.keyword else "sets no single keyword"
    fits = listed(list(dict.fromkeys(name for kind in option.types for name in _TYPES[kind])))
    yield f"{sets}; applies to {fits or 'every type'}"
    targets = listed([f"{target.lower()}s" for target in option.targets or ("FIELD", "MESSAGE", "ENUM")])
    yield f"on {targets}; value: {_takes(option)}"
    spellings = _spellings(message, option)
    if spellings:
        yield f"other spellings: {listed(spellings)}"


def _spellings(message: str, option: MarkerOption) -> list[str]:
    """The comment markers that set an option, as code."""
    spellings = list_spellings(message, option.name)
    return [code(spelling.marker) + " for false" * spelling.is_negative for spelling in spellings]


def _takes(option: MarkerOption) -> str:
    if option.values:
        return listed([code(value) if value else "nothing" for value in option.values], "or")
    kinds = {"bool": "true or false", "integer": "an integer", "number": "a number", "string": "a string"}
    if option.json:
        return f"JSON, or an unquoted string{', once for each value' * option.repeated}"
    if option.kind == "enum":
        return listed([code(value) for value in get_enum_names(option.message)], "or")
    if option.message in ("Schema", "Resource"):
        return "any of these options"
    if option.message.endswith("Entry"):
        return "`{key: STRING value: STRING}`"
    return kinds.get(option.kind) or f"[{option.message}](#{option.message.lower()})"


def _members(message: str) -> str:
    """The options of a message that no keyword stands behind, as a table."""
    rows = [
        (
            code(option.name) + (" (repeated)" if option.repeated else ""),
            _comment(f"{message}.{option.name}").strip(),
            _takes(option),
            "<br>".join(_spellings(message, option)),
        )
        for option in get_message_options(message).values()
    ]
    if message in _BELOW:
        return table(("option", "meaning", "value"), [row[:3] for row in rows])
    return table(("option", "meaning", "value", "other spellings"), rows)


def _example(message: str, option: MarkerOption) -> str:
    """A case that is about this option, in each spelling, and what it gives. Paths to other options have none."""
    about = f"{message}.{option.name}"
    cases = [case for case in all_cases().values() if about in case.about and case.gives is not None]
    if not cases or option.message == "Schema":
        return ""
    named = option.name.replace("_", "-")
    case = min(cases, key=lambda case: (case.name != named, _FIRST_USES.index(case.kind), len(case.about)))
    written = ["".join(f"{line}\n" for line in (*one.options, *one.lines)) for one in case.spellings if not one.nest]
    if not any(written):
        return ""
    between = "\n" if any(text.count("\n") > 1 for text in written) else ""
    return f"```\n{between.join(written)}```\n\n{_given(case)}"


def _given(case: Case) -> str:
    if case.kind != "field" or not isinstance(case.gives, Mapping):
        return ""
    return f"on `{case.body}` results in `{flow(case.gives)}`\n\n"


def _comment(name: str) -> str:
    """The comment of a message, or of a field as `Message.field`."""
    return paragraph(read_comment(name))
