"""FAIL-TaLMs data from the everyday world: `knowact forge fail-talms`."""
