"""The functions of CEL and of Kubernetes: a module for each library, each with its `LIBRARY` (or several).

`environment` lists which of them a Kubernetes version has. Import the module that is needed.
"""
