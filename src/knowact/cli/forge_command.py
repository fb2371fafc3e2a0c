"""`knowact forge`: data sets from a seed. Code makes and proves the plans; writers put them into words."""

from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from knowact import suites
from knowact.cli.for_suites import ForSuites, SuiteOption, borrowing, forged, listed, of_own_tools, paired
from knowact.cli.forge_asking import SHOWN, VOTES, Wishes, announce, ask, refuse_wrong
from knowact.cli.forge_files import export_briefs, export_requests, read_readings
from knowact.cli.forge_from import pairs_from
from knowact.cli.options import HELP, PATH, connections_option, yes_option
from knowact.cli.role_options import refuse
from knowact.core.errors import BadUsage
from knowact.forge.alike import BM25, EMBEDDINGS
from knowact.forge.complete import BOTH, LEVELS, WAYS, PairWishes
from knowact.running.roles import assigned
from knowact.running.sources import typed

if TYPE_CHECKING:
    from knowact.forge.choose import Kind, Watch
    from knowact.forge.recipe import Finished, Recipe, Work
    from knowact.tools.material import Use
    from knowact.worlds.material import Material

ROLES: Final = ("writer", "judge")
PROPOSED_AT_ONCE: Final = 5
REQUESTS_EACH: Final = 4
"""So many requests come from one proposed scenario, about."""


@click.command("forge", cls=ForSuites, suites={"Suites": forged}, context_settings=HELP)
@click.argument("suite")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the plans, the world's values and all draws."
)
@click.option("--out", type=PATH, help="The folder to write [default: SUITE-SEED or SUITE-from-NAME].")
@click.option(
    "--size", type=click.IntRange(min=1), help="Number of texts to write, or of pairs to make [default: all]."
)
@click.option(
    "--from",
    "source",
    cls=SuiteOption,
    fits=paired,
    metavar="FOLDER|SUITE|SUITE=DATA",
    help="Make pairs from the complete items of a folder of tasks, or of a suite's data.",
)
@click.option(
    "--tools",
    "own",
    cls=SuiteOption,
    fits=of_own_tools,
    metavar="NAME",
    help="Make them with your own tools ('knowact tools add').",
)
@click.option("--way", type=click.Choice(WAYS), help="With --from: what to remove [default: both].")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    help="With --from: how alike a replaced tool's substitute is [default: drawn].",
)
@click.option("--embed", metavar="MODEL", help="With --from: find similar tools by a sentence encoder.")
@click.option(
    "--role",
    multiple=True,
    metavar="writer=MODEL|judge=MODEL",
    help="The model that writes the requests, and the one that rates them. writer=flat is for tests.",
)
@click.option("--texts", type=PATH, help="A file of written texts, one per line.")
@click.option("--briefs", type=PATH, help="Export the open briefs to this file; stop.")
@click.option("--to-read", type=PATH, help="Export the requests for blind readers; stop.")
@click.option("--readings", type=PATH, help="The readers' answers, one reading per line.")
@click.option(
    "--with",
    "borrowed",
    cls=SuiteOption,
    fits=borrowing,
    multiple=True,
    metavar="SUITE=FOLDER",
    help="A data set of the same seed whose requests a recipe uses as well, if not the shipped one.",
)
@click.option("--votes", type=click.IntRange(1), default=VOTES, show_default=True, help="Votes per request.")
@connections_option
@yes_option
@click.option(
    "--share",
    hidden=True,
    expose_value=False,
    callback=refuse("--share was removed. Give the number of items with --size N."),
)
def command(  # noqa: PLR0917 - one parameter per option
    suite: str,
    seed: int | None,
    out: Path | None,
    size: int | None,
    source: str | None,
    own: str | None,
    way: str | None,
    level: str | None,
    embed: str | None,
    role: tuple[str, ...],
    texts: Path | None,
    briefs: Path | None,
    to_read: Path | None,
    readings: Path | None,
    borrowed: tuple[str, ...],
    votes: int,
    max_connections: int,
    yes: bool,
) -> int:
    """Make a data set for SUITE: plans are drawn from scenarios, executed and proven, then put into words.

    Texts come from a model (--role writer=MODEL) or from a file (--texts). With --from, pairs are made of
    complete items that are there: tools are replaced, or words removed. Interrupt it at any time; the same
    command resumes. Use the result with `knowact run SUITE --data FOLDER`.
    """
    recipe = _recipe(suite)
    if borrowed and not recipe.borrows:
        raise BadUsage(f"The data of {suite} use no other requests: --with is for {listed(borrowing)}.")
    roles = assigned(role, ROLES)
    wishes = Wishes(roles, texts, briefs, readings, to_read, votes, max_connections, yes)
    if source is not None:
        _not_with("--from", {"--to-read": to_read, "--readings": readings, "--with": borrowed})
        asked = PairWishes(
            seed=seed or 0,
            size=size,
            way=way or BOTH,
            level=level or "",
            retriever=f"{EMBEDDINGS}{embed}" if embed else BM25,
            judge=roles.get("judge", ""),
            votes=votes,
            folder=out or Path(f"{suite}-from-{Path(source.partition('=')[0]).name}"),
        )
        return pairs_from(recipe.pairing, suite, source, asked, wishes)
    _not_with("a recipe; add --from", {"--way": way, "--level": level, "--embed": embed})
    if own is not None:
        return forge_with_tools(suite, own, wishes, seed=seed or 0, size=size, out=out)
    if seed is None:
        raise BadUsage("--seed N fixes plans and the world's values. Add it.")
    folder = out or Path(f"{suite}-{seed}")
    from knowact.forge.choose import stratified

    whole = sum(recipe.sizes.values())
    if size is not None and size > whole:
        raise BadUsage(f"--size is at most {whole:,} for {suite}, the size of the whole data set.")
    number = size or whole
    material = _material(recipe, seed, number, folder, wishes)
    work = _work(recipe, material, seed, stratified(recipe.sizes, number), folder, wishes=wishes)
    work.borrowed = [request for name in recipe.borrows for request in _borrowed(name, borrowed, work)]
    return _made(work, wishes)


