"""The CEL parser: string to tree, macro expansion, syntax errors, and tree to string."""
