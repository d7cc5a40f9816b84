"""The page of scalars and well-known types, from the tables that the builder reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docs.reference.text import code, flow, table
from protoc_gen_crd.generation import well_known_types
from protoc_gen_crd.generation.scalar_types import SCALARS
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode

_SCALARS = """# Types

This page is for authors of `.proto` files who look up the schema of a field. It lists the schema of each protobuf type.
Markers on the field are applied to this schema.

## Scalars

Bounds are those that API servers can represent. 64-bit integers are `{anyOf: [{type: integer}, {type: string}],
x-kubernetes-int-or-string: true}` with the option [`int64_as=int-or-string`](settings.md#int64_as).

"""
_COMPOUND = "## Compound types\n\n"
_OPAQUE = "{type: object, x-kubernetes-preserve-unknown-fields: true}"
_FIELDS = {
    "`repeated T`": "`{type: array, items: T}`",
    "`map<string, T>`": "`{type: object, additionalProperties: T}`",
    "`map<bool, T>`": """as with strings, with `maxProperties: 2` and a rule that the keys are `true` and
        `false`""",
    "map with integer keys": """as with strings, and a rule that validates the type of the keys if `max_properties`
        limits its cost""",
    "enum": """`{type: string, enum: [names of all values]}`; values marked `+protoc-gen-crd:hidden` are omitted. With
        [`enum_as_int_or_string`](settings.md#enum_as_int_or_string), numbers are accepted
        too, and no names are listed""",
    "message, group": "`{type: object, properties: {...}}`, inlined in every field",
    "recursive message": """an error, [`schema-recursive`](findings.md); `+protoc-gen-crd:opaque` on a field
        of the cycle generates `{type: object, x-kubernetes-preserve-unknown-fields: true}`""",
    "`oneof`": """`oneOf` with a branch for each field and for no field; only for the fields if it is marked
        `+protoc-gen-crd:required`; a rule with [`oneof=cel`](settings.md#oneof)""",
}
_NAMES = "The names of properties are the JSON names of the fields.\n\n"
_MESSAGES = """## Messages with a special JSON form

[`types`](settings.md#types) in the settings file adds messages by full name, or replaces these:

<!-- settings -->
```yaml
types:
  acme.type.Money: {type: string, pattern: '^[0-9]+\\.[0-9]{2}$'}
```

"""
_KUBERNETES = """If a marker lists values of a wrapper, it is not nullable: API servers reject null for an enum. Without
`nullable`, they treat null as an unset field.

Schemas of other Kubernetes messages are generated from their `.proto` files, and match the output of controller-gen
v0.23.0 for the Go types. Facts that only the Go types contain are added: required fields, `apiVersion` and `kind` of
objects, enums, JSON names. A test compares all 1283 types of Kubernetes 1.37 with controller-gen's output,
property by property. The [intended differences](../tests/judges/kubernetes_types/differences.txt) are few: most are
lists of type map whose key controller-gen leaves optional, a CRD that API servers reject. Items of lists of Go's
named strings have no description. Lines that start with `TODO` or `+`, and all after `---`, are left out of
descriptions.

`ObjectMeta` has no properties, so API servers drop the name and labels of embedded objects, such as a template of a
PersistentVolumeClaim. [`embedded_object_meta`](settings.md#embedded_object_meta) adds them.
"""

_IMPORTS = """
## Importing Kubernetes' messages and google/api

`generate` finds these imports without an import path and without Go:

- `protoc_gen_crd/v1/options.proto`.
- `k8s.io/apimachinery/...`: Quantity, IntOrString, Time, ObjectMeta, Condition, LabelSelector, RawExtension and others,
  and JSON from `k8s.io/apiextensions-apiserver/...`. They are part of protoc-gen-crd. Names, numbers, and schemas are
  those of Kubernetes, but not the descriptions.
- `google/api/...`, `google/rpc/...` and `google/type/...` after `pip install 'protoc-gen-crd[googleapis]'`, which
  installs googleapis-common-protos.

Files below your own import paths take precedence. protoc finds the files of the first two lines with
`-I "$(protoc-gen-crd include)"`. For buf, and for `google/api` with protoc, copy all of them to a folder:

```sh
protoc-gen-crd include --copy third_party
```

With buf, add the folder to the modules of `buf.yaml`, and name your own folder as the input in `buf.gen.yaml`:
`inputs: [{directory: proto}]`.

Other APIs of Kubernetes, such as `k8s.io/api/core/v1/generated.proto`, and the original descriptions come from the Go
module proxy. The command verifies the modules with Go's checksum database. `GOPROXY` and `GOSUMDB=off` have the meaning
that they have for Go:

<!-- not run: it needs the network -->
```sh
protoc-gen-crd include --copy third_party --kubernetes 1.37
protoc-gen-crd generate proto --import-path proto --import-path third_party
```
"""
_DURATIONS = """
## Durations

API servers validate the format `duration` of `google.protobuf.Duration`. They accept Go durations, such as `1h30m`,
`0s`, and `-1.5s`, but also `3 days` and `2w`, which readers of proto JSON reject. In a CEL rule, the value is a
duration, not a string: `self >= duration('1ms')` and `duration(self) >= duration('1ms')` compile, but
`self != '0s'` does not.

On a field, `+protoc-gen-crd:no_duration_check=true` accepts any string, and a rule or a pattern can restrict it. An
entry in the settings file changes the schema of all durations:

<!-- settings -->
```yaml
types:
  google.protobuf.Duration:
    type: string
    format: duration
    pattern: '^[0-9]+(\\.[0-9]{1,9})?s$'
    x-kubernetes-validations: [{rule: "self >= duration('1ms')", message: must be at least 1ms}]
```
"""


def page() -> str:
    """Return the page: schemas of scalars, compound types, messages, and enums of other projects."""
    scalars = _rows(SCALARS)
    wrappers = {name: {**SCALARS[kind], "nullable": True} for name, kind in well_known_types.WRAPPERS.items()}
    messages = _rows({**well_known_types.MESSAGES, **wrappers, **well_known_types.ENUMS})
    head = ("type", "schema")
    rows = [(field, " ".join(schema.split())) for field, schema in _FIELDS.items()]
    compound = f"{_COMPOUND}{table(('field', 'schema'), rows)}{_NAMES}"
    special = f"{_MESSAGES}{table(head, messages)}{_KUBERNETES}"
    return f"{_SCALARS}{table(head, scalars)}{compound}{special}{_IMPORTS}{_DURATIONS}"


def _rows(schemas: Mapping[str, Mapping[str, Any]]) -> Iterable[tuple[str, str]]:
    """Return the names and the schema of each row. Types with equal schemas share a row."""
    names: dict[str, list[str]] = {}
    for name, keywords in sorted(schemas.items()):
        names.setdefault(flow(encode(Schema(keywords), EncodedSchemas())), []).append(name)
    return [("<br>".join(map(code, types)), code(schema)) for schema, types in names.items()]
