"""Admission of CustomResourceDefinitions: one module for each part of the object."""
