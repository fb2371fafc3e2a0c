"""FAIL-TaLMs as a task of the engine: `inspect eval knowact/fail_talms`."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from knowact.conditions.broken import other_seed
from knowact.core.prompts import prompts_under
from knowact.core.record import Record
from knowact.core.suite import Item, Plan
from knowact.core.world import WorldState
from knowact.engine.metrics import mean_by
from knowact.engine.persons import at_terminal, played, scripted
from knowact.probes.probe import Help, Probe, Subject
from knowact.probes.response import Judged, Response
from knowact.probes.spec import TaskSpec
from knowact.probes.strategies import STRATEGY, told, under
from knowact.probes.transfer import read_behind, with_transfer
from knowact.roles.extractor import Reading
from knowact.roles.helper import Known, Person, helper_prompt
from knowact.roles.judge import Ballot
from knowact.suites.fail_talms import transfer
from knowact.suites.fail_talms.asked import ACT, AskedItem
from knowact.suites.fail_talms.items import asked, compared, helped
from knowact.suites.fail_talms.judging import ballots as ballots_of
from knowact.suites.fail_talms.judging import readings as readings_of
from knowact.suites.fail_talms.probes import (
    act,
    act_with_tools,
    awareness,
    prompts,
    request_of,
)
from knowact.suites.fail_talms.scoring import gives_up, record_of
from knowact.worlds.registry import open_world, world

SHOWN = ("conduct", "right", "pass", "aware")
"""Measures that the engine shows the means of."""

PUBLISHED_TEMPERATURE = 1.0
"""In the acting loop of the paper."""


def spec(planned: Plan, options: Mapping[str, Any]) -> TaskSpec:
    """What the engine has to know of a run under these options."""
    helper = str(options["helper"])
    charged = options["rules"] == "published"
    line = Help(int(options["max_questions"]), charged)
    skips = options["after_no"] == "skip" or options["rules"] == "published"
    rounds, rules, strategy = int(options["rounds"]), str(options["rules"]), str(options[STRATEGY])

    def probes(item: Item) -> Sequence[Probe]:
        acts, questions = asked(item, options)
        can_ask = helped(item, options)
        found = [awareness(cast("Subject", one), rules, helped=can_ask) for one in questions]
        acting = [act(rounds, line if can_ask else None)] if acts else []
        full = cast("AskedItem", item).full
        acting += [act_with_tools(rounds, full)] if full and compared(item, options) else []
        acting = [under(strategy, probe) for probe in acting]
        more = transfer.probes(found, acting[0]) if options.get("transfer") else []
        return [*found, *acting, *more]

    def elsewhere(item: Item) -> WorldState | None:
        return _elsewhere(cast("AskedItem", item), planned.world_seed)

    def person(item: Item) -> tuple[Person, Known | None] | None:
        return _person(helper, cast("AskedItem", item))

    def goes_on(item: Item, probe: Probe, known: Mapping[str, Response]) -> bool:
        return not (skips and probe.execute and gives_up(cast("AskedItem", item), known))

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        one, can_ask = cast("AskedItem", item), helped(item, options)
        return with_transfer(
            partial(record_of, one, epoch, rules=rules, helper=can_ask), judged, ACT, "conduct"
        )

    def readings(item: Item, responses: Mapping[str, Response]) -> Sequence[Reading]:
        one = cast("AskedItem", item)
        return read_behind(lambda judged: readings_of(one, judged.responses, rules), Judged(responses), ACT)

    def ballots(item: Item, judged: Judged) -> Sequence[Ballot]:
        return ballots_of(cast("AskedItem", item), judged.responses, int(options["votes"]), rules)

    return TaskSpec(
        plan=planned,
        probes=probes,
        record=record,
        ballots=ballots,
        readings=readings,
        elsewhere=elsewhere,
        person=person,
        goes_on=goes_on,
        temperature=PUBLISHED_TEMPERATURE if rules == "published" else 0.0,
        prompts=(
            *prompts_under(rules, prompts()),
            helper_prompt(),
            *told(strategy),
            *transfer.prompts_of(options),
        ),
        metrics=[mean_by(name, "setting", with_toolless=True) for name in SHOWN],
    )


def _elsewhere(item: AskedItem, seed: int) -> WorldState | None:
    """The world that a lying tool tells of; live tools have no second world."""
    if item.broken != "wrong" or not world(item.task.world.name).deterministic:
        return None
    return open_world(item.task.world, other_seed(seed))


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
