"""The tools, one module per category."""
