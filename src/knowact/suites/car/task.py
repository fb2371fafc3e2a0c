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
from knowact.engine.metrics import mean_by
from knowact.engine.purse import Purse
from knowact.engine.talks import Seat, Talks, conversation_task
from knowact.engine.users import AtTerminal, Played, Scripted, User
from knowact.people.gold_plan import GoldPlan
from knowact.people.ruling import ToRule, on_user, ruling_prompts
from knowact.people.termination import Case
from knowact.people.user_faults import JUDGED, left_at_once, talk
from knowact.probes.judging import policy_prompt
from knowact.probes.probe import Message
from knowact.probes.user_brief import scenario_for_a_person, user_brief, user_prompt
from knowact.suites.car.briefing import GATHER, brief, looking_tools, prompts
from knowact.suites.car.casting import case_of, gold_of, scenario_of, user_of
from knowact.suites.car.items import CROSSED, CarItem, plan
from knowact.suites.car.records import CONDUCT, FIRST, MEASURES, SUCCESS, record_of
from knowact.suites.car.suite import DEFAULT_DATA, RERUNS, SUITE, VERSION, VOTES
from knowact.worlds.car.record import MOST_STEPS, Trial
from knowact.worlds.car.recording import Recorder
from knowact.worlds.car.rules import Rules


def talks_of(options: Mapping[str, Any]) -> Talks:
    """What the engine has to know of a run under these options."""
    planned = plan(options)
    if planned.obstacle:
        raise BadUsage(planned.obstacle)
    strategy, who = str(options["strategy"]), str(options["user"])
    rules = cast("CarItem", planned.items[0]).garage.rules

    def user(item: Item, key: str, purse: Purse) -> User:
        return _user(who, cast("CarItem", item), key, purse)

    def case(item: Item) -> Case:
        return case_of(cast("CarItem", item))

    def told(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        return brief(item, context, strategy)

    def gold(item: Item) -> GoldPlan:
        return gold_of(cast("CarItem", item))

    # The published runner looks for no faults of the user, and holds no trial again (D-32).
    detects = rules is not Rules.PUBLISHED

    def faults(_: Item, trial: Trial) -> Sequence[str]:
        return ("early_stop",) if detects and who != "scripted" and left_at_once(trial) else ()

    def of_the_user(item: Item, trial: Trial) -> ToRule | None:
        if not detects or who != "model":
            return None
        return on_user("user", JUDGED, scenario_of(cast("CarItem", item).what), talk(trial))

    def record(item: Item, epoch: int, trials: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - the engine's
        return record_of(cast("CarItem", item), epoch, trials, graded=graded)

    phases = Phases(looking_tools(rules), prompts()["turn-over"].text.strip()) if strategy == GATHER else None
    return Talks(
        plan=planned,
        seat=_seat,
        brief=told,
        user=user,
        case=case,
        gold=gold,
        faults=faults,
        on_user=of_the_user,
        record=record,
        measures=MEASURES,
        seed=int(options["seed"]),
        votes=int(options["votes"]),
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


def _user(who: str, item: CarItem, key: str, purse: Purse) -> User:
    what = item.what
    match who:
        case "model":
            return Played(user_brief(what.persona, what.instruction), key, purse.of("user"))
        case "person":
            return AtTerminal(scenario_for_a_person(what.persona, what.instruction))
        case _:
            return Scripted(user_of(what))


@task
def car(  # noqa: PLR0917 - the engine passes task arguments by name
    data: str = DEFAULT_DATA,
    seed: int = 0,
    limit_tasks: int = 0,
    trials: int = 1,
    rules: str = "definition",
    type: str = "all",  # noqa: A002 - the option's name
    split: str = "all",
    user: str = "scripted",
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
    shown = (*prompts().values(), *ruling_prompts().values(), policy_prompt(), user_prompt())
    return conversation_task(
        talks,
        metrics=[mean_by(measure, "type") for measure in (CONDUCT, SUCCESS, FIRST)],
        epochs=trials,
        version=VERSION,
        metadata=described(SUITE.name, talks.plan, options, trials, shown),
        config=DEFAULTS,
    )
