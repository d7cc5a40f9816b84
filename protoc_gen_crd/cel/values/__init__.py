"""The values that CEL expressions compute with, and JSON data as such values.

| module | contents |
|---|---|
| `format_values` | strings with a schema's `format` as CEL values |
| `go_values` | values in place of data, and Go's names for the types of data |
| `identity_key` | map keys that are compared by identity |
| `list_values` | lists read from JSON data |
| `object_values` | objects and maps as CEL values, read from JSON data on access |
| `runtime_values` | the runtime values of expressions, their types, and their equality |
| `schema_values` | JSON data as CEL values according to its schema: the value of `self` in a rule |
"""
