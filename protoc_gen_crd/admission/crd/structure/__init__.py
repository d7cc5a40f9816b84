"""Validation of schemas: keywords, structural schemas, defaults."""
