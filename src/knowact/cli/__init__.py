"""The command line: one module per command. Knows no suite by name."""
