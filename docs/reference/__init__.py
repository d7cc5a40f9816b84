"""One module a page of the reference, each with `page()`; and what they share."""
