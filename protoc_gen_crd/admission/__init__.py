"""Admission of CRDs and objects, as an API server of a given version performs it.

| module | contents |
|---|---|
| `crd/` | admission of CustomResourceDefinitions, with one module for each part of the object |
| `expression_compiler` | compilation of CEL expressions, cached for all schema nodes with the same declaration |
| `field_errors` | field errors of an API server and their messages |
| `go_syntax` | Go's %#v and encoding/json formats of values, for the error messages of API servers |
| `metadata_validation` | validation of object metadata, on creation and on update |
| `name_checks` | validation of names with the error messages of a Kubernetes version |
| `objects/` | admission of objects, with one module for each step of an API server |
| `server` | the entry point: validate CRDs and objects of their kinds |
| `supported_formats` | the formats that an API server enforces, by type |
| `type_hints` | hints for error messages about values of another type than the schema |
| `typed_values` | values with their Go type, for error messages that show more than plain JSON data |
| `url_checks` | URL parsing as in the Go release that a Kubernetes version is built with |
| `verdicts` | verdicts of API servers in one form for objects and CRDs |
| `version_differences` | the differences between the Kubernetes versions 1.25 to 1.37 in admission |

Start with `server`. `version_differences` lists the differences between versions, `field_errors` defines the errors,
and `typed_values` and `go_syntax` format the values in them. The package depends on no files, no test documents, and no
protobuf.
"""
