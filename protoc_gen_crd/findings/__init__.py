"""Findings, their catalog and policy, and the renderers."""
