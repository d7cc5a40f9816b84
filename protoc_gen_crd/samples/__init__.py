"""Objects generated from schemas: valid samples, and random objects within the schema and beyond it.

| module | content |
|---|---|
| `sampler` | the entry point: the samples of a kind and version, or the errors of the best attempt |
| `value_generator` | values of schema nodes, minimal or full |
| `logical_branches` | combinations of properties that the logical keywords of a node permit |
| `scalar_values`, `byte_values` | values of scalars and free-form nodes |
| `format_examples`, `property_examples` | example values by format, such as date-time, and by property name |
| `pattern_automaton`, `pattern_strings` | strings that match several patterns |
| `sample_validator` | errors of the value of a node, rules included |
| `cel_function_hints`, `rule_solver`, `expression_solver` | changes that can satisfy a failed rule |
| `path_changes`, `value_repair` | application of changes until a value is valid |
| `random_source`, `random_documents`, `mutations` | random documents |
| `minimization` | removal of the members and items that an example does not need |

The package does not depend on test documents or files.
"""
