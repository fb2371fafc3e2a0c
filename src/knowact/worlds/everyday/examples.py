"""The worked examples of the everyday tools: data, checked by the tests and by `knowact world check`."""

from knowact.worlds.check import Example
from knowact.worlds.worked import examples_of


def examples() -> tuple[Example, ...]:
    """Return all worked examples, file by file in the order of their names."""
    return examples_of("knowact.worlds.everyday")
