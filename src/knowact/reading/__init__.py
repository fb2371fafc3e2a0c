"""Readers: what a model's text says.

What a model writes is hostile input: nothing here crashes on it, drops part of it silently or
evaluates any of it. The error rates of the readers come from `calibration`.
"""
