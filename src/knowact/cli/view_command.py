"""`knowact view RUN`: Inspect's viewer, at one sample if you name one."""

import subprocess
import sys
import webbrowser
from pathlib import Path
from urllib.parse import quote

import click

from knowact.cli.options import HELP, PATH, folder_option
from knowact.core.errors import BadUsage, UnknownName

HOST = "127.0.0.1"
"""Logs hold prompts and other people's texts, so the viewer listens on this machine only."""


@click.command("view", context_settings=HELP)
@click.argument("log", metavar="RUN", type=PATH)
@folder_option("--log-dir", "logs", "Where runs are looked for by name.")
@click.option("--sample", help="Open the sample with this id.")
@click.option("--epoch", type=click.IntRange(1), default=1, show_default=True, help="Its epoch.")
@click.option("--port", type=click.IntRange(0, 65535), default=7575, show_default=True, help="Port to use.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option("--dry-run", is_flag=True, help="Print the address and start no viewer.")
def command(  # noqa: PLR0917 - click passes by name
    log: Path, log_dir: Path, sample: str | None, epoch: int, port: int, no_browser: bool, dry_run: bool
) -> int:
    """Open RUN in Inspect's viewer, on this machine only.

    RUN is a log, the folder of a run, a folder of several, or a run's name as `knowact run` and reports print
    it. Of a folder, --sample opens the newest log of its one run.
    """
    from knowact.engine.reader import sample_ids

    log = _found(log, log_dir)
    if sample is not None and log.is_dir():
        log = _newest(log)
    folder, address, ids = log, f"http://{HOST}:{port}/", sample_ids(log)
    if not log.is_dir():
        folder = log.parent
        address += f"#/logs/{quote(log.name)}"
    if sample is not None:
        if sample not in ids:
            raise UnknownName("sample", sample, ids)
        address += f"/samples/sample/{quote(sample, safe='')}/{epoch}/"
    click.echo(address)
    if dry_run:
        return 0
    if not no_browser:
        webbrowser.open(address)
    words = f"-m inspect_ai view start --host {HOST} --port {port} --log-dir".split()
    return subprocess.run([sys.executable, *words, str(folder)], check=False).returncode  # noqa: S603 - ours


def _found(given: Path, log_dir: Path) -> Path:
    """What is to be opened: a path, or the run below a folder with this name or id.

    Raises:
        UnknownName: There is neither; the nearest runs are suggested.
        BadUsage: Several runs have that name.
    """
    from knowact.engine.reader import find_logs, read_heads

    if given.exists() or not log_dir.is_dir():
        return given
    named: dict[str, set[Path]] = {}
    for name, file in read_heads(find_logs([log_dir])):
        named.setdefault(name, set()).add(file.parent)
        named.setdefault(file.parent.name, set()).add(file.parent)
    folders = named.get(str(given), set())
    if not folders:
        raise UnknownName(f"log, folder or run below {log_dir}", str(given), named)
    if len(folders) > 1:
        raise BadUsage(f"Several runs are called {given}. Name a folder:", tuple(sorted(map(str, folders))))
    return folders.pop()


def _newest(folder: Path) -> Path:
    """The newest log of the only run below a folder.

    Raises:
        BadUsage: There is none, or there are several runs.
    """
    from knowact.engine.reader import find_logs, newest

    kept, _ = newest(find_logs([folder]))
    if len(kept) != 1:
        logs = tuple(str(log.path) for log in kept)
        raise BadUsage(f"--sample needs one run, and {folder} holds {len(kept)}. Name a log.", logs)
    return kept[0].path
