"""Agents that are no models, in a model's place."""
