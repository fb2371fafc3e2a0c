"""A scripted chat endpoint for tests of agents, and of this package.

Nothing here imports the rest of knowact, and nothing in the rest imports this.
"""
