"""The page of other annotation vocabularies, from the tables that read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docs.reference.text import code, table
from protoc_gen_crd.markers.vocabularies import buf_validate, google_api, openapiv2, pgv, yandex
from protoc_gen_crd.markers.vocabularies.registry import UNREAD
from protoc_gen_crd.markers.vocabularies.validate_rules import RULES, SHARED, TYPES
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Row

_INTRODUCTION = """# Other vocabularies

Options of other annotation vocabularies are read as if they were markers of this tool: they are checked against the
type of the field, and findings stand at the option. There is nothing to turn on, since a file that uses a vocabulary
imports it, and the request has its declaration. No copy of a vocabulary comes with this tool.

What neither OpenAPI nor Kubernetes' CEL can say is a finding, [`vocabulary-unsupported`](findings.md), and so is
what this tool does not know, [`vocabulary-unknown`](findings.md). An option that does not fit the type of its field has
no effect, which is a warning, [`marker-type`](findings.md).

## Rules that cost too much

An option becomes a keyword of OpenAPI where one is equivalent, since keywords cost nothing. Other options become CEL
rules, and API servers limit what [rules cost](cost.md). A rule that costs too much at a location is left out there. If
all rules of a CRD together cost too much, the most expensive rules of other vocabularies are left out until the rest
fits. The same applies to rules that do not compile in one of the Kubernetes versions asked for. Each option that is
left out is reported once for its message, as [`vocabulary-cost`](findings.md) or
[`vocabulary-unsupported`](findings.md). Rules of markers of this tool are never left out.

## Ignored options

The setting [`ignored_options`](settings.md#ignored_options) turns options off: a vocabulary such as `buf.validate`, one
of its options such as `buf.validate.message`, or a member such as `buf.validate.field.string.min_bytes` or
`google.api.field_behavior.IMMUTABLE`. A member of a field's rules is also ignored in the rules of items, keys and
values.

<!-- part of testdata/generate/vocabularies-ignored/protoc-gen-crd.yaml -->
```yaml
ignored_options:
- validate
- google.api.field_behavior.IMMUTABLE
- buf.validate.message
- buf.validate.field.string.pattern
```

## Which option counts

Where several say the same thing about a field, the first of these counts:

1. options of `protoc_gen_crd.v1` and comment markers
2. `google.api`
3. `buf.validate`
4. `validate` (protoc-gen-validate)
5. `grpc.gateway.protoc_gen_openapiv2.options`
6. `protoc_gen_crd` (Yandex)

Where they contradict each other, that is a finding too, [`marker-contradiction`](findings.md). CEL rules add up.

Options of other vocabularies have no [ranges](versions.md#limit-a-field-to-some-versions). What stands in a `during` takes their place in its
range, without a finding; in other versions they hold as they are. An option that becomes several keywords gives way
as a whole. That a field is required because an option refuses its zero value stays, unless the `during` says
`required: false`:

<!-- part of testdata/generate/vocabularies-during/api.proto -->
```proto
string longer = 2 [
  (buf.validate.field).string.max_len = 63,
  (protoc_gen_crd.v1.field).during = {since: "v1" max_length: 253}
];
```

A rule, a list of required fields or a oneof of theirs that speaks of a field which a version or release channel does
not have says there what holds where the field is not set.

"""
_RULES = """## Rules of protovalidate and protoc-gen-validate

Both hold the zero value of a field that does not track presence, such as a `string` of proto3 without `optional`, to
the rules as well: `string.min_len = 1` refuses the message in which it is not set. In an object such a field is not
there at all. So a field whose zero value is refused becomes `required`, unless something else says whether it is.
With `IGNORE_IF_ZERO_VALUE` or `ignore_empty`, the zero value of such a field is let pass.

A rule becomes a keyword of OpenAPI if one is equivalent, also where the zero value is accepted besides. It becomes a
CEL rule if no keyword is equivalent, if the keyword is already set, and for map keys.

"""
_CUSTOM = """### Custom rules

CEL of protovalidate is translated: `this` becomes `self`, fields get their JSON names, an unset field has its zero
value, `has` of a field that does not track presence asks for another one, enums are compared by name, durations are
durations. An expression that gives a text becomes the rule and its `messageExpression`, which is left out and reported
where it may cost more than servers allow: a text that `string()` makes of a number does. What the environment of API
servers does not know, such as `now` or `isEmail`, is reported.

"""
_GOOGLE = """## google.api

A message with `google.api.resource` becomes a CRD only if a marker of this tool makes it one; what the marker does
not say is taken from the option.

"""
_OPENAPI = """## grpc-gateway's OpenAPI v2 options

On a list, what is about a value is about the items, as grpc-gateway has it. A bound of 0 counts where the bound
itself is excluded. Options on files, methods and services are not about schemas and are not read.

"""
_YANDEX = """## Yandex' protoc-gen-crd

A message with `k8s_crd` is a resource of shape OBJECT with the version `v1` and the status subresource, unless a
marker of this tool says otherwise. That tool calls fields by their proto names; where those are not the JSON names,
it is reported, and `json_name` keeps the old names. That tool accepts 64-bit integers as strings, which
[`int64_as`](settings.md#int64_as) does here. Reserved names of fields are not in the schema. Both are reported once.

"""
_UNREAD = """## Options that are not read

These options change what a CRD should be, and have no effect on it. The first use of each is reported,
[`vocabulary-unread`](findings.md). Options of vocabularies that this page does not name are not reported.

"""
_HEAD = ("option", "what becomes of it")


def page() -> str:
    """How vocabularies are read, and what becomes of each option."""
    parts = [
        _INTRODUCTION,
        _GOOGLE,
        *_tables(google_api.TABLE),
        _RULES,
        _kinds(),
        "### Fields, messages and oneofs of protovalidate\n\n",
        *_tables(_less_types(buf_validate.TABLE)),
        _CUSTOM,
        "### Fields, messages and oneofs of protoc-gen-validate\n\n",
        *_tables({"": pgv.OPTIONS, **_less_types(pgv.TABLE)}),
        _rows("Any rules", SHARED.items()),
        _OPENAPI,
        *_tables(openapiv2.TABLE),
        _YANDEX,
        *_tables(yandex.TABLE),
        _UNREAD,
        table(("option", "consequence"), [(code(name), reason) for name, (reason, _) in UNREAD.items()]),
    ]
    return "".join(parts).rstrip("\n") + "\n"


def _less_types(tables: Mapping[str, Mapping[str, Row]]) -> dict[str, Mapping[str, Row]]:
    """The messages that hold no rules of a kind of values."""
    kept = {message: rows for message, rows in tables.items() if "const" not in rows and message not in _KINDS}
    return {message: {name: row for name, row in rows.items() if name not in TYPES} for message, rows in kept.items()}


_KINDS = ("AnyRules", "MapRules", "RepeatedRules")


def _tables(tables: Mapping[str, Mapping[str, Row]]) -> Iterable[str]:
    for message, rows in tables.items():
        yield _rows(code(message) if message else "options by themselves", rows.items())


def _rows(title: str, rows: Iterable[tuple[str, Row]]) -> str:
    cells = [(code(name), ("not supported: " if row.unsupported else "") + row.description) for name, row in rows]
    return f"**{title}**\n\n{table(_HEAD, cells)}"


def _kinds() -> str:
    """The rules of each kind of values; kinds with the same rules share a table."""
    found: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for kind, rows in RULES.items():
        found.setdefault(tuple((name, row.description) for name, row in rows.items()), []).append(kind)
    return "".join(_rows(", ".join(map(code, kinds)), RULES[kinds[0]].items()) for kinds in found.values())
