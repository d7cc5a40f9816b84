"""Objects made from schemas: samples that servers accept, and objects by chance, within the schema and beyond.

| module | what it does |
|---|---|
| `sample` | the door: the samples of a kind and version, or why there is none |
| `maker` | values of schema nodes, minimal or full |
| `shapes` | what the junctors of a node leave open: which properties go together |
| `leaves`, `words` | values of leaves |
| `automaton`, `patterns` | texts that match any number of patterns at once |
| `judge` | what is wrong with the value of a node, rules included |
| `changes`, `asked`, `plans`, `repair` | changes that a failed rule asks for |
| `source`, `chance`, `mutations` | documents by chance |

May not know test documents or files.
"""
