"""`knowact doctor`: one line for each thing that a run needs, with the fix where it is missing."""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from knowact import suites
from knowact.cli.options import HELP, folder_option
from knowact.core.errors import BadUsage, KnowactError
from knowact.datasets.own import verified

OLDEST_ENGINE, NEWEST_ENGINE = (0, 3, 275), (0, 4)
"""The pinned range of pyproject.toml."""


@click.command("doctor", context_settings=HELP)
@click.option("--model", multiple=True, help="Also check what this model needs.")
@folder_option("--log-dir", "logs", "Check that logs can be written here.")
@click.option("--ping", is_flag=True, help="Only call each --model once, and show its reply.")
def command(model: tuple[str, ...], log_dir: Path, ping: bool) -> int:
    """Check Python, the engine, the data, the log folder and what a --model needs."""
    if ping and not model:
        raise BadUsage("--ping calls a model: name it by --model.")
    failed = False
    checks = map(_ping, model) if ping else (*_machine(), *_data(), _log_folder(log_dir), *map(_model, model))
    for good, line in checks:
        click.echo(f"{'ok  ' if good else 'FAIL'}  {line}")
        failed |= not good
    return 1 if failed else 0


def _machine() -> Iterator[tuple[bool, str]]:
    yield (
        (3, 11) <= sys.version_info < (3, 14),
        f"Python {platform.python_version()} (3.11 to 3.13 are supported)",
    )
    try:
        installed = version("inspect_ai")
    except PackageNotFoundError:
        yield False, "Inspect is not installed. Install it with: pip install inspect_ai"
        return
    numbers = tuple(int(part) for part in installed.split(".")[:3] if part.isdecimal())
    good = OLDEST_ENGINE <= numbers < NEWEST_ENGINE
    fix = (
        ""
        if good
        else " is not supported. Install another version with: pip install 'inspect_ai>=0.3.275,<0.4'"
    )
    yield good, f"Inspect {installed}{fix}"


def _data() -> Iterator[tuple[bool, str]]:
    for name in suites.names():
        for data in suites.find(name).datasets():
            label = f"{name}/{data.name}@{data.version}"
            try:
                items = verified(data.path)
            except KnowactError as error:
                yield False, f"{label}: {error}"
            else:
                yield True, f"{label}: {items:,} items, hash as in the manifest"


def _log_folder(folder: Path) -> tuple[bool, str]:
    place = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=place):
            return True, f"logs can be written to {folder}"
    except OSError:
        writable = os.access(place, os.W_OK)
        why = "it is not a folder" if writable else "you may not write there"
        return False, f"logs cannot be written to {folder}: {why}. Choose another --log-dir"


def _model(name: str) -> tuple[bool, str]:
    from knowact.engine.models import resolved

    try:
        resolved(name)
    except KnowactError as error:
        return False, str(error)
    return True, f"the model {name} has its package and key (no call was made; --ping makes one)"


def _ping(name: str) -> tuple[bool, str]:
    from knowact.engine.first_call import Callee, ping

    if not Callee(name).reachable:
        return True, f"the model {name} has no server to call"
    good, line = _model(name)
    if not good:
        return good, line
    try:
        seconds = ping(name)
    except KnowactError as error:
        return False, str(error)
    return True, f"the model {name} answered in {seconds:.1f} s"
