"""The worked examples of the everyday tools: data, checked by the tests and by `knowact world check`."""

from importlib import resources

from knowact.worlds.check import Example


def examples() -> tuple[Example, ...]:
    """Return all worked examples, in the order of the file."""
    file = resources.files("knowact.worlds.everyday").joinpath("data/examples.jsonl")
    return tuple(Example.model_validate_json(line) for line in file.read_text("utf-8").splitlines())
