"""Manifests, CRDs, and test documents loaded from files, with locations."""
