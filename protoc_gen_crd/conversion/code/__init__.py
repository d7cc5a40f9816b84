"""Plans to Python modules, and the modules made ready to run."""
