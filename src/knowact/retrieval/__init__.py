"""Nearest texts."""
