"""CAR as a task of the engine: `inspect eval knowact/car`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai import Task, task

from knowact.core.errors import BadUsage
from knowact.core.options import options_of
from knowact.core.record import Record
from knowact.core.suite import Item
from knowact.engine.assemble import DEFAULTS, described
from knowact.engine.conversation import Phases
from knowact.engine.drivers import AtTerminal, Driver, Played, Scripted
from knowact.engine.metrics import mean_by
from knowact.engine.purse import Purse
from knowact.engine.referees import VotedReferee
from knowact.engine.talks import Seat, Talks, conversation_task
from knowact.people.driver.scripted import ScriptedDriver
from knowact.people.driver_faults import driver_faults
from knowact.people.part import Part
from knowact.probes.driving import driver_brief, driver_prompt, scenario_for_a_person
from knowact.probes.probe import Message
from knowact.probes.refereeing import judging_prompts
from knowact.suites.car.briefing import GATHER, brief, looking_tools, prompts
from knowact.suites.car.casting import case_of, known_of, part_of, script_of
from knowact.suites.car.items import CROSSED, CarItem, plan
from knowact.suites.car.records import FIRST, MEASURES, SUCCESS, record_of
from knowact.suites.car.suite import DEFAULT_DATA, RERUNS, SUITE, VERSION, VOTES
from knowact.worlds.car.record import MOST_STEPS, Trial
from knowact.worlds.car.recording import Recorder
from knowact.worlds.car.rules import Rules

OF_A_PERSON = frozenset(("early_stop",))
"""What is looked for in a person's words, beside lines that cannot be used: otherwise they are believed."""


def talks_of(options: Mapping[str, Any]) -> Talks:
    """What the engine has to know of a run under these options."""
    planned = plan(options)
    if planned.obstacle:
        raise BadUsage(planned.obstacle)
    strategy, votes = str(options["strategy"]), int(options["votes"])
    seats = str(options["driver"])
    rules = cast("CarItem", planned.items[0]).garage.rules

    def drive(item: Item, purse: Purse) -> Driver:
        return _driver(seats, cast("CarItem", item), purse)

    def referee(item: Item, purse: Purse) -> VotedReferee:
        return VotedReferee(case_of(cast("CarItem", item).what), votes, purse.of("referee"))

    def told(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        return brief(item, context, strategy)

    def part(item: Item) -> Part:
        return part_of(cast("CarItem", item).what)

    # The published runner looks for no faults of the driver, and holds no trial again (D-32).
    detects = rules is not Rules.PUBLISHED

    def faults(item: Item, trial: Trial) -> Sequence[str]:
        return _faults(seats, cast("CarItem", item), trial) if detects else ()

    def record(item: Item, epoch: int, trials: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - the engine's
        return record_of(cast("CarItem", item), epoch, trials, graded=graded)

    phases = Phases(looking_tools(rules), prompts()["turn-over"].text.strip()) if strategy == GATHER else None
    return Talks(
        plan=planned,
        seat=_seat,
        brief=told,
        driver=drive,
        referee=referee,
        part=part,
        faults=faults,
        record=record,
        measures=MEASURES,
        seed=int(options["seed"]),
        votes=votes,
        most_steps=int(options["steps"]),
        reruns=int(options["reruns"]) if detects else 0,
        phases=phases,
    )


def _seat(item: Item, epoch: int) -> Seat:
    """A fresh car, and somebody who writes everything down."""
    item = cast("CarItem", item)
    what, garage = item.what, item.garage
    session = garage.session(what)
    recorder = Recorder(
        session,
        what.id,
        garage.whole(what).car.context.model_dump(mode="json"),
        type=what.type,
        epoch=epoch,
        world=garage.rules,
        seed=garage.seed,
        removed=what.removed,
        decoy=what.decoy.paths if what.decoy else (),
        calendar_id=str(what.setup.get("calendar_id", "")),
    )
    return Seat(recorder, lambda: session.ended, item.tools, session.context())


def _driver(who: str, item: CarItem, purse: Purse) -> Driver:
    what = item.what
    match who:
        case "model":
            return Played(driver_brief(what.persona, what.instruction), purse.of("driver"))
        case "person":
            return AtTerminal(scenario_for_a_person(what.persona, what.instruction))
        case _:
            return Scripted(ScriptedDriver(script_of(what), what.persona))


def _faults(who: str, item: CarItem, trial: Trial) -> Sequence[str]:
    """Faults of whoever drives; the script has none, and a bare instruction is nothing to go by."""
    if who == "scripted" or item.what.script is None:
        return ()
    found = driver_faults(known_of(item.what), trial)
    return found if who == "model" else [fault for fault in found if fault in OF_A_PERSON]


@task
def car(  # noqa: PLR0917 - the engine passes task arguments by name
    data: str = DEFAULT_DATA,
    seed: int = 0,
    limit_tasks: int = 0,
    trials: int = 1,
    rules: str = "definition",
    type: str = "all",  # noqa: A002 - the option's name
    split: str = "all",
    driver: str = "scripted",
    strategy: str = "none",
    tool_lists: str = CROSSED,
    steps: int = MOST_STEPS,
    votes: int = VOTES,
    reruns: int = RERUNS,
    databases: str = "",
) -> Task:
    """Is the agent consistent over a whole conversation, and does it admit what it cannot do?

    The arguments are the options of `knowact run car`; `limit_tasks` is its `--limit` (0: all), so that the
    engine's own `--limit` keeps its meaning.
    """
    options = options_of(SUITE, locals())
    talks = talks_of(options)
    shown = (*prompts().values(), *judging_prompts().values(), driver_prompt())
    return conversation_task(
        talks,
        metrics=[mean_by(measure, "type") for measure in (SUCCESS, FIRST)],
        epochs=trials,
        version=VERSION,
        metadata=described(SUITE.name, talks.plan, options, trials, shown),
        config=DEFAULTS,
    )
