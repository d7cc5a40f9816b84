"""The page of other annotation vocabularies, from the tables that read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docs.reference.text import code, table
from protoc_gen_crd.markers.vocabularies import buf_validate, google_api, openapiv2, pgv, yandex
from protoc_gen_crd.markers.vocabularies.unsupported_options import UNSUPPORTED
from protoc_gen_crd.markers.vocabularies.validate_rules import RULES, SHARED, TYPES
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Row

_INTRODUCTION = """# Other vocabularies

This page is for authors of `.proto` files that use options of protovalidate, protoc-gen-validate, google.api,
grpc-gateway, or Yandex' protoc-gen-crd. These options apply to CRDs like markers of this tool: they are checked against
the type of the field, and findings are located at the option. There is nothing to enable: a file that uses a vocabulary
imports it, and the request contains its declaration. This tool contains no copy of a vocabulary.

Options that neither OpenAPI nor Kubernetes' CEL can express are reported as
[`vocabulary-unsupported`](findings.md), and unknown options as [`vocabulary-unknown`](findings.md). An option on a
field of a wrong type has no effect, and is reported as [`marker-type`](findings.md).

## Rules over the cost limit

An option is translated to an equivalent keyword of OpenAPI if there is one, since keywords have no cost. Other options
are translated to CEL rules, and API servers limit the [cost of rules](cost.md). A rule that exceeds the limit at a
location is omitted there. If all rules of a CRD together exceed the limit, the most expensive rules of other
vocabularies are omitted until the others are within the limit. Rules that do not compile in one of the selected
Kubernetes versions are omitted, too. Each omitted option is reported once for its message, as
[`vocabulary-cost`](findings.md) or [`vocabulary-unsupported`](findings.md).
Rules of markers of this tool are never omitted.

## Ignored options

