"""What can be changed about a task: one small module per family."""
