"""Drafts: requests before anybody words them. Jobs of one scenario, their arguments drawn, their plan run.

KAPRO, section 3.1 samples plans from tools that go together and executes them. Here what goes together is
written in the scenarios; code draws which jobs make a request, draws their arguments, and runs them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from knowact.core.model import Noun
from knowact.core.proof import values_at
from knowact.core.seeds import generator
from knowact.core.spoken import spoken
from knowact.core.task import VERBATIM, Argument, Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.world import Call
from knowact.reading.quotes import folded
from knowact.worlds.material import Answer, Material
from knowact.worlds.scenarios import Day, Draw, FromJob, Scenario, drawn, is_shared

MOST_STEPS: Final = 3
MOST_ENTRIES: Final = 10
"""A longer list than this nobody asks to be told."""
LONGEST_ENTRY: Final = 60
"""Characters."""
_LONGEST_TEXT: Final = 160
_SIGNED: Final = frozenset({"°C", "°F", "%"})
"""Units in which people speak of negative numbers."""
_COUNTED: Final = frozenset({"times", "entries", "squares", "letters", "points", "games", "tests", "people"})
"""What is counted; an answer may call it otherwise."""


class Unusable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """These jobs, with these arguments, make no request."""


class Sketch(Noun):
    """Which jobs of a scenario make a request.

    Attributes:
        scenario: Its name.
        jobs: Their names, sources before what they feed.
        told: Those whose results the request states itself.
        turn: Which draw of the arguments it is.
        refused: Whether it was set aside (refused, given up, without a partner): it is not drawn again.
    """

    scenario: str
    jobs: tuple[str, ...]
    told: tuple[str, ...] = ()
    turn: int = 0
    refused: bool = False

    @property
    def key(self) -> str:
        """A name for it."""
        return f"{self.scenario}/{'+'.join(self.jobs)}/{'+'.join(self.told)}/{self.turn}"


@dataclass(frozen=True)
class Draft:
    """A request before it is worded: a plan that was run.

    Attributes:
        sketch: Which jobs it is made of.
        person: Who asks, and how they write.
        task: The task with its plan and facts; its text is a placeholder.
        results: What each step gave.
    """

    sketch: Sketch
    person: str
    task: Task
    results: tuple[Any, ...]

    @cached_property
    def kind(self) -> tuple[Boundary, Topology, int]:
        """Boundary, topology and number of steps."""
        return self.task.boundary, self.task.topology, len(self.task.plan)


UNWRITTEN: Final = "(not written yet)"


def sketches(name: str, scenario: Scenario) -> Iterator[Sketch]:
    """Yield every choice of one to three jobs that hang together.

    A job is there with everything that feeds it; what only feeds others is not asked for. Results that the
    person may know already are told in some sketches and looked up in others.
    """
    for size in range(1, MOST_STEPS + 1):
        for chosen in combinations(scenario.jobs, size):
            jobs = {job: scenario.jobs[job] for job in chosen}
            fed = {source.job for job in jobs.values() for source in job.sources}
            if not fed <= jobs.keys():
                continue
            tellable = [job for job in chosen if job in fed and jobs[job].told]
            for count in range(len(tellable) + 1):
                for stated in combinations(tellable, count):
                    yield Sketch(scenario=name, jobs=chosen, told=stated)


def drafted(sketch: Sketch, material: Material, seed: int) -> Draft:
    """Draw the arguments of a sketch and run it.

    Args:
        sketch: Which jobs.
        material: The world.
        seed: The world's seed; it fixes the arguments, too.

    Raises:
        Unusable: A call is refused, a linked or wanted value is not there, or a call has no boundary; or the
            scenario does not have these jobs.
    """
    scenario = material.scenarios.get(sketch.scenario)
    if scenario is None or not scenario.jobs.keys() >= set(sketch.jobs):
        raise Unusable(f"there is no scenario {sketch.scenario!r} with the jobs {', '.join(sketch.jobs)}")
    told_jobs = ("told", *sorted(sketch.told))
    rng = generator(seed, "draft", sketch.scenario, *sketch.jobs, *told_jobs, sketch.turn)
    fed = {source.job for job in sketch.jobs for source in scenario.jobs[job].sources}
    shared = {name: _drawn(how, material, rng) for name, how in scenario.values.items()}
    session = material.open({}, seed)
    steps: list[Step] = []
    results: list[Any] = []
    for name in sketch.jobs:
        job = scenario.jobs[name]
        shapes = material.tools[job.tool].properties
        arguments = {
            parameter: _linked(origin, sketch, results)
            if isinstance(origin, FromJob)
            else _unsaid(_argument(origin, shared, material, rng), shapes.get(parameter, {}))
            for parameter, origin in job.arguments.items()
        }
        call = {parameter: argument.value for parameter, argument in arguments.items()}
        side = material.boundary(job.tool, call)
        stated = _told_fields(name, sketch, scenario)
        if side is None:
            raise Unusable(f"{job.tool} with {call} lies on neither side of the boundary")
        if stated and side is not Boundary.EXTERNAL:
            raise Unusable(f"{name} can be done without a tool, so nobody needs to be told its result")
        seen = session.call(Call(job.tool, call))
        if seen.problem is not None:
            raise Unusable(f"{name}: {seen.problem.message}")
        results.append(seen.value)
        steps.append(
            Step(
                tool=job.tool,
                boundary=Boundary.INTERNAL if stated or side is Boundary.INTERNAL else Boundary.EXTERNAL,
                arguments=arguments,
                wants=() if name in fed else job.wants,
                question=job.ask,
                told=stated,
            )
        )
    if len({step.tool for step in steps}) < len(steps):
        raise Unusable("two jobs use the same tool")
    task = _task(sketch, steps, results, material, rng)
    return Draft(sketch, rng.choice(scenario.people), task, tuple(results))


def _linked(source: FromJob, sketch: Sketch, results: Sequence[Any]) -> Argument:
    step = sketch.jobs.index(source.job)
    value = _single(results[step], source.field, source.source)
    return Argument(value=value, origin="step", step=step, field=source.field)


def _argument(
    origin: Draw | str | float | tuple[str | int | float, ...],
    shared: Mapping[str, Argument],
    material: Material,
    rng: random.Random,
) -> Argument:
    if is_shared(origin):
        return shared[origin[1:]]
    if isinstance(origin, tuple):
        return Argument(value=list(origin))
    if isinstance(origin, str | int | float):
        return Argument(value=origin)
    return _drawn(origin, material, rng)


def _drawn(how: Draw, material: Material, rng: random.Random) -> Argument:
    """A drawn value; days near today mean something together with today's date."""
    value = drawn(how, material.today, material.keys, rng)
    return Argument(value=value, origin="context" if isinstance(how, Day) else "query")


