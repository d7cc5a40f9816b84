"""Kubernetes: supported versions, name rules, plurals, and policies."""
