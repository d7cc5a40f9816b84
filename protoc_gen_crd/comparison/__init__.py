"""The comparison of two APIs: the changes between them, what they mean for objects and clients, and the evidence."""
