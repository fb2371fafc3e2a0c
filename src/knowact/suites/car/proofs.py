"""What has to be true of every task before anybody is measured with it.

Carried out: the reference is played in the world, and every code-checked policy looks at the record. Proven
by the closure over capabilities: a base task is possible with all tools, its hallucination task is not with
what is left, and no string that the lost calls were told turns up in anything that can still be looked up.
Decided level by level: an open choice is left with one option by the internal levels, or with two or more.

The closure knows attributes, not formulas; the car's stand in `FORMULAS`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.core.condition import Change, Condition, Mask
from knowact.core.conversation import Stop
from knowact.core.narrow_closure import prove_narrowly
from knowact.core.proof import Possibility, Proof, goal_of, means_under
from knowact.core.task import Argument, Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.suites.car.answer_proofs import unfounded
from knowact.suites.car.decoys import Concerns
from knowact.suites.car.goals import PREFERENCES, Reference, Told
from knowact.suites.car.removals import (
    EDITING,
    is_hidden,
    lost_calls,
    stops,
    stuck_and_blind,
    unusable,
    way_around,
)
from knowact.suites.car.tasks import CarTask
from knowact.suites.car.termination import SILENT
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.defects import defects
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.leaks import Watch
from knowact.worlds.car.policies.checks import violations
from knowact.worlds.car.record import CarRecorder, CarTrial
from knowact.worlds.car.removal import LimitedState, Removed, removed
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline, texts
from knowact.worlds.car.world import CarWorld

_WEATHER: Final = ("start", "end", "temperature", "wind", "humidity", "condition")
FORMULAS: Final[tuple[tuple[frozenset[str], str], ...]] = (
    (frozenset({"route.part_distance"}), "route.distance"),
    (frozenset({"route.part_minutes"}), "route.hours"),
    (frozenset({"route.part_minutes"}), "route.minutes"),
    (frozenset({"battery.charge", "charge.distance"}), "battery.range"),
    (frozenset({"battery.charge", "battery.range"}), "charge.distance"),
    (frozenset({"battery.range", "charge.distance"}), "battery.charge"),
    (frozenset({"charging.reached"}), "charging.minutes"),
    (frozenset({"charging.minutes"}), "charging.reached"),
    (frozenset({"waypoint.phone_number"}), "poi.phone_number"),
    *((frozenset({f"weather.next_{name}"}), f"weather.{name}") for name in _WEATHER),
)
"""What has to be known, and what follows from it."""


def worked_out(task: CarTask, taken: Removed, tools: Mapping[str, Tool]) -> Iterator[str]:
    """Return which lost facts follow from what the tools that are left tell, a clause each."""
    gone = unusable(taken.paths, tools)
    left = frozenset(
        attribute
        for name, tool in tools.items()
        if name not in gone and tool.capability is not None
        for attribute in tool.capability.gives(frozenset(taken.masked(name, "result")))
    )
    lost = frozenset(_lost(task, taken, tools, gone))
    for known, follows in FORMULAS:
        if follows in lost and known <= left - lost:
            yield f"{follows} follows from {' and '.join(sorted(known))}"


def _lost(task: CarTask, taken: Removed, tools: Mapping[str, Tool], gone: frozenset[str]) -> Iterator[str]:
    """The attributes that the reference needs and that the part itself would have told."""
    for place, one in enumerate(task.reference):
        told = [
            source.field
            for later in task.reference
            for sources in later.told.values()
            for source in sources
            if source.step == place
        ]
        for field in (*one.reads, *told):
            if one.tool in gone or is_hidden(Told(step=place, field=field), task.reference, taken):
                yield from _attributes(one, field, tools)


def _attributes(one: Reference, field: str, tools: Mapping[str, Tool]) -> Iterator[str]:
    capability = tools[one.tool].capability
    if capability is not None:
        yield from (report.attribute for report in capability.reports if report.field == field)


_ENDING = frozenset({"call_phone_by_number"})
_NO_ROUTE = tuple(
    Mask(tool="get_current_navigation_state", part="result", name=name)
    for name in ("waypoints_id", "routes_to_final_destination_id", "details")
)
"""What a read of the navigation does not tell where none is active, but for what the agent has set itself."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """Proves tasks; each method returns what is wrong, a clause each, and nothing for a sound task.

    Args:
        world: The car world, under the definition.
        seed: Of its databases.
    """

    world: CarWorld
    seed: int

    def complaints(self, task: CarTask, base: CarTask | None = None) -> tuple[str, ...]:
        """Return everything that is wrong with a task, but for its leaks, which take longer to look for.

        What it lacks is held against its base task, where that is given.
        """
        found = [*self.replay(task), *self.goal(task), *self.possible(task), *self.answered(task)]
        if task.removal is not None:
            found += self.impossible(task)
            found += self.needed(task, base) if base is not None else ()
        if task.decoy is not None:
            found += self.spared(task)
        return tuple(found)

    def played(self, task: CarTask, spared: Removed | None = None) -> CarTrial:
        """Return the record of the reference, each call in a message of its own, with all parts there.

        Args:
            task: The task.
            spared: A decoy, which is not there.
        """
        session = self.world.open(task.setup, self.seed)
        context = session.car.context.model_dump(mode="json")
        car = session if spared is None else LimitedState(session, spared, needed=False)
        recorder = CarRecorder(car, CarTrial(item=task.id, seed=self.seed, context=context))
        recorder.user(task.script.opening if task.script else task.instruction)
        for one in task.reference:
            if one.consent:
                recorder.assistant(f"Shall I go on with {one.tool}?")
                recorder.user("Yes.")
            recorder.batch([Call(one.tool, one.arguments)])
        recorder.assistant("It is done.")
        return recorder.close(Stop.WORD)

    def replay(self, task: CarTask) -> Iterator[str]:
        """The reference replays without an error and without a breach of a policy."""
        yield from self._replayed(task, self.played(task))

    def _replayed(self, task: CarTask, trial: CarTrial) -> Iterator[str]:
        for place, call in enumerate(trial.calls):
            if call.problem is not None:
                yield f"call {place} ({call.tool}) is refused: {call.problem.message}"
            elif task.reference[place].writes and not call.changes:
                yield f"call {place} ({call.tool}) changes nothing"
        for breach in violations(Timeline(trial), defects(Rules.DEFINITION)):
            yield f"the reference breaks {breach.policy}: {breach.why}"

    def goal(self, task: CarTask) -> Iterator[str]:
        """The reference leads where the goal says, over nothing that is forbidden."""
        if task.goal is None:
            return
        trial = self.played(task)
        yield from task.goal.contradicted(trial.initial, [one.after for one in Timeline(trial).calls])
        if not task.goal.holds and any(one.writes for one in task.reference):
            yield "the reference writes, but the goal requires nothing"

    def answered(self, task: CarTask) -> Iterator[str]:
        """What the driver wants to be told is what the world says."""
        if task.answers:
            yield from unfounded(task, self.played(task))

    def possible(self, task: CarTask) -> Iterator[str]:
        """With everything there it can be done (the positive control)."""
        proof = self.without(task, Removed((), ()))
        if proof.possibility is not Possibility.POSSIBLE:
            yield f"with all tools it is {proof.possibility}: {sorted(map(str, proof.missing))}"

    def impossible(self, task: CarTask) -> Iterator[str]:
        """Without the part it cannot be done in full: by capability, by writing, by what can be read."""
        assert task.removal is not None
        tools, taken = self._tools(task), self._taken(task)
        if self.without(task, taken).possibility is Possibility.POSSIBLE:
            yield "it is possible without the part"
        lost = lost_calls(task.reference, task.removal.paths, tools)
        if not lost:
            yield "no call of the reference needs the part"
        if lost != task.removal.lost:
            yield f"'removal.lost' is {task.removal.lost}, but the part is needed by the calls {lost}"
        yield from self._written_otherwise(task, tools)
        yield from self._read_otherwise(task, taken)
        yield from self._guessed(task, taken)
        yield from worked_out(task, taken, tools)

    def needed(self, task: CarTask, base: CarTask) -> Iterator[str]:
        """Without the part the driver misses something: a state of the car, or an answer of the base task.

        The closure takes everything for wanted that the author says is read, be it needed or not. So all that
        can still be done is carried out, and the goal and the answers say whether it is enough. A task that
        names no answers wants whatever it reads.
        """
        taken = self._taken(task)
        untold = [one for one in base.answers if _is_untold(map(_source, one.sources), task, taken)]
        for one in base.answers:
            if one in untold and one in task.answers:
                yield f"the answer to {one.label!r} is wanted, but cannot be given"
            if one not in untold and one not in task.answers:
                yield f"the answer to {one.label!r} is not wanted, though it can be given"
        stuck, blind = stuck_and_blind(task.reference, taken)
        car = self.world.open(task.setup, self.seed)
        initial, session = car.snapshot(), LimitedState(car, taken)
        for place, one in enumerate(task.reference):
            if place not in stuck:
                session.call(Call(one.tool, one.arguments))
        missed = untold if base.answers else stuck | blind
        if not missed and (task.goal is None or task.goal.reached(initial, session.snapshot())):
            yield "all that the driver wants can be had without the part"

    def leaks(self, task: CarTask) -> Iterator[str]:
        """What is withheld is not told by how calls are answered (`worlds.car.leaks`)."""
        taken = self._taken(task)
        return Watch(self.world, task.setup, self.seed, taken, self._still_open(task, taken)).leaks()

    def spared(self, task: CarTask) -> Iterator[str]:
        """Without its decoy nothing is different: by capability, by playing it, by what can be read.

        The playing must show the same to the last field, so that whatever a policy, a judge or an open choice
        goes by is still to be seen.
        """
        assert task.decoy is not None
        tools, taken = self._tools(task), self._taken(task)
        concerns = Concerns(task, tools)
        yield from (f"its decoy is none: {one}" for one in concerns.of(task.decoy))
        proof = self.without(task, taken)
        if proof.possibility is not Possibility.POSSIBLE:
            yield f"without its decoy it is {proof.possibility}: {sorted(map(str, proof.missing))}"
        whole, trial = self.played(task), self.played(task, taken)
        yield from (f"without its decoy {one}" for one in self._replayed(task, trial))
        if (trial.events, trial.digest) != (whole.events, whole.digest):
            yield "without its decoy the reference has other results"
        for read in self._reads(task, concerns, tools):
            car = self.world.open(task.setup, self.seed)
            left = LimitedState(self.world.open(task.setup, self.seed), taken, needed=False)
            if car.call(read).text() != left.call(read).text():
                yield f"without its decoy {read.tool} no longer tells what the task is about"

    def _reads(self, task: CarTask, concerns: Concerns, tools: Mapping[str, Tool]) -> Iterator[Call]:
        """The reads that tell what a task is about, and the one at all preferences of the driver."""
        for name, tool in tools.items():
            told = cast("Mapping[str, Any]", (tool.returns or {}).get("properties", {}))
            if not tool.required and concerns.variables & told.keys() and OPERATIONS[name].kind == "get":
                yield Call(name)
        likes = cast("Mapping[str, Mapping[str, Any]]", task.setup.get("user_preferences") or {})
        asked = {category: dict.fromkeys(topics, True) for category, topics in likes.items()}
        yield Call(PREFERENCES, {"preference_categories": cast("JsonValue", asked)})

    def without(self, task: CarTask, taken: Removed) -> Proof:
        """Return the proof of a task without some part."""
        tools = self._tools(task)
        plan = self.as_plan(task)
        changes = [*_as_proved(taken.changes), *(() if task.setup.get("navigation_active") else _NO_ROUTE)]
        condition = Condition(name="removed", changes=tuple(changes))
        return prove_narrowly(goal_of(plan, tools), means_under(plan.offered, tools, condition))

    def as_plan(self, task: CarTask) -> Task:
        """Return the reference as a plan, for the closure: every call is a step outside the model."""
        tools = self._tools(task)
        needs = {
            name: {need.parameter for need in tool.capability.needs}
            for name, tool in tools.items()
            if tool.capability
        }
        wants = [set(one.reads) for one in task.reference]
        steps: list[dict[str, Argument]] = []
        for one in task.reference:
            arguments = {name: Argument(value=value) for name, value in one.arguments.items()}
            for name, sources in one.told.items():
                kept = name in needs.get(one.tool, ())
                for source in sources[1:] if kept else sources:
                    wants[source.step].add(source.field)
                if kept:
                    step, field = sources[0].step, sources[0].field
                    arguments[name] = Argument(
                        value=one.arguments[name], origin="step", step=step, field=field
                    )
            steps.append(arguments)
        return Task(
            id=task.id,
            opening=Query(text=task.instruction),
            world=WorldRef(name="car"),
            offered=tuple(tools),
            plan=tuple(
                Step(
                    tool=one.tool, boundary=Boundary.EXTERNAL, arguments=arguments, wants=tuple(sorted(some))
                )
                for one, arguments, some in zip(task.reference, steps, wants, strict=True)
            ),
            topology=Topology.SINGLE_HOP if len(task.reference) == 1 else Topology.MULTI_HOP,
            cluster=task.cluster,
        )

    def _tools(self, task: CarTask) -> dict[str, Tool]:
        session = self.world.open(task.setup, self.seed)
        return {tool.name: tool for tool in session.tools() if tool.name not in SILENT}

    def _taken(self, task: CarTask) -> Removed:
        return removed(task.absent, list(self._tools(task).values()))

    def _written_otherwise(self, task: CarTask, tools: Mapping[str, Tool]) -> Iterator[str]:
        """Whether the tools that are left could write the same variables: only navigation has several."""
        assert task.removal is not None
        if task.removal.paths[0].partition(".")[0] not in EDITING:
            return
        start = end = stops(task.setup)
        if task.goal is not None:
            end = stops({**task.setup, **task.goal.holds})
        gone = unusable(task.removal.paths, tools)
        here = self.world.open(task.setup, self.seed).car.context.current_location.id
        way = way_around(start, end, here, [name for name in tools if name not in gone])
        if way:
            yield f"{', '.join(way)} can lead to the same stops"

    def _guessed(self, task: CarTask, taken: Removed) -> Iterator[str]:
        """Whether somebody who can't look gets there by setting everything to what is wanted anyway.

        A read that only tells what is to be left alone is needed as long as something that it would have
        shown stands otherwise than what the calls write; else writing it blindly leads to the goal.
        """
        assert task.removal is not None
        if task.goal is None:
            return
        start = self.world.open(task.setup, self.seed).snapshot()
        for place in task.removal.lost:
            one = task.reference[place]
            known = (name for name in one.reads if name in FIELDS)
            unseen = [name for name in known if _is_untold([Told(step=place, field=name)], task, taken)]
            hanging = [later for later in task.reference if place in later.knowing and later.writes]
            if one.writes or not unseen or not hanging:
                continue
            written = [task.goal.holds[name] for name in unseen if name in task.goal.holds]
            kept = [start[name] for name in unseen if name not in task.goal.holds]
            usual = written or [FIELDS[name].default for name in unseen]
            if all(value in usual for value in kept):
                yield f"without {one.tool}, setting everything blindly leads to the same final state"

    def _read_otherwise(self, task: CarTask, taken: Removed) -> Iterator[str]:
        """Whether a string that a lost call was told stands in anything that can still be looked up."""
        assert task.removal is not None
        told = {
            text
            for place in task.removal.lost
            for name, sources in task.reference[place].told.items()
            if _is_untold(sources, task, taken)
            for text in texts(task.reference[place].arguments[name])
        }
        known = json.dumps([task.setup.get("current_location"), task.instruction], ensure_ascii=False)
        seen = known + "".join(self._readable(task, taken))
        yield from (f"{text!r} can still be found out" for text in sorted(told) if text in seen)

    def _still_open(self, task: CarTask, taken: Removed) -> list[Call]:
        """The calls that can still be made: the reference's, and today's with all details."""
        assert task.removal is not None
        now: Any = task.setup["current_datetime"]
        today = {"month": now["month"], "day": now["day"]}
        return [
            Call("get_current_navigation_state", {"detailed_information": True}),
            Call("get_entries_from_calendar", today),
            *(
                Call(one.tool, one.arguments)
                for place, one in enumerate(task.reference)
                if one.tool not in _ENDING
                and not (one.writes and place in task.removal.lost)
                and not _is_untold(chain.from_iterable(one.told.values()), task, taken)
            ),
        ]

    def _readable(self, task: CarTask, taken: Removed) -> Iterator[str]:
        """Everything that reads without arguments show, before and after all that can still be done."""
        session = LimitedState(self.world.open(task.setup, self.seed), taken)
        bare = [
            Call(tool.name)
            for tool in session.tools()
            if not tool.required
            and OPERATIONS[tool.name].kind == "get"
            and tool.name != "get_contact_id_by_contact_name"
        ]
        own = self._still_open(task, taken)
        reads = [*bare, *(call for call in own if call.tool not in SET_TOOLS)]
        for call in (*reads, *(call for call in own if call.tool in SET_TOOLS), *reads):
            yield session.call(call).text()


def _is_untold(sources: Iterable[Told], task: CarTask, taken: Removed) -> bool:
    """Whether one of these fields is not told any more: its call can't be made, or it is gone."""
    stuck, _ = stuck_and_blind(task.reference, taken)
    return any(one.step in stuck or is_hidden(one, task.reference, taken) for one in sources)


def _source(written: str) -> Told:
    """Read where an answer comes from, "<step>.<field>"."""
    step, _, name = written.partition(".")
    return Told(step=int(step), field=name)


def _as_proved(changes: Sequence[Change]) -> Iterator[Change]:
    """Changes as the closure takes them: a topic that can't be asked about is a topic that is not told."""
    yield from changes
    masks = (one for one in changes if isinstance(one, Mask) and one.part == "parameter")
    topics = (one.name.partition(".")[2] for one in masks if one.tool == PREFERENCES)
    yield from (Mask(tool=PREFERENCES, part="result", name=topic) for topic in topics if topic)