def forge_with_tools(
    suite: str, name: str, wishes: Wishes, *, seed: int = 0, size: int | None = None, out: Path | None = None
) -> int:
    """Make data with somebody's own tools; what they yield is told before anything is written.

    Args:
        suite: The suite, as people type it.
        name: The tools'.
        wishes: What the options say.
        seed: Of the plans and all draws.
        size: Number of texts; needed here.
        out: The folder to write; None for "SUITE-NAME".

    Returns:
        The exit code.

    Raises:
        BadUsage: The suite's recipe cannot, or nothing can be proven with these tools.
    """
    from knowact.forge.own_tools import fitted
    from knowact.tools.agreement import rests_on
    from knowact.tools.folder import find
    from knowact.tools.material import material_of, uses

    recipe, folder = _recipe(suite), out or Path(f"{suite}-{name}")
    recipe = recipe.own_tools or recipe
    if recipe.borrows:
        raise BadUsage(f"{suite} uses requests of {' and '.join(recipe.borrows)}, so it cannot take --tools.")
    if size is None:
        raise BadUsage("Give the maximum number of items with --size N.")
    _told(name, uses(find(name)))
    material = replace(material_of(name), labels=partial(rests_on, find(name)))
    material = _with_scenarios(material, seed, size, folder, wishes)
    with _choosing() as watch:
        fit = fitted(recipe, material, seed, size, watch)
    if len(fit.order) < size:
        click.echo(f"The scenarios yield {len(fit.order):,} provable requests of {size:,}.", err=True)
    work = _work(fit.recipe, material, seed, fit.order, folder, wishes=wishes, without=fit.idle)
    kinds = Counter(map(recipe.kind, work.rehearsed()))
    if not kinds:
        raise BadUsage(f"The plans that can be proven with the tools of {name!r} make no item of {suite}.")
    listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    click.echo(f"{kinds.total():,} items can be made of {len(work.drafts):,} requests: {listed}.")
    return _made(work, wishes)


def _told(name: str, there: "Sequence[Use]") -> None:
    """Say with which tools items can be made, and why not with the others.

    Raises:
        BadUsage: There is no such tool.
    """
    reasons: dict[str, list[str]] = {}
    for use in there:
        reasons.setdefault(use.why_not, []).append(use.tool)
    usable = reasons.pop("", [])
    lines = [f"Items can be made with {len(usable):,} of the {len(there):,} tools of {name!r}."]
    for why, tools in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        shown = ", ".join(tools[:SHOWN]) + (", ..." if len(tools) > SHOWN else "")
        lines.append(f"  not with {len(tools):,}: {why} ({shown})")
    if not usable:
        raise BadUsage(lines[0], tuple(line.strip() for line in lines[1:]))
    click.echo("\n".join(lines))


def _not_with(other: str, options: Mapping[str, object]) -> None:
    if given := [name for name, value in options.items() if value]:
        raise BadUsage(f"{given[0]} cannot be combined with {other}.")


