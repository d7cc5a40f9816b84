"""The options of protos.

| module | contents |
|---|---|
| `options_pb2` | generated from `options/protoc_gen_crd/v1/options.proto` |
"""
