"""Objects generated from schemas: valid samples, and random objects within the schema and beyond it.

| module | content |
|---|---|
| `cel_function_hints`, `rule_solver`, `expression_solver` | changes that can satisfy a failed rule |
| `format_examples`, `property_examples` | example values by format, such as date-time, and by property name |
| `logical_branches` | combinations of properties that the logical keywords of a node permit |
| `minimization` | removal of the members and items that an example does not need |
| `part_memo` | validation that skips the valid parts of a value |
| `path_changes`, `value_repair` | application of changes until a value is valid |
| `pattern_automaton`, `pattern_strings` | strings that match several patterns |
| `random_source`, `random_documents`, `mutations` | random documents |
| `sample_validator` | errors of the value of a node, rules included |
| `sampler` | the entry point: the samples of a kind and version, or the errors of the best attempt |
| `scalar_values`, `byte_values` | values of scalars and free-form nodes |
| `value_generator` | values of schema nodes, minimal or full |

The package does not depend on test documents or files.
"""
