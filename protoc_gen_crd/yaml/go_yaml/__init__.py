"""YAML as go.yaml.in/yaml/v2 reads it, which is what Kubernetes reads: text to events to values, mistakes included.

`characters` -> `scanner` (over `cursor`, with `scalars` and `tags`) -> `event_parser` gives events; `alias_expansion`
replaces the aliases in them; `constructor` makes values of them, with `resolver` for scalars and `mapping_keys` for
keys that are no texts. Nothing here recurses, however deep a document nests. The way in is `yaml.reader`.
"""
