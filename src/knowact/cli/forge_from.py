"""`knowact forge SUITE --from …`: pairs of complete items that somebody else wrote."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from knowact import suites
from knowact.cli.forge_asking import Wishes, announce, ask, refuse_wrong
from knowact.core.errors import BadUsage
from knowact.forge.asking import ToAsk
from knowact.forge.call_rows import call_files
from knowact.forge.complete import Pairing, PairWishes, Source, of_folder, of_plan
from knowact.running.sources import plan_of, typed


def pairs_from(
    pairing: Callable[[Source, PairWishes], Pairing] | None,
    suite: str,
    source: str,
    asked: PairWishes,
    wishes: Wishes,
) -> int:
    """Have pairs judged, written and frozen, as far as the options go.

    Raises:
        BadUsage: The suite makes no pairs, the items cannot be used, or a role is missing.
        BadData: The items, or what is kept in the folder, cannot be read.
    """
    if pairing is None:
        raise BadUsage(f"{suite} makes no pairs of other data. Leave --from out.")
    work = pairing(_source(source), asked)
    asking = _Asking(work, wishes, set())
    while True:
        if wishes.texts is not None:
            refuse_wrong(work.take(wishes.texts), wishes.texts)
        if questions := work.questions():
            lost = asking.put("judge", questions)
        elif not (briefs := work.briefs()):
            return _frozen(work, asked)
        elif wishes.briefs is not None:
            wishes.briefs.write_text("".join(f"{line}\n" for line in briefs), encoding="utf-8")
            click.echo(f"{wishes.briefs}: {len(briefs):,} briefs. Give their texts with --texts FILE.")
            return 0
        else:
            lost = asking.put("writer", work.wanted(wishes.roles.get("writer", "")))
        if lost:
            click.echo(f"{lost:,} answers are missing. Run the same command to resume.", err=True)
            return 1


@dataclass(frozen=True, slots=True)
class _Asking:
    """Puts questions to the models in roles; what it takes is asked about once for each role."""

    work: Pairing
    wishes: Wishes
    agreed: set[str]

    def put(self, role: str, items: Sequence[ToAsk[object]]) -> int:
        """Put questions to a role; how many were not answered.

        Raises:
            BadUsage: Nobody is bound to it.
        """
        model = self.wishes.roles.get(role)
        if model is None:
            people = ", or export them with --briefs FILE and give --texts FILE" if role == "writer" else ""
            need = "texts are to be written" if role == "writer" else "votes are open"
            raise BadUsage(f"{len(items):,} {need}. Add --role {role}=MODEL{people}.")
        characters = sum(len(question.text) for question in items)
        announce(role, model, len(items), characters, yes=self.wishes.yes or role in self.agreed)
        self.agreed.add(role)
        return len(ask(model, items, self.work.keep, self.wishes.connections).failures)


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


def _frozen(work: Pairing, asked: PairWishes) -> int:
    made, lines = work.freeze()
    click.echo("\n".join([*lines, str(asked.folder)]))
    if asked.size is not None and made < asked.size:
        click.echo(f"Only {made:,} of {asked.size:,} pairs could be made.", err=True)
        return 1
    return 0 if made else 1
