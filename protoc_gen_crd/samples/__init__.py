"""Objects generated from schemas: valid samples, and random objects within the schema and beyond it.

| module | what it does |
|---|---|
| `sampler` | the door: the samples of a kind and version, or why there is none |
| `value_generator` | values of schema nodes, minimal or full |
| `junctor_branches` | what the junctors of a node leave open: which properties go together |
| `scalar_values`, `example_values` | values of leaves |
| `automaton`, `pattern_strings` | strings that match several patterns |
| `sample_validator` | what is wrong with the value of a node, rules included |
| `path_changes`, `constraint_hints`, `rule_solver`, `value_repair` | changes that a failed rule asks for |
| `random_source`, `random_documents`, `mutations` | random documents |

May not know test documents or files.
"""
