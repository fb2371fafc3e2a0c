"""KAPRO data from the everyday world: `knowact forge kapro`."""
