"""The CEL interpreter: checked expressions to programs.

| module | contents |
|---|---|
| `attributes` | attributes: a start with qualifiers that select from it |
| `collection_literals` | literals of lists and maps, created in advance if all parts are constant |
| `comprehensions` | comprehensions: loops over lists and maps that build a value |
| `evaluation_frame` | the frame of an evaluation: cost so far, limit, values of variables |
| `function_calls` | calls: the choice of the overload, its cost, and the behavior if an argument fails |
| `legacy_errors` | error messages that differ on older servers |
| `logical_operators` | operators that may skip operands, absorb errors, or do not depend on types and overloads |
| `planner` | compilation of a checked tree to functions of a frame |
| `program` | programs: checked expressions that are evaluated as on API servers |
"""
