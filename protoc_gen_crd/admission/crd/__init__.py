"""Admission of CustomResourceDefinitions, with one module for each part of the object."""
