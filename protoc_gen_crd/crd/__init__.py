"""A CustomResourceDefinition as data: the interface between the generation of CRDs and all code that reads CRDs.

| module | contents |
|---|---|
| `column_path_checks` | checks of printer columns and scale subresources: their paths exist and have the right type |
| `crd_decoder` | decoding of manifests into Crd by the Go types of the server |
| `crd_differences` | differences between two CRDs as data |
| `crd_encoder` | encoding of Crd as plain data, as in a manifest |
| `crd` | `Crd` and its parts, independent of protobuf and YAML |
| `metadata_go_types` | the Go types of the metadata of Kubernetes objects, for decoding |
| `normalized_manifest` | the manifest of a CRD without defaults and server-side members |
| `type_meta` | recognition of CustomResourceDefinitions by apiVersion and kind |
"""
