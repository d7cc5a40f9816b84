"""The CEL parser: text to tree, macro expansion, syntax errors, and tree to text."""
