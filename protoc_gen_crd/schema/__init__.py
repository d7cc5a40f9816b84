"""Structural OpenAPI v3 schemas as data. Knows neither protobuf nor YAML."""
