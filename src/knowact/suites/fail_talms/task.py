"""FAIL-TaLMs as a task of the engine: `inspect eval knowact/fail_talms`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai import Task, task

from knowact.conditions.broken import other_seed
from knowact.core.errors import BadUsage
from knowact.core.options import options_of
from knowact.core.record import Record
from knowact.core.suite import Item
from knowact.core.world import Session
from knowact.engine.assemble import DEFAULTS, Trials, described, engine_task
from knowact.engine.metrics import mean_by
from knowact.engine.persons import Person, at_terminal, played, scripted
from knowact.people.extractor import Reading, extraction_prompt
from knowact.people.helper import Known, helper_prompt
from knowact.people.judge import Ballot
from knowact.probes.outcome import Judged, Outcome
from knowact.probes.probe import Help, Probe, Subject
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.cases import DEFAULT_DATA
from knowact.suites.fail_talms.items import asked, compared, plan
from knowact.suites.fail_talms.judging import ballots as ballots_of
from knowact.suites.fail_talms.judging import readings as readings_of
from knowact.suites.fail_talms.probes import (
    QUESTIONS_ANSWERED,
    ROUNDS,
    act,
    act_with_tools,
    awareness,
    prompts,
    request_of,
)
from knowact.suites.fail_talms.scoring import MEASURES, gives_up, record_of
from knowact.suites.fail_talms.suite import SUITE, VERSION
from knowact.worlds.registry import open_world

SHOWN = ("conduct", "right", "pass", "aware")
"""Measures that the engine shows the means of."""

PUBLISHED_TEMPERATURE = 1.0
"""In the acting loop of the paper (spec, section 6.3)."""


def _trials(options: Mapping[str, Any]) -> Trials:
    """What the engine has to know of a run under these options."""
    planned = plan(options)
    if planned.obstacle:
        raise BadUsage(planned.obstacle)
    helper = str(options["helper"])
    charged = options["rules"] == "published"
    help_ = None if helper == "nobody" else Help(int(options["max_questions"]), charged)
    skips = options["gate"] == "skip" or options["rules"] == "published"
    rounds, rules = int(options["rounds"]), str(options["rules"])

    def probes(item: Item) -> Sequence[Probe]:
        acts, questions = asked(item, options)
        found = [awareness(cast("Subject", question)) for question in questions]
        found += [act(rounds, help_)] if acts else []
        full = cast("AskedItem", item).full
        return [*found, *([act_with_tools(rounds, full)] if full and compared(item, options) else [])]

    def session(item: Item) -> Session:
        return open_world(item.task.world, planned.world_seed)

    def elsewhere(item: Item) -> Session | None:
        broken = cast("AskedItem", item).broken
        return open_world(item.task.world, other_seed(planned.world_seed)) if broken == "wrong" else None

    def person(item: Item) -> tuple[Person, Known | None] | None:
        return _person(helper, cast("AskedItem", item))

    def goes_on(item: Item, probe: Probe, known: Mapping[str, Outcome]) -> bool:
        return not (skips and probe.execute and gives_up(cast("AskedItem", item), known))

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        return record_of(cast("AskedItem", item), epoch, judged, rules=rules, helper=help_ is not None)

    def readings(item: Item, outcomes: Mapping[str, Outcome]) -> Sequence[Reading]:
        return readings_of(cast("AskedItem", item), outcomes, rules)

    def ballots(item: Item, judged: Judged) -> Sequence[Ballot]:
        return ballots_of(cast("AskedItem", item), judged.outcomes, int(options["votes"]))

    return Trials(
        *(planned, probes, session, record, MEASURES, ballots, int(options["seed"])),
        readings=readings,
        elsewhere=elsewhere,
        person=person,
        goes_on=goes_on,
    )


def _person(helper: str, item: AskedItem) -> tuple[Person, Known | None] | None:
    """Who is asked about an item, and what can be told of their questions."""
    known = item.known or Known()
    # Where only the whole request is known, nobody can say which of its details is the missing one.
    recorded = None if known.whole else known
    match helper:
        case "scripted":
            return scripted(known), recorded
        case "model":
            return played(known, item.id), recorded
        case "person":
            return at_terminal(known, request_of(item)), recorded
        case _:
            return None


@task
def fail_talms(  # noqa: PLR0917 - the engine passes task arguments by name
    data: str = DEFAULT_DATA,
    seed: int = 0,
    limit_tasks: int = 0,
    trials: int = 1,
    rules: str = "definition",
    setting: str = "all",
    probe: str = "both",
    helper: str = "nobody",
    max_questions: int = QUESTIONS_ANSWERED,
    broken: str = "none",
    distractors: int = 0,
    rounds: int = ROUNDS,
    gate: str = "record",
    votes: int = 5,
    win_rate: bool = False,  # noqa: FBT001, FBT002
    cassette: str = "",
    replies: str = "none",
) -> Task:
    """What does the agent do when something is missing, and does it ask?

    The arguments are the options of `knowact run fail-talms`; `limit_tasks` is its `--limit` (0: all), so
    that the engine's own `--limit` keeps its meaning.
    """
    options = options_of(SUITE, locals())
    run = _trials(options)
    asked_with = (*prompts().values(), helper_prompt(), extraction_prompt())
    about = described("fail_talms", run.plan, options, trials, asked_with)
    config = DEFAULTS
    if rules == "published":
        config = DEFAULTS.model_copy(update={"temperature": PUBLISHED_TEMPERATURE})
    return engine_task(
        run,
        metrics=[mean_by(name, "setting", with_toolless=True) for name in SHOWN],
        epochs=trials,
        version=VERSION,
        metadata=about,
        config=config,
    )
