"""Derivation of conversion steps from options, and from equal names and types."""
