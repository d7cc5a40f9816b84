"""YAML as go.yaml.in/yaml/v2 reads it, which is what Kubernetes reads: text to events to values, mistakes included.

`text` -> `scan` (over `cursor`, with `scalars` and `names`) -> `parse` gives events; `alias` replaces the aliases in
them; `build` makes values of them, with `resolve` for scalars and `keys` for keys that are no texts. Nothing here
recurses, however deep a document nests. The way in is `base.yamlread`.
"""