The setting [`ignored_options`](settings.md#ignored_options) disables options: a vocabulary such as `buf.validate`, one
of its options such as `buf.validate.message`, or a member such as `buf.validate.field.string.min_bytes` or
`google.api.field_behavior.IMMUTABLE`. A member of the rules of a field is also ignored in the rules of items, keys, and
values.

<!-- part of testdata/generate/vocabularies-ignored/protoc-gen-crd.yaml -->
```yaml
ignored_options:
- validate
- google.api.field_behavior.IMMUTABLE
- buf.validate.message
- buf.validate.field.string.pattern
```

## Precedence

If several options set the same keyword of a field, the first of these applies:

1. options of `protoc_gen_crd.v1` and comment markers
2. `google.api`
3. `buf.validate`
4. `validate` (protoc-gen-validate)
5. `grpc.gateway.protoc_gen_openapiv2.options`
6. `protoc_gen_crd` (Yandex)

Contradictions are reported as [`marker-contradiction`](findings.md). CEL rules are combined.

Options of other vocabularies have no [ranges](versions.md#limit-a-field-to-some-versions). An option in a `during`
replaces them in its range, without a finding; in other versions they apply unchanged. An option that is translated to
several keywords is replaced as a whole. A field that is required because an option rejects its zero value remains
required, unless the `during` sets `required: false`:

<!-- part of testdata/generate/vocabularies-during/api.proto -->
```proto
string longer = 2 [
  (buf.validate.field).string.max_len = 63,
  (protoc_gen_crd.v1.field).during = {since: "v1" max_length: 253}
];
```

If a version or release channel omits a field, then the rules, lists of required fields, and oneofs of other
vocabularies that use it apply there as if the field were not set.

"""
_RULES = """## Rules of protovalidate and protoc-gen-validate

Both also validate the zero value of a field without presence, such as a `string` of proto3 without `optional`:
`string.min_len = 1` rejects a message in which the field is not set. Objects do not contain such a field. So a field
whose zero value is rejected is `required`, unless another option sets its presence. With `IGNORE_IF_ZERO_VALUE` or
`ignore_empty`, the zero value of such a field is accepted.

A rule is translated to an equivalent keyword of OpenAPI if there is one, even if the zero value is also accepted. It is
translated to a CEL rule if there is no equivalent keyword, if the keyword is already set, and for map keys.

"""
_CUSTOM = """### Custom rules

CEL of protovalidate is translated: `this` becomes `self`, fields have their JSON names, an unset field has its zero
value, `has` of a field without presence tests for a value other than zero, enums are compared by name, and durations
are converted. An expression that returns a string is translated to the rule and its `messageExpression`. The message
expression is omitted and reported if it exceeds the cost limit of API servers, for example because of a string that
`string()` makes from a number. Names that the environment of API servers does not have, such as `now` or `isEmail`, are
reported.

"""
_GOOGLE = """## google.api

A message with `google.api.resource` is a CRD only if a marker of this tool declares it as a resource. The option sets
the members that the marker does not set.

"""
_OPENAPI = """## grpc-gateway's OpenAPI v2 options

On a list, options of values apply to the items, as in grpc-gateway. A bound of 0 applies if the bound is exclusive.
Options on files, methods, and services do not affect schemas and are not read.

"""
_YANDEX = """## Yandex' protoc-gen-crd

A message with `k8s_crd` is a resource of shape OBJECT with the version `v1` and the status subresource, unless a
marker of this tool sets these members. Yandex' tool uses the proto names of fields. If these differ from the JSON
names, it is reported, and `json_name` restores the old names. Yandex' tool accepts 64-bit integers as strings, as
[`int64_as`](settings.md#int64_as) does here. Reserved names of fields are not in the schema. Both are reported once.

"""
_UNREAD = """## Options that are not read

These options should affect a CRD, but have no effect. The first use of each is reported as
[`vocabulary-unread`](findings.md). Options of vocabularies that this page does not list are not reported.

"""
_HEAD = ("option", "translation")


def page() -> str:
    """Return the page: the translation of each option of the vocabularies."""
    parts = [
        _INTRODUCTION,
        _GOOGLE,
        *_tables(google_api.TABLE),
        _RULES,
        _kinds(),
        "### Fields, messages, and oneofs of protovalidate\n\n",
        *_tables(_less_types(buf_validate.TABLE)),
        _CUSTOM,
        "### Fields, messages, and oneofs of protoc-gen-validate\n\n",
        *_tables({"": pgv.OPTIONS, **_less_types(pgv.TABLE)}),
        _rows("Any rules", SHARED.items()),
        _OPENAPI,
        *_tables(openapiv2.TABLE),
        _YANDEX,
        *_tables(yandex.TABLE),
        _UNREAD,
        table(("option", "consequence"), [(code(name), reason) for name, (reason, _) in UNSUPPORTED.items()]),
    ]
    return "".join(parts).rstrip("\n") + "\n"


def _less_types(tables: Mapping[str, Mapping[str, Row]]) -> dict[str, Mapping[str, Row]]:
    """Return the messages without rules for a kind of values."""
    others = {message: rows for message, rows in tables.items() if "const" not in rows and message not in _KINDS}
    return {message: {name: row for name, row in rows.items() if name not in TYPES} for message, rows in others.items()}


_KINDS = ("AnyRules", "MapRules", "RepeatedRules")


def _tables(tables: Mapping[str, Mapping[str, Row]]) -> Iterable[str]:
    for message, rows in tables.items():
        yield _rows(code(message) if message else "single options", rows.items())


def _rows(title: str, rows: Iterable[tuple[str, Row]]) -> str:
    cells = [(code(name), ("not supported: " if row.unsupported else "") + row.description) for name, row in rows]
    return f"**{title}**\n\n{table(_HEAD, cells)}"


def _kinds() -> str:
    """Return the rules of each kind of values. Kinds with the same rules share a table."""
    kinds_by_rows: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for kind, rows in RULES.items():
        kinds_by_rows.setdefault(tuple((name, row.description) for name, row in rows.items()), []).append(kind)
    return "".join(_rows(", ".join(map(code, kinds)), RULES[kinds[0]].items()) for kinds in kinds_by_rows.values())
