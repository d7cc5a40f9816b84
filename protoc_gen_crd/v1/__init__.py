"""The options of protos.

| module | contents |
|---|---|
| `option_rows` | the options as a table, generated from `options_pb2` by `tests/drift/test_options.py` |
| `options_pb2` | generated from `options/protoc_gen_crd/v1/options.proto` |
"""
