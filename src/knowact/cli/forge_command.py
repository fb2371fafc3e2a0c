"""`knowact forge`: data sets made from a seed, without any model."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from knowact.core.errors import BadUsage, UnknownName


@click.command("forge", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("suite")
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, help="Fixes everything: plans, words, the world."
)
@click.option("--out", type=click.Path(path_type=Path), help="The folder to write; default SUITE-SEED.")
@click.option(
    "--share",
    type=click.FloatRange(min=0, max=1, min_open=True),
    default=1.0,
    show_default=True,
    help="Of the paper's sizes; 0.05 makes a small set fast.",
)
@click.option(
    "--retriever",
    metavar="bm25|embeddings:MODEL",
    help="What finds similar tools, where a recipe looks for them; a model is one of sentence-transformers.",
)
def command(suite: str, seed: int, out: Path | None, share: float, retriever: str | None) -> int:
    """Make a data set for SUITE from a seed: proven tasks, without asking any model.

    Equal seed and version give equal bytes. Use it with `knowact run SUITE --data FOLDER`.
    """
    build = _build(suite)
    folder = out or Path(f"{suite}-{seed}")
    if folder.exists() and any(folder.iterdir()):
        raise BadUsage(f"{folder} is not empty; name another folder with --out.")
    with click.progressbar(length=100, label=f"Forging {suite}", show_eta=True) as bar:
        made = _made(
            _files(build, suite, retriever), seed, share, lambda percent: bar.update(percent - bar.pos)
        )
    build.write(made, folder)
    click.echo(folder)
    return 0


def _build(suite: str) -> Any:
    """Import the module that builds a suite's data: its `files` and `write`."""
    from knowact import forge

    known = {module.name for module in pkgutil.iter_modules(forge.__path__) if module.ispkg}
    name = suite.replace("-", "_")
    if name not in known:
        raise UnknownName("suite with a recipe for data", suite, known)
    return importlib.import_module(f"knowact.forge.{name}.build")


def _files(build: Any, suite: str, retriever: str | None) -> Callable[..., Mapping[str, str]]:
    """The recipe's function, with the retriever that was asked for.

    Raises:
        BadUsage: This recipe does not look for similar tools.
    """
    if retriever is None:
        return build.files
    if "retriever" not in inspect.signature(build.files).parameters:
        raise BadUsage(f"The recipe of {suite} looks for no similar tools; leave --retriever out.")
    return partial(build.files, retriever=retriever)


def _made(
    files: Callable[..., Mapping[str, str]], seed: int, share: float, tell: Callable[[int], None]
) -> Mapping[str, str]:
    def watch(done: int, wanted: int) -> None:
        tell(100 * done // wanted)

    try:
        return files(seed, share, watch)
    except ValueError as error:
        raise BadUsage(f"With seed {seed} this cannot be made: {error}. Try another seed.") from error
