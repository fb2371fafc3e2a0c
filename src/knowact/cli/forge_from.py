"""`knowact forge SUITE --from …`: pairs of complete items that somebody else wrote."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from knowact import suites
from knowact.cli.forge_asking import announce, ask, refuse_wrong
from knowact.core.errors import BadUsage
from knowact.forge.alike import BM25, EMBEDDINGS
from knowact.forge.asking import ToAsk
from knowact.forge.call_rows import call_files
from knowact.forge.complete import BOTH, Pairing, PairWishes, Source, of_folder, of_plan
from knowact.running.sources import plan_of, typed


@dataclass(frozen=True, slots=True)
class Outside:
    """What the options say; those that are not given are None."""

    source: str
    way: str | None
    level: str | None
    embed: str | None
    seed: int
    size: int | None
    out: Path | None
    texts: Path | None
    briefs: Path | None
    roles: Mapping[str, str]
    votes: int


def pairs_from(
    pairing: Callable[[Source, PairWishes], Pairing] | None,
    suite: str,
    asked: Outside,
    connections: int,
    *,
    yes: bool,
) -> int:
    """Have pairs judged, written and frozen, as far as the options go.

    Raises:
        BadUsage: The suite makes no pairs, the items cannot be used, or a role is missing.
        BadData: The items, or what is kept in the folder, cannot be read.
    """
    if pairing is None:
        raise BadUsage(f"{suite} makes no pairs of other data. Leave --from out.")
    wishes = PairWishes(
        seed=asked.seed,
        size=asked.size,
        way=asked.way or BOTH,
        level=asked.level or "",
        retriever=f"{EMBEDDINGS}{asked.embed}" if asked.embed else BM25,
        judge=asked.roles.get("judge", ""),
        votes=asked.votes,
        folder=asked.out or Path(f"{suite}-from-{Path(asked.source.partition('=')[0]).name}"),
    )
    work = pairing(_source(asked.source), wishes)
    asking = _Asking(work, asked.roles, connections, yes, set())
    while True:
        if asked.texts is not None:
            refuse_wrong(work.take(asked.texts), asked.texts)
        if questions := work.questions():
            lost = asking.put("judge", questions)
        elif not (briefs := work.briefs()):
            return _frozen(work, wishes)
        elif asked.briefs is not None:
            asked.briefs.write_text("".join(f"{line}\n" for line in briefs), encoding="utf-8")
            click.echo(f"{asked.briefs}: {len(briefs):,} briefs. Give their texts with --texts FILE.")
            return 0
        else:
            lost = asking.put("writer", work.wanted(asked.roles.get("writer", "")))
        if lost:
            click.echo(f"{lost:,} answers are missing. Run the same command to resume.", err=True)
            return 1


@dataclass(frozen=True, slots=True)
class _Asking:
    """Puts questions to the models in roles; what it takes is asked about once for each role."""

    work: Pairing
    roles: Mapping[str, str]
    connections: int
    yes: bool
    agreed: set[str]

    def put(self, role: str, items: Sequence[ToAsk[object]]) -> int:
        """Put questions to a role; how many were not answered.

        Raises:
            BadUsage: Nobody is bound to it.
        """
        model = self.roles.get(role)
        if model is None:
            people = ", or export them with --briefs FILE and give --texts FILE" if role == "writer" else ""
            need = "texts are to be written" if role == "writer" else "votes are open"
            raise BadUsage(f"{len(items):,} {need}. Add --role {role}=MODEL{people}.")
        characters = sum(len(question.text) for question in items)
        announce(role, model, len(items), characters, yes=self.yes or role in self.agreed)
        self.agreed.add(role)
        return len(ask(model, items, self.work.keep, self.connections).failures)


def _source(name: str) -> Source:
    """The complete items that `--from` names.

    Raises:
        BadUsage: There is neither such a folder nor such a suite, or its items are none.
    """
    if Path(name).is_dir():
        return of_folder(Path(name))
    suite, _, data = name.partition("=")
    if suite.replace("-", "_") not in suites.names():
        known = ", ".join(map(typed, suites.names()))
        raise BadUsage(f"There is no folder {name!r}, and no suite of that name. Suites: {known}.")
    owner = suites.find(suite)
    if owner.converses:
        raise BadUsage(f"The items of {typed(owner.name)} are conversations; pairs take requests.")
    if data and Path(data).is_dir() and call_files(Path(data)):
        # What a suite asks of such rows leaves their calls out, which a removal needs.
        return of_folder(Path(data))
    return of_plan(plan_of(owner, data or None))


def _frozen(work: Pairing, wishes: PairWishes) -> int:
    made, lines = work.freeze()
    click.echo("\n".join([*lines, str(wishes.folder)]))
    if wishes.size is not None and made < wishes.size:
        click.echo(f"Only {made:,} of {wishes.size:,} pairs could be made.", err=True)
        return 1
    return 0 if made else 1
