"""Reference docs: a Markdown page for each API group, generated from CRDs, releases and samples.

| module | content |
|---|---|
| `constraint_descriptions` | descriptions of constraints: a row for each keyword |
| `field_explanation` | explanation of one field as plain text |
| `field_list`, `kind_tables`, `group_page` | the pages and their parts |
| `lifecycle` | first release, deprecation and earliest removal of elements |
| `markdown_descriptions` | descriptions as safe Markdown |
| `type_index` | the types in the schemas of all kinds and versions, each once, and the fields that use them |
| `version_agreement` | grouping of versions that agree |

The package does not depend on protobuf: names of types come from `Schema.facts`. Types of a CRD in YAML have no names
and are identified by their paths.
"""
