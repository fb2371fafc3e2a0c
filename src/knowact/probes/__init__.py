"""How an agent is asked: messages out, readings in."""
