"""What the functions of Kubernetes' and cel-go's libraries do, a module for each library that declares them.

Imported when a program needs them (`Overload.implementation`). Arguments are of the declared types, items of lists may
be of any.
"""
