"""Crds, policies, manifests, and samples to files."""
