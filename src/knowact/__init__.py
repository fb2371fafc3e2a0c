"""knowact: does an LLM agent know the limits of what it can do, and act on it?"""

__version__ = "0.1.0"

__all__ = ["__version__"]
