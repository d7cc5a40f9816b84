"""Findings as a reader or a program wants them: `report` puts them in order, the other modules print."""
