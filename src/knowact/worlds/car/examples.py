"""The worked examples of the car's tools: data, checked by the tests and by `knowact world check car`."""

from knowact.worlds.check import Example
from knowact.worlds.worked import examples_of


def examples() -> tuple[Example, ...]:
    """Return all worked examples, file by file in the order of their names."""
    return examples_of("knowact.worlds.car")
