"""What a model's text says: parsers of requested formats, and the answer form.

What a model writes is hostile input: nothing here crashes on it, drops part of it silently or
evaluates any of it. How often it is read wrongly stands in docs/instruments.md.
"""
