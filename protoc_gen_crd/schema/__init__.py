"""Structural OpenAPI v3 schemas as data, independent of protobuf and YAML."""
