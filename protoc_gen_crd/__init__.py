"""Kubernetes CustomResourceDefinitions from Protocol Buffers."""

__version__ = "0.1.0"
