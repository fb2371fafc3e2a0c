"""The worked examples of the everyday tools: data, checked by the tests and by `knowact world check`."""

from importlib import resources

from knowact.worlds.check import Example


def examples() -> tuple[Example, ...]:
    """Return all worked examples, file by file in the order of their names."""
    folder = resources.files("knowact.worlds.everyday").joinpath("data/examples")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda f: f.name)
    return tuple(
        Example.model_validate_json(line) for file in files for line in file.read_text("utf-8").splitlines()
    )
