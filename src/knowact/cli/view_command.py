"""`knowact view LOG`: the engine's viewer, at one sample if one is named."""

import subprocess
import sys
import webbrowser
from pathlib import Path
from urllib.parse import quote

import click

HOST = "127.0.0.1"
"""Logs hold other people's texts and keys' owners' prompts: the viewer is for this machine alone."""


@click.command("view", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--sample", help="The sample to open, by id.")
@click.option("--epoch", type=click.IntRange(1), default=1, show_default=True, help="Which trial of it.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7575, show_default=True, help="Where the viewer listens."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--dry-run", is_flag=True, help="Print the address and don't start the viewer.")
def command(  # noqa: PLR0917 - click passes by name
    log: Path, sample: str | None, epoch: int, port: int, no_browser: bool, dry_run: bool
) -> int:
    """Open LOG (a file or a folder) in the engine's viewer, on loopback."""
    from knowact.engine.reader import sample_ids

    folder = log if log.is_dir() else log.parent
    address = f"http://{HOST}:{port}/"
    if not log.is_dir():
        address += f"#/logs/{quote(log.name)}"
    ids = sample_ids(log)
    if sample is not None:
        from knowact.core.errors import BadUsage, UnknownName

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
    words = [
        "-m",
        "inspect_ai",
        "view",
        "start",
        "--log-dir",
        str(folder),
        "--host",
        HOST,
        "--port",
        str(port),
    ]
    return subprocess.run([sys.executable, *words], check=False).returncode  # noqa: S603 - our own arguments
