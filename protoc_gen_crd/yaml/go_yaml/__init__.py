"""A YAML parser with the results of go.yaml.in/yaml/v2, which Kubernetes uses, including its defects.

| module | contents |
|---|---|
| `aliases_and_merge_keys` | expansion of aliases and merge keys in a stream of events |
| `anchor_tag_and_directive_scanner` | scanning of anchors, aliases, tags and directives |
| `decoder` | construction of a value from events, with the places of its parts and its duplicate keys |
| `event_parser` | a parser from tokens to events with the grammar of go-yaml, including its defects |
| `events` | events, marks and errors of the YAML modules |
| `json_values` | conversion of a decoded value to the value of a server, which reads it from JSON |
| `non_string_keys` | mapping keys other than strings: equality, conversion to JSON, and Go syntax for errors |
| `repeated_blocks` | repeated blocks of a document, such as equal schemas of a CRD's versions |
| `scalar_resolver` | resolution of scalars to numbers, booleans and null, by their values and tags |
| `scalar_scanner` | scanning of plain, quoted and block scalars to strings |
| `scanner` | a scanner from characters to tokens with the rules of go-yaml |
| `scanner_cursor` | the position of the YAML scanner, and the operations that all its parts use |
| `similar_documents` | documents that were read before, whose equal blocks are not parsed again in similar documents |
| `token_kinds` | the kinds of tokens, from `scanner` to `event_parser` |
| `utf_decoder` | decoding of bytes as in go-yaml's reader: UTF-8 or, after a byte order mark, UTF-16 |

`utf_decoder` -> `scanner` (over `scanner_cursor`, with `scalar_scanner` and `anchor_tag_and_directive_scanner`) ->
`event_parser` yields events; `aliases_and_merge_keys` replaces the aliases in them; `decoder` builds values from them,
with `scalar_resolver` for scalars and `non_string_keys` for keys that are not strings. `json_values` converts what JSON
changes. Nothing here recurses, however deep a document nests. Callers use `yaml.reader`.
"""
