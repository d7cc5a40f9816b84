"""What needs a running cluster: reading and patching CRDs, migrating stored objects. Nothing else talks to one."""
