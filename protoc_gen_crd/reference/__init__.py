"""Reference docs: a Markdown page for each API group, generated from CRDs, releases and samples.

| module | content |
|---|---|
| `constraint_descriptions` | descriptions of constraints: a row for each keyword |
| `field_explanation` | explanation of one field as plain text |
| `field_list` | field lists with types, descriptions and constraints, and lists of enum values |
| `group_page` | the page of an API group: the table of its kinds, a section for each kind and type, samples |
| `kind_tables` | the tables of a kind: its versions and printer columns, and the list of its names |
| `lifecycle` | first release, deprecation and earliest removal of elements |
| `markdown_descriptions` | descriptions as safe Markdown |
| `type_index` | the types in the schemas of all kinds and versions, each once, and the fields that use them |
| `version_agreement` | grouping of versions that agree |

The package does not depend on protobuf: names of types come from `Schema.facts`. Types of a CRD in YAML have no names
and are identified by their paths.
"""
