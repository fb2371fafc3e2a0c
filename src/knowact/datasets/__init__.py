"""Our JSONL with its manifest, and errors that say where and what to do."""
