"""The command line: `main` finds the command, each command is a file. The only place that prints and parses flags."""
