"""A CustomResourceDefinition as data: the interface between the generation of CRDs and all code that reads CRDs."""
