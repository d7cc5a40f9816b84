"""Updates of a CRD: its storage form and the validation of changes."""
