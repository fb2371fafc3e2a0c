"""The car world: a conversational assistant's car, with state, databases and policies (CAR-bench)."""
