"""Reference docs: a Markdown page for each API group, generated from CRDs, releases and samples.

| module | what it does |
|---|---|
| `type_index` | which types the schemas of all kinds and versions are made of, each once, and where each is used |
| `version_agreement` | a type, its fields, and what versions agree on |
| `constraint_text` | what a schema asks for, in words: a row for each keyword |
| `lifecycle` | since which release a field is there, and when it may go |
| `prose` | descriptions as Markdown that stays within its bounds |
| `field_list`, `group_page` | the text |

Knows no protobuf: where types have names, `Schema.facts` has them, and those of a CRD in YAML are named by their paths.
"""
