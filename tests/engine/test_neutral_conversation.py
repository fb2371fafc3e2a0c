"""A conversation in a world that nothing in the package knows: a lamp, and somebody who wants it on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import (
    eval as run_eval,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.model import GenerateConfig
from pydantic import JsonValue

from car_conversations import InTurn, Moved, as_output, speaking
from knowact.core.condition import CLEAN
from knowact.core.conversation import Recorder, Stop, Trial, read_trial
from knowact.core.errors import Place
from knowact.core.record import Outcome, Record, Result
from knowact.core.suite import Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.engine.conversations import TRIALS, ConversationSpec, conversation_task
from knowact.engine.transcripts import read_transcripts
from knowact.probes.probe import Message
from knowact.roles.termination import Ruling, TerminationRules

NOTHING: dict[str, JsonValue] = {"type": "object", "properties": {}}
SWITCH = Tool(name="switch", description="Turns the lamp on or off.", category="home", parameters=NOTHING)
BREAK = Tool(name="smash", description="Breaks the lamp.", category="home", parameters=NOTHING)


@dataclass
class Lamp:
    """A session; see `core.world.WorldState`."""

    state: dict[str, Any] = field(default_factory=lambda: {"on": False, "whole": True})

    def tools(self) -> Sequence[Tool]:
        return (SWITCH, BREAK)

    def call(self, call: Call) -> Observation:
        if call.tool == "smash":
            self.state["whole"] = False
        elif call.tool == "switch":
            self.state["on"] = not self.state["on"]
        else:
            return Observation(problem=Problem("unknown_tool", f"there is no {call.tool}"))
        return Observation(dict(self.state))

    def context(self) -> Mapping[str, str]:
        return {"room": "kitchen"}

    def snapshot(self) -> Mapping[str, Any]:
        return dict(self.state)

    def digest(self) -> str:
        return str(sorted(self.state.items()))


@dataclass(frozen=True, slots=True)
class NoBreaking(TerminationRules):
    """Whoever breaks the lamp has lost."""

    def after_batch(self, trial: Trial) -> Sequence[Ruling]:
        return [Ruling("BROKEN_LAMP", why="it broke the lamp")] if not trial.final["whole"] else []


def item() -> Item:
    task = Task(
        id="lamp",
        opening=Query(text="Light, please."),
        world=WorldRef(name="lamp"),
        offered=("switch", "smash"),
        plan=(Step(tool="switch", boundary=Boundary.EXTERNAL),),
        topology=Topology.SINGLE_HOP,
        cluster="lamp",
    )
    return Item(task, CLEAN, (SWITCH, BREAK), {})


def record(one: Item, epoch: int, trials: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - the engine's
    return Record(
        item=one.task.id,
        condition=one.condition.name,
        epoch=epoch,
        cluster="lamp",
        labels=one.labels,
        offered=(),
        required=frozenset(),
        outcomes={"conversation": Outcome.ANSWERED},
        results={"lit": Result.of(trials[-1].final["on"] is True)},
    )


def held(folder: Path, *says: Moved, hears: Sequence[str] = (), ends: Sequence[str] = ()) -> Trial:
    spec = ConversationSpec(
        plan=Plan(DatasetInfo("lamps", "1-A", "0" * 64), (item(),), (1, 1)),
        episode=lambda one, epoch: Recorder(Lamp(), Trial(item=one.id, epoch=epoch), ends),
        brief=lambda _, context: (Message("system", f"You look after the {context['room']}."),),
        user=lambda _, __, ___: InTurn(["Light, please.", *hears]),
        record=record,
        measures=("lit",),
        seed=0,
        most_steps=6,
        rules=lambda _: NoBreaking(),
    )
    task = conversation_task(spec, metrics=[], epochs=1, metadata={}, version="1", config=GenerateConfig())
    (log,) = run_eval(task, model=speaking([*map(as_output, says)]), log_dir=str(folder), display="none")
    (sample,) = log.samples or []
    assert sample.scores is not None
    (text,) = sample.store[TRIALS]
    return read_trial(text, Place(folder), Trial)


def test_the_changes_of_a_world_are_seen_by_its_snapshots_alone(tmp_path: Path) -> None:
    trial = held(tmp_path, Call("switch"), Call("dim"), "It is on.")
    assert [(one.ok, [(c.name, c.after) for c in one.changes]) for one in trial.calls] == [
        (True, [("on", True)]),
        (False, []),
    ]
    assert (trial.stop, [one.word for one in trial.rulings]) == (Stop.WORD, ["STOP"])
    assert [(event.kind, event.at) for event in trial.events] == [
        *(("said", 1), ("called", 3), ("called", 5), ("said", 6), ("ruled", 6)),
    ]
    (told,) = read_transcripts(next(tmp_path.glob("*.eval")))
    turns = [(turn.role, turn.text) for _, turns in told.probes for turn in turns]
    assert ("state", "on: False → True") in turns
    assert turns[-1] == ("simulated user", "STOP")


def test_a_tool_that_ends_it_leaves_nothing_to_be_said(tmp_path: Path) -> None:
    trial = held(tmp_path, Call("switch"), "Never said.", ends=("switch",))
    assert (trial.stop, trial.words("assistant")) == (Stop.TOOL, [])


@pytest.mark.parametrize("hears", [(), ("And?", "And now?")])
def test_a_word_of_the_suite_ends_it_at_the_agents_next_words(tmp_path: Path, hears: Sequence[str]) -> None:
    trial = held(tmp_path, Call("smash"), "Oops.", "Sorry.", hears=hears)
    assert trial.words("assistant") == ["Oops."]
    assert [(one.word, one.by) for one in trial.rulings] == [("BROKEN_LAMP", "code")]
