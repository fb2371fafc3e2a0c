"""ICT as a task of the engine: `inspect eval knowact/ict`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai import Task, task

from knowact.core.options import options_of
from knowact.core.record import Record
from knowact.core.suite import Item
from knowact.core.world import Session
from knowact.engine.assemble import Trials, described, engine_task
from knowact.engine.metrics import mean_by
from knowact.people.extractor import Reading, extraction_prompt
from knowact.people.judge import Ballot
from knowact.probes.outcome import Judged, Outcome
from knowact.probes.probe import Probe
from knowact.suites.ict.answers import Manner
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.cases import DEFAULT_DATA
from knowact.suites.ict.conduct import conduct_ballots, readings_of
from knowact.suites.ict.items import asked, plan, shot_pool
from knowact.suites.ict.probes import explicit, feedback, implicit, prompts
from knowact.suites.ict.probes import why as why_not
from knowact.suites.ict.reasons import reason_ballots
from knowact.suites.ict.scoring import MEASURES, record_of, says_no
from knowact.suites.ict.shots import Examples
from knowact.suites.ict.suite import SUITE, VERSION
from knowact.worlds.registry import open_world


def _trials(options: Mapping[str, Any]) -> Trials:
    """What the engine has to know of a run under these options."""
    planned = plan(options)
    examples = Examples(shot_pool(planned, options), int(options["seed"]))
    asks, goes_on_talking, after_call = asked(options)
    manner = Manner.of(options)

    def probes(item: Item) -> Sequence[Probe]:  # noqa: ARG001 - all items are asked alike
        found: list[Probe] = []
        if asks:
            found.append(explicit(str(options["strategy"]), examples.of, plain=bool(options["plain"])))
            found += [why_not()] if options["why"] else []
        found += [implicit()] if goes_on_talking else []
        return [*found, *([feedback()] if after_call else [])]

    def session(item: Item) -> Session:
        return open_world(item.task.world, planned.world_seed)

    def goes_on(item: Item, probe: Probe, known: Mapping[str, Outcome]) -> bool:  # noqa: ARG001
        return probe.name != WHY or says_no(Judged(known).outcome(EXPLICIT), manner)

    def readings(item: Item, outcomes: Mapping[str, Outcome]) -> Sequence[Reading]:
        if manner.published:
            return ()
        return readings_of(cast("AskedItem", item), Judged(outcomes).outcome(IMPLICIT))

    def ballots(item: Item, judged: Judged) -> Sequence[Ballot]:
        one, votes = cast("AskedItem", item), int(options["votes"])
        found = () if manner.published else conduct_ballots(one, judged, votes)
        return [*found, *reason_ballots(one, judged, votes)]

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        return record_of(cast("AskedItem", item), epoch, judged, manner)

    return Trials(
        *(planned, probes, session, record, MEASURES, ballots, int(options["seed"])),
        readings=readings,
        goes_on=goes_on,
    )


@task
def ict(  # noqa: PLR0917 - the engine passes task arguments by name
    data: str = DEFAULT_DATA,
    seed: int = 0,
    limit_tasks: int = 0,
    trials: int = 1,
    rules: str = "definition",
    probe: str = "both",
    strategy: str = "zero-shot",
    manipulation: str = "all",
    source: str = "all",
    kind: str = "paper",
    why: bool = True,  # noqa: FBT001, FBT002
    plain: bool = False,  # noqa: FBT001, FBT002
    votes: int = 3,
    corruption_types: str = "",
) -> Task:
    """Are the conditions complete?

    The arguments are the options of `knowact run ict`; `limit_tasks` is its `--limit` (0: all), so that the
    engine's own `--limit` keeps its meaning.
    """
    options = options_of(SUITE, locals())
    run = _trials(options)
    about = described("ict", run.plan, options, trials, (*prompts().values(), extraction_prompt()))
    return engine_task(
        run,
        metrics=[mean_by(name, "part", with_toolless=True) for name in ("implicit", "explicit")],
        epochs=trials,
        version=VERSION,
        metadata=about,
    )
