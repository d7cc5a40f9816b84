"""The functions of CEL and of Kubernetes: one module per library, each with its `LIBRARY` (or several).

`environment` has the libraries of each Kubernetes version. Import the module that you need.
"""
