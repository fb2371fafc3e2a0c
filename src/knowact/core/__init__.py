"""The nouns and the proofs. Imports nothing of ours."""
