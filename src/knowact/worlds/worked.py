"""Reading a world's worked examples: data beside its code, one JSON object a line."""

from importlib import resources

from knowact.worlds.check import Example


def examples_of(package: str) -> tuple[Example, ...]:
    """Return all worked examples of a world's package, file by file in the order of their names."""
    folder = resources.files(package).joinpath("data/examples")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda f: f.name)
    return tuple(
        Example.model_validate_json(line) for file in files for line in file.read_text("utf-8").splitlines()
    )
