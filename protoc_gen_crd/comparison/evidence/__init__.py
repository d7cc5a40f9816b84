"""Evidence for changes: objects that servers accept by the old CRD and reject or change by the new one.

| module | contents |
|---|---|
| `candidate_objects` | objects of the old API that are likely to show a change |
| `candidate_values` | values of a node that are likely to show a difference: valid in the old schema |
| `change_reversal` | the new CRD without one of its changes |
| `evidence_search` | the search for evidence |
| `example_object` | evidence for changes: the smallest object, and its form in hints |
| `kind_judge` | the judgment of the changes of a kind by the verdicts of a server |
| `object_verdicts` | the verdicts of a server on objects of the old and of the new CRD |
| `opposite_schemas` | schemas with the values that a constraint rejects |
| `pattern_differences` | strings that one schema accepts and another one rejects because of patterns |
| `server_rejections` | what API servers reject: the new CRD, or the update of the old CRD to it |
"""
