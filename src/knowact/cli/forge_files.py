"""The files that `knowact forge` exchanges with people: briefs, requests to be read, readings."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowact.core.errors import BadUsage

if TYPE_CHECKING:
    from knowact.forge.ratings import BlindReading
    from knowact.forge.recipe import Work


def export_briefs(work: "Work", file: Path) -> int:
    """Write the briefs that have no text, each with the texts that were discarded; return the exit code."""
    from knowact.core.clean import dumps

    briefs = [
        work.brief(draft).model_dump(mode="json", exclude_defaults=True)
        | (
            {"discarded": [discard.model_dump(mode="json", exclude_defaults=True) for discard in past]}
            if past
            else {}
        )
        for draft in work.open()
        for past in (work.discarded(work.brief(draft)),)
    ]
    file.write_text("".join(f"{dumps(line)}\n" for line in briefs), encoding="utf-8")
    click.echo(f"{file}: {len(briefs):,} briefs. Give their texts with --texts FILE (see docs/forging.md).")
    return 0


def export_requests(work: "Work", file: Path) -> int:
    """Write the requests as blind readers see them; return the exit code."""
    from knowact.core.clean import dumps
    from knowact.forge.ratings import to_read
    from knowact.forge.recipe import hash_of

    rows = [
        to_read(request.draft, written, hash_of({name: written}), request.brief.id, work.material)
        for request in work.finished()
        for name, written in request.answer.versions.items()
    ]
    # By their hashes, so that nobody can tell a request's versions by their place.
    rows.sort(key=lambda row: row["text"])
    file.write_text("".join(f"{dumps(row)}\n" for row in rows), encoding="utf-8")
    click.echo(
        f"{file}: {len(rows):,} requests. Give the readers' answers with --readings FILE "
        "(see docs/forging.md)."
    )
    return 0


def read_readings(file: Path) -> "list[BlindReading]":
    """What readers said, from a file of theirs.

    Raises:
        BadUsage: There is no such file.
        BadData: A line is no reading.
    """
    from knowact.datasets.lines import rows_of
    from knowact.forge.ratings import BlindReading

    if not file.exists():
        raise BadUsage(f"There is no file {file}. Give the path of a file of readings.")
    return list(rows_of(BlindReading, file))
