"""What tests of agents, and of this package, stand on: a scripted chat endpoint, a guard against the network.

Nothing here imports the rest of knowact, and nothing in the rest imports this.
"""