def _unsaid(argument: Argument, shape: Mapping[str, Any]) -> Argument:
    """An argument that is the schema's default need not be said."""
    if argument.origin == "query" and "default" in shape and shape["default"] == argument.value:
        return argument.model_copy(update={"origin": "default"})
    return argument


def _told_fields(name: str, sketch: Sketch, scenario: Scenario) -> tuple[str, ...]:
    """The result fields of a told job that the others of the sketch take."""
    if name not in sketch.told:
        return ()
    sources = (source for other in sketch.jobs for source in scenario.jobs[other].sources)
    return tuple(dict.fromkeys(source.field for source in sources if source.job == name))


def _single(result: Any, field: str, field_name: str) -> Any:
    values = values_at(result, field)
    if len(values) != 1 or values[0] in (None, "", "none") or isinstance(values[0], list | dict):
        raise Unusable(f"{field_name} is {values!r}")
    return values[0]


def topology_of(steps: Sequence[Step]) -> Topology:
    """How the steps hang together."""
    if len(steps) == 1:
        return Topology.SINGLE_HOP
    linked = any(argument.origin == "step" for step in steps for argument in step.arguments.values())
    return Topology.MULTI_HOP if linked else Topology.PARALLEL


def _task(
    sketch: Sketch, steps: Sequence[Step], results: Sequence[Any], material: Material, rng: random.Random
) -> Task:
    offered = [step.tool for step in steps]
    rng.shuffle(offered)  # the plan's order would tell which comes first
    required = [step.tool for step in steps if step.external]
    rivals = {
        name for name in material.tools for tool_name in required if material.stands_in(name, tool_name)
    }
    facts = [
        _fact(step, f"{number}.{field}", results[number], material)
        for number, step in enumerate(steps)
        for field in step.wants
    ]
    servers = {material.tools[tool].server for tool in offered}
    return Task(
        id="draft",
        opening=Query(text=UNWRITTEN),
        world=WorldRef(name=material.name),
        offered=tuple(offered),
        plan=tuple(steps),
        facts=tuple(facts),
        topology=topology_of(steps),
        cluster="draft",
        server="single" if len(servers) == 1 else "multi",
        provenance={"scenario": sketch.scenario, "jobs": list(sketch.jobs)},
        stand_ins=tuple(sorted(rivals - set(offered))),
    )


def _fact(step: Step, source: str, result: Any, material: Material) -> Fact:
    _, _, field = source.partition(".")
    path = f"{step.tool}.{field}"
    answer = material.answers.get(step.tool, {}).get(field)
    if answer is None:
        raise Unusable(f"nobody has said how an answer states {path}")
    value = _value(result, field, path, answer)
    if isinstance(value, str) and ("?" in value or "\n" in value or len(value) > _LONGEST_TEXT):
        raise Unusable(f"{path} is a text that answers put in many ways")
    if isinstance(value, int | float) and value < 0 and answer.unit not in _SIGNED:
        raise Unusable(f"{path} is {value!r}, which nobody would put like that")
    shapes = material.tools[step.tool].properties
    usual = {name: shape["default"] for name, shape in shapes.items() if "default" in shape}
    words = {name: spoken(value) for name, value in (usual | step.call_arguments).items()}
    several = isinstance(value, tuple)
    return Fact(
        kind="list" if several else answer.kind,
        value=value,
        unit="" if answer.unit in _COUNTED else answer.unit,
        tolerance=answer.tolerance,
        aliases=answer.aliases.get(str(value), ()),
        exact=answer.exact,
        label=f"{'every ' if several else ''}{_filled(answer.label, words)}",
        sources=(source,),
    )


def _value(result: Any, field: str, path: str, answer: Answer) -> Any:
    """What a fact says: the one value of a field, or the names that a list has there."""
    values = values_at(result, field)
    if len(values) == 1 or answer.kind not in VERBATIM or answer.exact or answer.aliases:
        return _single(result, field, path)
    names = {folded(name) for name in values if isinstance(name, str) and name.strip()}
    if len(names) < len(values) or not values or len(values) > MOST_ENTRIES:
        raise Unusable(f"{path} is not a list of 2 to {MOST_ENTRIES} different texts")
    if any("?" in name or "\n" in name or len(name) > LONGEST_ENTRY for name in values):
        raise Unusable(f"{path} lists texts that answers put in many ways")
    return tuple(sorted(values))


def _filled(label: str, words_of: Mapping[str, str]) -> str:
    for name, words in words_of.items():
        label = label.replace(f"{{{name}}}", words).replace(f"{{{name}:on}}", f"on {words}")
    return label
