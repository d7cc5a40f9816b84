"""Findings as a reader or a program wants them: `findings.report` puts them in order, the other modules print."""
