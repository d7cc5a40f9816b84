"""Kubernetes: supported versions, limits of API servers, name rules, plurals, and policies."""
