"""Updates of a CRD: its storage form, and what an update may change."""
