"""Reference docs: a page of Markdown for each API group, made of Crds, and of releases and samples where there are any.

| module | what it does |
|---|---|
| `types` | which types the schemas of all kinds and versions are made of, each once, and where each is used |
| `model` | a type, its fields, and what versions agree on |
| `words` | what a schema asks for, in words: a row for each keyword |
| `lives` | since which release a field is there, and when it may go |
| `prose` | descriptions as Markdown that stays within its bounds |
| `fields`, `page` | the text |

Knows no protobuf: where types have names, `Schema.facts` has them, and those of a CRD in YAML are named by their paths.
"""
