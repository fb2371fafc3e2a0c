"""Policies of the people around an agent: judges now, users and helpers later."""
