"""YAML and JSON: reading as Kubernetes reads, writing as its Go library writes.

| module | contents |
|---|---|
| `document_stream` | splitting of a stream into documents, as apimachinery's reader of JSON or YAML does |
| `fast_decoder` | decoding of YAML documents where a fast decoder certainly has Go's result |
| `go_yaml/` | a YAML parser with the results of go.yaml.in/yaml/v2 |
| `json_stream` | a reader of a stream of JSON values |
| `libyaml_decoder` | decoding of YAML documents by libyaml, where its result is certainly Go's |
| `line_decoder` | decoding of documents in which each line is a key, an item, or a line of a longer string |
| `reader` | a reader of YAML and JSON files with the results of kubectl |
| `writer` | a YAML writer whose output is identical to that of Kubernetes' Go writer |
"""
