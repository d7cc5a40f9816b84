"""Random workloads for code with shortcuts: seeds to outcomes, with state that all seeds share."""
