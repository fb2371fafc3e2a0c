"""Built-in agents, as a model provider of the engine: knowact/<name>."""
