"""`knowact tools draft`: an OpenAPI document from prose documentation, for a person to confirm."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from knowact.cli import terminal
from knowact.cli.forge_asking import announce, ask
from knowact.cli.options import FILE, HELP, connections_option, yes_option
from knowact.core.clean import one_line
from knowact.core.errors import BadData, BadUsage, Place, lacks_role
from knowact.core.rounding import count
from knowact.running.roles import assigned
from knowact.tools.folder import folder_named, write

if TYPE_CHECKING:
    from knowact.tools.draft import Draft
    from knowact.tools.openapi import Document
    from knowact.tools.prose import Piece
    from knowact.tools.prose_form import Forms

WRITER: Final = "writer"
SHOWN: Final = 20
"""Entries that are listed; how many there are is said."""


@click.command("draft", context_settings=HELP)
@click.argument("name")
@click.option(
    "--docs",
    multiple=True,
    required=True,
    type=FILE,
    metavar="FILE",
    help="Documentation: text, Markdown or HTML; repeatable.",
)
@click.option("--role", multiple=True, metavar="writer=MODEL", help="The model that reads it.")
@click.option("--out", type=FILE, metavar="FILE", help="The document [knowact-tools/NAME/openapi.yaml].")
@connections_option
@yes_option
def command(  # noqa: PLR0917 - one parameter per option
    name: str,
    docs: tuple[Path, ...],
    role: tuple[str, ...],
    out: Path | None,
    max_connections: int,
    yes: bool,
) -> int:
    """Draft an OpenAPI document for the tools of NAME from prose documentation.

    A model writes down the calls that it reads, each with quotes; what has no quote that stands in the
    documentation is dropped and listed. Compare the draft with the documentation, correct it, and remove its
    line x-knowact-draft; until then `knowact tools add` refuses it. Nothing that the model writes is run.
    Interrupt it at any time; the same command resumes.
    """
    from knowact.core.prompts import load_prompt
    from knowact.tools.prose import pieces
    from knowact.tools.prose_form import Forms

    terminal.prepare()
    target = out or folder_named(name) / "openapi.yaml"
    model = assigned(role, (WRITER,)).get(WRITER)
    if model is None:
        raise lacks_role("tools draft", WRITER)
    prompt = load_prompt("knowact.tools", "draft")
    read = pieces(docs)
    forms = Forms(target.with_suffix(".read.jsonl"), model, prompt.sha256)
    before = _drafted(name, model, read, forms, target)
    _own_work(target, before)
    due = [piece for piece in read if forms.of(piece) is None]
    if due:
        from knowact.engine.drafting import to_read

        announce(WRITER, model, len(due), sum(len(piece.text) + len(prompt.text) for piece in due), yes=yes)
        questions = (to_read(piece, prompt) for piece in due)
        ask(model, questions, lambda came: forms.keep(*came), max_connections)
    lost = [piece for piece in read if forms.of(piece) is None]
    made = _drafted(name, model, read, forms, target)
    _tell_dropped(made.dropped)
    if made.read is not None:
        write(target, made.text())
        _tell(made.read, made.servers, name, target)
    elif not lost:
        problem = "the model found no operation in it that a quote supports"
        raise BadData(problem, Place(docs[0]), "give documentation that names methods and paths")
    for piece in lost:
        click.echo(f"Not read: {one_line(piece.file)}, piece {piece.number}.", err=True)
    if lost:
        click.echo(
            "The draft lacks the operations of these pieces. Run the same command to resume.", err=True
        )
    return 1 if lost else 0


def _drafted(name: str, model: str, read: "Sequence[Piece]", forms: "Forms", target: Path) -> "Draft":
    """The draft of all pieces that were read so far."""
    from knowact.tools.draft import draft

    known = [(piece, form) for piece in read if (form := forms.of(piece)) is not None]
    return draft(name, model, known, target)


def _own_work(target: Path, before: "Draft") -> None:
    """Refuse to write over what a person may have changed.

    Raises:
        BadUsage: The file is not what this command wrote.
    """
    if not target.exists():
        return
    from knowact.datasets.lines import read_text

    if read_text(target) != before.text():
        raise BadUsage(
            f"{target} exists, and may hold your corrections. Move it away, or name another --out."
        )


def _tell_dropped(dropped: Sequence[str]) -> None:
    if dropped:
        click.echo(f"Left out: {len(dropped):,}")
    for operation in dropped[:SHOWN]:
        click.echo(f"  {one_line(operation)}")
    if len(dropped) > SHOWN:
        click.echo(f"  … and {len(dropped) - SHOWN:,} more")


def _tell(made: "Document", servers: Sequence[str], name: str, target: Path) -> None:
    for tool in made.tools:
        parameters = count(len(tool.tool("").properties), "parameter")
        route = f"{tool.hints.method} {tool.route.path}" if tool.route else ""
        says = "" if tool.returns else ", no result described"
        click.echo(f"  {one_line(tool.name)}: {one_line(route)}, {parameters}{says}")
    if len(servers) > 1:
        click.echo(f"Addresses: {one_line(', '.join(servers))}. Calls go to the first: keep the right one.")
    base = "" if servers else " --base-url URL"
    click.echo(
        f"{count(len(made.tools), 'operation')} drafted: {target}\n"
        "Compare it with the documentation, correct it, and remove its line x-knowact-draft. Then:\n"
        f"  knowact tools add {name} --openapi {target}{base}"
    )
