"""Access to a running cluster: read and patch CRDs, migrate stored objects."""
