"""The CEL type checker: types, overloads, and validators."""
