"""Formatting of CRDs, policies, manifests, and samples as files."""