def _recipe(name: str) -> "Recipe":
    """A suite's recipe.

    Raises:
        UnknownName: There is no such suite.
        BadUsage: It has none.
    """
    suite = suites.find(name)
    from knowact.forge.recipe import recipe_of

    if (recipe := recipe_of(suite)) is None:
        raise BadUsage(f"{typed(suite.name)} has no recipe for data yet. 'knowact list' shows what it ships.")
    return recipe


def _material(recipe: "Recipe", seed: int, size: int, folder: Path, wishes: Wishes) -> "Material":
    """The recipe's world, with scenarios.

    Raises:
        BadUsage: It has none, and none can be proposed.
    """
    from knowact.worlds import registry

    make = registry.find(recipe.world).material
    if make is None:
        raise BadUsage(f"The world {recipe.world!r} has no material to make data from.")
    material = make()
    return material if material.scenarios else _with_scenarios(material, seed, size, folder, wishes)


@contextmanager
def _choosing() -> "Generator[Watch]":
    """Show how far the scenarios are drawn."""
    with click.progressbar(length=100, label="Choosing plans", show_eta=True) as bar:

        def watch(done: int, total: int) -> None:
            bar.update(100 * done // total - bar.pos)

        yield watch


def _work(
    recipe: "Recipe",
    material: "Material",
    seed: int,
    order: "Sequence[Kind]",
    folder: Path,
    *,
    wishes: Wishes,
    without: Collection[str] = (),
) -> "Work":
    """Choose the plans.

    Raises:
        BadUsage: The scenarios do not yield enough of a kind.
    """
    from knowact.forge.recipe import Work

    with _choosing() as watch:
        work = Work(recipe, material, seed, order, folder, watch, wishes.roles.get("writer", ""), without)
        work.choose()
    return work


def _with_scenarios(material: "Material", seed: int, size: int, folder: Path, wishes: Wishes) -> "Material":
    """The world with scenarios that the writer proposes, and whose plans can be proven.

    Raises:
        BadUsage: No model is bound to propose any, or none can be used.
    """
    from knowact.forge import proposing
    from knowact.forge.flat import FLAT

    model = wishes.roles.get("writer")
    there = len(proposing.kept(folder))
    missing = max(1, size // REQUESTS_EACH) - there
    if model in {None, FLAT} and not there:
        raise BadUsage(
            f"The world {material.name!r} has no scenarios. Add --role writer=MODEL to have some proposed."
        )
    if missing > 0 and model is not None and model != FLAT:
        from knowact.engine.writing import ToPropose, to_propose

        shown = proposing.shown(material, PROPOSED_AT_ONCE)
        prove = partial(proposing.proven, material=material, seed=seed)
        batches = [
            ToPropose(f"scenarios-{number}", shown, prove)
            for number in range(1, -(-missing // PROPOSED_AT_ONCE) + 1)
        ]
        announce("writer", model, len(batches), len(batches) * sum(map(len, shown.values())), yes=wishes.yes)
        keep = partial(proposing.keep_all, folder)
        ask(model, to_propose(batches), keep, wishes.connections)
    if not (scenarios := proposing.kept(folder)):
        raise BadUsage(f"No scenario for the world {material.name!r} could be used. Run the command again.")
    return replace(material, scenarios=scenarios)


def _borrowed(suite: str, pairs: Sequence[str], work: "Work") -> "list[Finished]":
    """The finished requests of another suite's data: of a folder, or of what is shipped with this seed.

    Raises:
        BadUsage: There is neither.
    """
    from knowact.datasets.own import MANIFEST, read_manifest
    from knowact.forge.ratings import discarded
    from knowact.forge.recipe import PLANS, finished_in

    given = [Path(pair.removeprefix(f"{suite}=")) for pair in pairs if pair.startswith(f"{suite}=")]
    for folder in given or [each.path for each in suites.find(suite).datasets()]:
        made = (folder / PLANS).exists() and (folder / MANIFEST).exists()
        if made and read_manifest(folder).seed == work.seed:
            done = finished_in(folder, _recipe(suite))
            return [each for each in done if discarded(each.answer, each.ratings) is None]
    raise BadUsage(
        f"This data set also uses requests of {suite} that were made with seed {work.seed}. Make them with "
        f"'knowact forge {suite} --seed {work.seed}', and say where they are: --with {suite}=FOLDER."
    )


def _made(work: "Work", wishes: Wishes) -> int:
    """Have a data set written, rated and frozen, as far as the options go."""
    _take(work, wishes.texts)
    if wishes.briefs:
        return export_briefs(work, wishes.briefs)
    failing = True
    lost = 0
    while failing:
        lost = _write(work, wishes)
        if left := len(work.open()):
            click.echo(f"{left:,} briefs have no text. Run the same command to resume.", err=True)
            return 1
        if not work.drafts:
            raise BadUsage("All briefs were refused or given up, and no other plan is left. Add scenarios.")
        if wishes.to_read:
            return export_requests(work, wishes.to_read)
        lost += _rate(work, wishes)
        failing = _discard(work, wishes)
        wishes = replace(wishes, yes=True)  # who agreed to the first texts agreed to those that replace them
    if wishes.readings:
        work.keep_readings(read_readings(wishes.readings))
    _freeze(work)
    _sum_up(work)
    click.echo(work.folder)
    return 1 if lost else 0


def _sum_up(work: "Work") -> None:
    """Say what was given up, and how many places have stayed empty for it."""
    from knowact.forge.asking import commonest

    if work.given_up:
        why = commonest(work.given_up)
        click.echo(
            f"Given up: {len(work.given_up):,} briefs for which the writer produced no valid text. "
            f"Most often: {why}"
        )
    if not work.material.seeded and (idle := work.idle()):
        click.echo(f"{len(idle):,} texts yield no item: they have no partner.", err=True)
    if work.empty:
        planned = len(work.order)
        why = "no other plan is left for what was refused, was given up, or finds no partner"
        click.echo(f"{planned - work.empty:,} of {planned:,} texts are there; {why}.", err=True)


def _take(work: "Work", texts: Path | None) -> None:
    from knowact.forge.texts import read_answers

    if texts is not None:
        refuse_wrong(work.take(read_answers(texts).values()), texts)


def _write(work: "Work", wishes: Wishes) -> int:
    """Have the open briefs written; how many failed."""
    from knowact.forge.flat import FLAT, flat

    model, failed, agreed = wishes.roles.get("writer"), 0, wishes.yes
    while due := work.due(model):
        if model is None:
            line = "Add --role writer=MODEL, or export them with --briefs FILE and give --texts FILE."
            raise BadUsage(f"{len(due):,} briefs have no text. {line}")
        if model == FLAT:
            for draft in due:
                work.keep(flat(work.brief(draft)))
            continue
        from knowact.engine.writing import ToWrite, to_write

        items = [
            ToWrite(work.brief(draft), partial(work.complaints, draft), work.discarded(work.brief(draft)))
            for draft in due
        ]
        shown = sum(len(each.brief.model_dump_json()) for each in items)
        announce("writer", model, len(items), shown, yes=agreed)
        agreed = True
        failed = len(ask(model, to_write(items, model), work.keep, wishes.connections).failures)
        if failed:
            break
    return failed


def _rate(work: "Work", wishes: Wishes) -> int:
    """Have the requests rated; how many votes failed."""
    from knowact.engine.writing import ToRate, to_rate
    from knowact.forge.ratings import shown
    from knowact.forge.recipe import hash_of

    model = wishes.roles.get("judge")
    if model is None:
        return 0
    cast = {(each.brief, each.text, each.vote) for each in work.ratings if each.judge == model}
    items = [
        ToRate(
            each.brief.id,
            hash_of(each.answer.versions),
            shown(each.draft, each.answer, work.material),
            vote,
            len(each.answer.discarded),
        )
        for each in work.finished()
        for vote in range(1, wishes.votes + 1)
        if (each.brief.id, hash_of(each.answer.versions), vote) not in cast
    ]
    if not items:
        return 0
    announce("judge", model, len(items), sum(len(each.shown) for each in items), yes=wishes.yes)
    return len(ask(model, to_rate(items, model), work.keep_rating, wishes.connections).failures)


def _discard(work: "Work", wishes: Wishes) -> bool:
    """Discard the texts that judges fail, and say so; whether there were any."""
    # Without a judge there are no more votes to come.
    discards = work.discard(wishes.votes if "judge" in wishes.roles else 1)
    if discards:
        points = Counter(point for discard in discards for point in discard.points)
        listed = ", ".join(f"{point} {n:,}" for point, n in points.most_common())
        click.echo(f"Discarded: {len(discards):,} texts of which most votes deny a point ({listed}).")
    return bool(discards)


def _freeze(work: "Work") -> None:
    from knowact.forge.recipe import freeze

    if repeated := work.repeated():
        pairs = ", ".join(f"{brief} repeats {other}" for brief, other in list(repeated.items())[:SHOWN])
        raise BadUsage(f"{len(repeated):,} texts repeat another one: {pairs}. Write them anew.")
    freeze(work)
