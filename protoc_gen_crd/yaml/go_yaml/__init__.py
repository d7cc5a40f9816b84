"""A YAML parser with the results of go.yaml.in/yaml/v2, which Kubernetes uses, including its defects.

`characters` -> `scanner` (over `cursor`, with `scalars` and `tags`) -> `event_parser` yields events; `alias_expansion`
replaces the aliases in them; `constructor` builds values from them, with `resolver` for scalars and `mapping_keys` for
keys that are not strings. Nothing here recurses, however deep a document nests. Callers use `yaml.reader`.
"""
