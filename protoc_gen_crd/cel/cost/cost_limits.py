"""What expressions may cost. Source: k8s.io/apiserver pkg/apis/cel/config.go; k8s.io/apiextensions-apiserver
pkg/apis/apiextensions/validation validation.go.
"""

from __future__ import annotations

RULE, SCHEMA = 10_000_000, 100_000_000  # estimates of one expression in all its places, and of all in a schema
PER_CALL, PER_OBJECT = 1_000_000, 10_000_000  # charges for one evaluation, and for all of one object
REQUEST = 3 * 1024 * 1024  # bytes of a request, which bound how often a value can be in it
