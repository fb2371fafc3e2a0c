"""The CAR suite: consistency and limits over a whole conversation (CAR-bench, arXiv 2601.22027)."""
