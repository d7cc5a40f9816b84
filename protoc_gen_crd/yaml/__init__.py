"""YAML and JSON: reading as Kubernetes reads, writing as its Go library writes.

| module | contents |
|---|---|
| `document_stream` | splitting of a stream into documents, as apimachinery's reader of JSON or YAML does |
| `go_yaml/` | a YAML parser with the results of go.yaml.in/yaml/v2 |
| `json_stream` | a reader of a stream of JSON values |
| `libyaml_decoder` | decoding of YAML documents by libyaml, where its result is certainly Go's |
| `reader` | a reader of YAML and JSON files with the results of kubectl |
| `writer` | a YAML writer whose output is identical to that of Kubernetes' Go writer |
"""
