"""Generated from `options/protoc_gen_crd/v1/options.proto`."""
