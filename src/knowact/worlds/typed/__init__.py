"""Tools from typed functions: schema, description and capability read off types and docstrings."""
