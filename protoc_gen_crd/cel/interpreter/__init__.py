"""The CEL interpreter: checked expressions to programs."""
