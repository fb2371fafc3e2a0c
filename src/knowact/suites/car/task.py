"""CAR as a task of the engine: `inspect eval knowact/car`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from knowact.core.conversation import Trial
from knowact.core.record import Record
from knowact.core.suite import Item, Plan
from knowact.engine.conversations import ConversationSpec
from knowact.engine.metrics import mean_by
from knowact.engine.usage import UsageTracker
from knowact.engine.users import User, user_for
from knowact.probes.probe import Message
from knowact.probes.strategies import GATHER, STRATEGY, told
from knowact.probes.talk import Phases
from knowact.reading.answer_form import AnswerForm
from knowact.roles.extractor import extraction_prompt
from knowact.roles.ruling import ToRule, on_user, ruling_prompts
from knowact.roles.user_brief import user_prompt
from knowact.roles.user_faults import JUDGED, conversation_text, left_at_once
from knowact.suites.car.items import CarItem
from knowact.suites.car.records import CONDUCT, FIRST, SUCCESS, record_of
from knowact.suites.car.role_views import (
    at_the_wheel,
    brief,
    case_of,
    gold_of,
    looking_tools,
    policy_ballots,
    policy_prompt,
    prompts,
    scenario_of,
    user_of,
)
from knowact.worlds.car.record import CarRecorder, CarTrial
from knowact.worlds.car.rules import Rules


def spec(planned: Plan, options: Mapping[str, Any]) -> ConversationSpec:
    """What the engine has to know of a run under these options."""
    strategy, who = str(options[STRATEGY]), str(options["user"])
    rules = cast("CarItem", planned.items[0]).factory.rules

    def user(item: Item, key: str, usage: UsageTracker) -> User:
        item = cast("CarItem", item)
        return user_for(who, user_of(item), item.what.instruction, at_the_wheel(rules), key=key, usage=usage)

    def briefed(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        return brief(item, context, strategy)

    # The published runner looks for no faults of the user, repeats no trial, reads no words.
    detects = rules is not Rules.PUBLISHED

    def faults(_: Item, trial: Trial) -> Sequence[str]:
        return ("early_stop",) if detects and who != "scripted" and left_at_once(trial) else ()

    def of_the_user(item: Item, trial: Trial) -> ToRule | None:
        if not detects or who != "model":
            return None
        return on_user("user", JUDGED, scenario_of(cast("CarItem", item).what), conversation_text(trial))

    def record(item: Item, epoch: int, trials: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - the engine's
        return record_of(cast("CarItem", item), epoch, cast("Sequence[CarTrial]", trials), graded=graded)

    votes = int(options["votes"])
    phases = Phases(looking_tools(rules), prompts()["turn-over"].text.strip()) if strategy == GATHER else None

    def form(item: Item) -> AnswerForm | None:
        return cast("CarItem", item).telling.form() if detects else None

    return ConversationSpec(
        plan=planned,
        episode=_episode,
        brief=briefed,
        user=user,
        record=record,
        most_steps=int(options["steps"]),
        trial=CarTrial,
        rules=lambda item: case_of(cast("CarItem", item)),
        gold=lambda item: gold_of(cast("CarItem", item)),
        faults=faults,
        on_user=of_the_user,
        ballots=lambda _, trial: policy_ballots(cast("CarTrial", trial), votes),
        form=form,
        votes=votes,
        reruns=int(options["reruns"]) if detects else 0,
        phases=phases,
        strategy=strategy,
        prompts=(
            *prompts().values(),
            *(() if strategy == GATHER else told(strategy)),
            *ruling_prompts().values(),
            policy_prompt(published=not detects),
            user_prompt(notices=detects),
            extraction_prompt(),
        ),
        metrics=[mean_by(measure, "type") for measure in (CONDUCT, SUCCESS, FIRST)],
    )


def _episode(item: Item, epoch: int) -> CarRecorder:
    """A fresh car, and what writes everything down."""
    item = cast("CarItem", item)
    what, factory = item.what, item.factory
    opening = CarTrial(
        item=what.id,
        epoch=epoch,
        type=what.type,
        world=factory.rules,
        seed=factory.seed,
        removed=what.removed,
        decoy=what.decoy.paths if what.decoy else (),
        calendar_id=str(what.setup.get("calendar_id", "")),
        context=factory.whole(what).car.context.model_dump(mode="json"),
    )
    return CarRecorder(factory.session(what), opening)
