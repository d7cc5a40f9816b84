"""Structural OpenAPI v3 schemas as data, independent of protobuf and YAML.

| module | contents |
|---|---|
| `cel_names` | escaping of property names in CEL |
| `choice_descriptions` | descriptions of logical keywords that only require fields |
| `deprecated_fields` | deprecated fields, recognized by the facts or the start of the description of their schemas |
| `field_count_rules` | constraints on the number of fields, written as logical keywords or rules |
| `go_type_decoder` | decoding of JSON data into Go types as in API servers |
| `keywords` | the JSON schema keywords of Kubernetes |
| `known_structs` | structs that were decoded from another document, which shares objects with a later one |
| `reduced_constraints` | reduction of constraints to objects without certain fields |
| `schema` | schema: one node of a structural OpenAPI v3 schema |
| `schema_decoder` | decoding of plain data into Schema by the Go types of the server |
| `schema_encoder` | encoding of Schema as plain data, as in JSON; `schema_decoder` is the inverse |
"""
