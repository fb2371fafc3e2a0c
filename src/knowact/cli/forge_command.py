"""`knowact forge`: data sets made from a seed, without any model."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from knowact.cli.options import HELP
from knowact.core.errors import BadUsage, UnknownName


@click.command("forge", context_settings=HELP)
@click.argument("suite")
@click.option("--seed", type=click.IntRange(min=0), required=True, help="Fixes plans, wording and the world.")
@click.option("--out", type=click.Path(path_type=Path), help="The folder to write [default: SUITE-SEED].")
@click.option(
    "--share",
    type=click.FloatRange(min=0, max=1, min_open=True),
    default=1.0,
    show_default=True,
    help="Share of the paper's sizes; 0.05 quickly makes a small set.",
)
@click.option(
    "--retriever",
    metavar="bm25|embeddings:MODEL",
    help="How to find similar tools, for recipes that need them. MODEL is a sentence-transformers model.",
)
def command(suite: str, seed: int, out: Path | None, share: float, retriever: str | None) -> int:
    """Make a data set for SUITE from a seed: proven tasks, without calling a model.

    The same seed and version give the same bytes. Use the result with `knowact run SUITE --data FOLDER`.
    """
    build = _build(suite)
    folder = out or Path(f"{suite}-{seed}")
    if folder.exists() and any(folder.iterdir()):
        raise BadUsage(f"{folder} is not empty. Choose another folder with --out.")
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
    """The recipe's function, with the chosen retriever.

    Raises:
        BadUsage: This recipe does not look for similar tools.
    """
    if retriever is None:
        return build.files
    if "retriever" not in inspect.signature(build.files).parameters:
        raise BadUsage(f"The recipe of {suite} does not look for similar tools. Leave out --retriever.")
    return partial(build.files, retriever=retriever)


def _made(
    files: Callable[..., Mapping[str, str]], seed: int, share: float, tell: Callable[[int], None]
) -> Mapping[str, str]:
    def watch(done: int, wanted: int) -> None:
        tell(100 * done // wanted)

    try:
        return files(seed, share, watch)
    except ValueError as error:
        raise BadUsage(f"No data set can be made with seed {seed}: {error}. Try another seed.") from error
