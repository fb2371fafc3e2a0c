"""Tools that users bring, and collections of published ones: what they are, and what they can do."""
