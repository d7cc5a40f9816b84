"""The implementations of Kubernetes' and cel-go's libraries: one module per library that declares them.

Modules are imported when a program needs them (`Overload.load_binding`). Arguments have the declared types; items of
lists may have any type.
"""
