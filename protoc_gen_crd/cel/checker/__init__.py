"""The CEL type checker: types, overloads, and validators.

| module | contents |
|---|---|
| `assignability` | assignability of types, and the inference of type parameters |
| `checker` | the type checker: the types of nodes and the references of names and calls, or all errors |
| `literal_validators` | the validators that servers run on the literals of an expression whose types are correct |
| `message_literals` | message literals: the type that the name before the braces refers to |
| `overloads` | declarations of functions: one overload per row, grouped into libraries |
| `proto_type_format` | types in protobuf's text format, in which cel-go before 0.17 prints types without fields |
| `scopes` | name resolution: variables of comprehensions, variables of the rule, types |
| `string_format_validator` | validation of `format` calls whose string and list are literals |
| `types` | the types of CEL, and the declarations of schemas |
| `value_sizes` | maximum sizes of the values of a schema |
"""
