"""Admission of objects: what schemas say of values. One module for each of the things an API server does to them."""
