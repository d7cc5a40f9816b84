"""Properties that hold for random inputs: shortcuts against the code that they skip."""
