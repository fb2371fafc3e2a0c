"""`knowact view LOG`: Inspect's viewer, at one sample if you name one."""

import subprocess
import sys
import webbrowser
from pathlib import Path
from urllib.parse import quote

import click

from knowact.cli.options import HELP
from knowact.core.errors import BadUsage, UnknownName

HOST = "127.0.0.1"
"""Logs hold prompts and other people's texts, so the viewer listens on this machine only."""


@click.command("view", context_settings=HELP)
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--sample", help="Open the sample with this id.")
@click.option("--epoch", type=click.IntRange(1), default=1, show_default=True, help="Its epoch.")
@click.option("--port", type=click.IntRange(0, 65535), default=7575, show_default=True, help="Port to use.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option("--dry-run", is_flag=True, help="Print the address and start no viewer.")
def command(  # noqa: PLR0917 - click passes by name
    log: Path, sample: str | None, epoch: int, port: int, no_browser: bool, dry_run: bool
) -> int:
    """Open LOG (a file or a folder) in Inspect's viewer, on this machine only."""
    from knowact.engine.reader import sample_ids

    folder, address, ids = log, f"http://{HOST}:{port}/", sample_ids(log)
    if not log.is_dir():
        folder = log.parent
        address += f"#/logs/{quote(log.name)}"
    if sample is not None:
        if log.is_dir():
            raise BadUsage("--sample needs a log file, not a folder.")
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
