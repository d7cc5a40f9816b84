"""The comparison of gRPC API groups.

| module | contents |
|---|---|
| `group_api` | the API of gRPC groups as a summary |
| `group_comparison` | changes between two APIs of gRPC groups |
| `group_examples` | examples of messages that a change of a group affects |
| `integer_widening` | changes of integer types that have the same encoding |
"""
