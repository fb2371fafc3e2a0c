"""Checks of a world by execution: what its tools declare is what comes out.

Works on any world whose tools declare capabilities, from worked examples alone: inputs for the random
calls are drawn from the arguments of the examples (values of one attribute serve every tool that
takes it) and from enumerations.

A call is made in a session of its own, by way of an `Attempting`: `attempt` makes it here and now,
`watched.Watched` in a process that can be stopped when a call hangs.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, Protocol

from pydantic import JsonValue

from knowact.core.model import Noun
from knowact.core.proof import values_at
from knowact.core.seeds import generator
from knowact.core.tool import Capability, Tool
from knowact.core.world import Call, Observation, World
from knowact.worlds.paths import elements, members, schema_leaves, supplied

EXAMPLES_PER_TOOL: Final = 3


class Example(Noun):
    """A call with its right outcome, written down once and checked for ever.

    Attributes:
        tool: The tool.
        arguments: The call's arguments.
        result: The result, complete; null where the call has a problem.
        problem: The code of the problem; empty where the call succeeds.
        setup: The world's setup.
        seed: The world's seed.
    """

    tool: str
    arguments: dict[str, JsonValue]
    result: JsonValue = None
    problem: str = ""
    setup: Mapping[str, JsonValue] = {}
    seed: int = 0


def examples_of(package: str) -> tuple[Example, ...]:
    """Return all worked examples of a world's package, file by file in the order of their names."""
    folder = resources.files(package).joinpath("data/examples")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda f: f.name)
    return tuple(
        Example.model_validate_json(line) for file in files for line in file.read_text("utf-8").splitlines()
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check, like that of a unit test. `message` says what is wrong, or is empty."""

    name: str
    ok: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one call in a fresh session.

    Attributes:
        seen: What the call returned.
        changed: Whether the session's digest differs from before.
        broken: Why nothing was returned (the tool raised, hung or took its process down); empty if it was.
        fatal: Whether trying this tool again would cost the time limit, or a process, again.
    """

    seen: Observation
    changed: bool = False
    broken: str = ""
    fatal: bool = False


class Attempting(Protocol):
    """Makes one call in a fresh session of setup and seed."""

    def __call__(self, setup: Mapping[str, JsonValue], seed: int, call: Call, *, digested: bool) -> Attempt:
        """Make the call; the state before and after is compared only if `digested`, as it takes long."""
        ...


def attempt(
    world: World, setup: Mapping[str, JsonValue], seed: int, call: Call, *, digested: bool
) -> Attempt:
    """Make one call in a fresh session, here and now; see `Attempting`."""
    session = world.open(setup, seed)
    if not digested:
        return Attempt(session.call(call))
    before = session.digest()
    seen = session.call(call)
    return Attempt(seen, changed=session.digest() != before)


class Checks:
    """The checks of one world, tool by tool; what tools said of subjects is remembered across them.

    Args:
        tools: All tools of the world.
        examples: Worked examples; also the source of arguments for the random calls.
        attempting: Makes the calls.
        rounds: Random calls per tool and seed.
        seeds: Seeds of the world for the random calls.
        deterministic: Whether the same call twice must give the same.
        examples_needed: Whether a tool with too few examples has failed. If not, one without any is called
            only if it requires no argument.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        examples: Sequence[Example],
        attempting: Attempting,
        *,
        rounds: int = 20,
        seeds: Sequence[int] = (0, 1),
        deterministic: bool = True,
        examples_needed: bool = True,
    ) -> None:
        self._needed = examples_needed
        self._by_tool: dict[str, list[Example]] = defaultdict(list)
        for example in examples:
            self._by_tool[example.tool].append(example)
        self._known = {tool.name for tool in tools}
        self._attempting, self._seeds = attempting, seeds
        self._reports: _Reports = defaultdict(lambda: defaultdict(dict))
        pool = _Pool(tools, examples)
        self._trial = _Trial(attempting, pool, self._reports, rounds, deterministic=deterministic)

    def strangers(self) -> list[Finding]:
        """One failed finding per name in the examples that no tool carries."""
        return [
            Finding(f"{name}: exists", ok=False, message=f"examples name {name!r}, no tool of this world")
            for name in self._by_tool
            if name not in self._known
        ]

    def has_examples(self, tool: Tool) -> bool:
        """Whether there is a worked example of a tool."""
        return bool(self._by_tool[tool.name])

    def callable_at_random(self, tool: Tool) -> bool:
        """Whether random calls of a tool make sense: its examples give arguments, or it requires none."""
        return self._needed or self.has_examples(tool) or not tool.required

    def of(self, tool: Tool) -> list[Finding]:
        """One finding per check of one tool; after a call that hung, the tool is not called again."""
        findings: list[Finding] = []
        least = EXAMPLES_PER_TOOL if self._needed else 0
        for finding, attempted in _examples_hold(self._attempting, tool, self._by_tool[tool.name], least):
            findings.append(finding)
            if attempted is not None and attempted.fatal:
                return findings
        findings.append(_finding(f"{tool.name}: declares what its schema has", undeclared(tool)))
        if not self.callable_at_random(tool):
            return findings
        problems: list[str] = []
        for seed in self._seeds:
            problems += self._trial.problems(tool, seed)
            if self._trial.given_up:
                break
        findings.append(_finding(f"{tool.name}: does what it declares", problems))
        return findings

    def agreement(self) -> list[Finding]:
        """One finding per attribute that was told so far: of one subject everybody says the same."""
        return list(_agreement(self._reports))


_Subject = tuple[int, tuple[tuple[str, str], ...]]
_Reports = dict[str, dict[_Subject, dict[str, str]]]
"""By attribute, and by seed and subject: everything that was said of it, and which tool said so first."""


class _Pool:
    """Values for random calls."""

    def __init__(self, tools: Sequence[Tool], examples: Sequence[Example]) -> None:
        self._own: dict[tuple[str, str], list[JsonValue]] = defaultdict(list)
        self._shared: dict[str, list[JsonValue]] = defaultdict(list)
        attributes = {
            (tool.name, need.parameter): need.attribute
            for tool in tools
            if tool.capability
            for need in tool.capability.needs
        }
        for example in examples:
            if example.problem == "bad_arguments":
                continue
            for name, value in example.arguments.items():
                self._own[example.tool, name].append(value)
                if attribute := attributes.get((example.tool, name)):
                    self._shared[attribute].append(value)
        self._attributes = attributes
        self._right: dict[str, list[Example]] = defaultdict(list)
        for example in examples:
            if not example.problem:
                self._right[example.tool].append(example)

    def drawn(self, tool: Tool, draw: random.Random) -> tuple[Mapping[str, JsonValue], dict[str, JsonValue]]:
        """Draw a setup and the arguments of one call in it.

        The setup is the usual one, unless no example succeeds there. Such a tool changes what must be there
        first, and what it takes has to fit that: half of its calls are those of an example.
        """
        right = self._right[tool.name]
        if not right or not all(example.setup for example in right):
            return {}, self.arguments(tool, draw)
        example = draw.choice(right)
        as_it_is = draw.random() < 0.5  # noqa: PLR2004 - a coin
        return example.setup, dict(example.arguments) if as_it_is else self.arguments(tool, draw)

    def arguments(self, tool: Tool, draw: random.Random) -> dict[str, JsonValue]:
        """Draw the arguments of one call.

        What may be left out is left out half of the time; half of the values come from the tool's own
        examples, so that one that takes past days only is not asked about future ones for ever.
        """
        chosen: dict[str, JsonValue] = {}
        for name, shape in tool.properties.items():
            if name not in tool.required and draw.random() < 0.5:  # noqa: PLR2004 - a coin
                continue
            own = [*self._own[tool.name, name], *elements(members(shape).get("enum"))]
            shared = self._shared.get(self._attributes.get((tool.name, name), ""), [])
            if values := own if own and draw.random() < 0.5 else [*own, *shared]:  # noqa: PLR2004 - a coin
                chosen[name] = draw.choice(values)
        return chosen


def _finding(name: str, problems: Sequence[str]) -> Finding:
    return Finding(name, not problems, problems[0] if problems else "")


def _examples_hold(
    attempting: Attempting, tool: Tool, examples: Sequence[Example], least: int
) -> Iterator[tuple[Finding, Attempt | None]]:
    if len(examples) < least:
        message = f"it has {len(examples)} worked example(s); write at least {least}"
        yield Finding(f"{tool.name}: has worked examples", ok=False, message=message), None
    for number, example in enumerate(examples, start=1):
        call = Call(tool.name, example.arguments)
        attempted = attempting(example.setup, example.seed, call, digested=False)
        problems = [attempted.broken] if attempted.broken else _differences(example, attempted.seen)
        yield _finding(f"{tool.name}: example {number}", problems), attempted


def _differences(example: Example, seen: Observation) -> list[str]:
    code = seen.problem.code if seen.problem else ""
    if code != example.problem:
        return [f"expected {example.problem or 'a result'}, got {seen.text()}"]
    if seen.ok and seen.value != example.result:
        return [f"expected {example.result!r}, got {seen.value!r}"]
    return []


class _Trial:
    """Random calls of one world; what tools say of subjects is collected in `reports`."""

    def __init__(
        self, attempting: Attempting, pool: _Pool, reports: _Reports, rounds: int, *, deterministic: bool
    ) -> None:
        self._attempting, self._pool, self._reports, self._rounds = attempting, pool, reports, rounds
        self._deterministic = deterministic
        self.given_up = False
        """Whether the tool tried last must not be called again."""

    def problems(self, tool: Tool, seed: int) -> Iterator[str]:
        """Yield what is wrong with some random calls of one tool."""
        self.given_up = False
        if tool.capability is None:
            return
        draw = generator(seed, "check", tool.name)
        succeeded = 0
        for _ in range(self._rounds):
            setup, arguments = self._pool.drawn(tool, draw)
            call = Call(tool.name, arguments)
            tried = self._attempting(setup, seed, call, digested=True)
            if tried.broken:
                yield f"{tried.broken} It was called with {arguments!r}."
                self.given_up = tried.fatal
                if tried.fatal:
                    return
                continue
            seen = tried.seen
            succeeded += seen.ok
            yield from effects(tool.capability, arguments, seen, changed=tried.changed)
            if not seen.ok:
                continue
            yield from shape_problems(tool, arguments, seen.value)
            if self._deterministic and self._attempting(setup, seed, call, digested=False).seen != seen:
                yield f"the same call gave two results for {arguments!r}"
            if not setup:
                # In a world that was set up differently, other things are so.
                _remember(self._reports, tool, arguments, seen.value, seed)
        if not succeeded:
            yield f"none of {self._rounds} random calls succeeded; write examples with more varied arguments"


def _remember(
    reports: _Reports, tool: Tool, arguments: Mapping[str, JsonValue], value: JsonValue, seed: int
) -> None:
    """Note what was said about which subject, to compare with what other tools say."""
    assert tool.capability is not None
    attributes = {need.parameter: need.attribute for need in tool.capability.needs}
    about = tool.capability.about
    # What need not be told (units, classes, styles) may still change the answer.
    free = [name for name in tool.properties if name not in attributes and name not in about]
    subject = tuple(
        (attributes.get(name, name), repr(arguments.get(name, tool.properties[name].get("default"))))
        for name in (*about, *free)
    )
    carried = [report.field for report in tool.capability.reports]
    for report in tool.capability.reports:
        if carried.count(report.field) > 1:
            # The field implies the attribute (a text its length) without being its value.
            continue
        values = repr(values_at(value, report.field))
        reports[report.attribute][seed, subject].setdefault(values, tool.name)


def _agreement(reports: _Reports) -> Iterator[Finding]:
    for attribute, subjects in sorted(reports.items()):
        quarrels = [
            f"of {subject}, {' but '.join(f'{tool} says {values}' for values, tool in sayings.items())}"
            for (_, subject), sayings in subjects.items()
            if len(sayings) > 1
        ]
        yield _finding(f"{attribute}: told alike", quarrels)


def undeclared(tool: Tool) -> list[str]:
    """Return what is wrong between the fields that a tool declares and those that its schema has."""
    if tool.capability is None:
        return ["it declares no capability"]
    if tool.returns is None:
        return []
    there = set(schema_leaves(tool.returns))
    reported = {report.field for report in tool.capability.reports}
    declared = reported | set(tool.capability.echoes)
    return [
        *(
            f"it declares the field {path!r}, which its result does not have"
            for path in sorted(declared - there)
        ),
        *(f"its field {path!r} is neither reported nor an echo" for path in sorted(there - declared)),
    ]


def effects(
    capability: Capability, arguments: Mapping[str, JsonValue], seen: Observation, *, changed: bool
) -> Iterator[str]:
    """Yield what is wrong with what a call did to the state."""
    if not seen.ok and changed:
        yield f"a call that failed has changed the state: {arguments!r}"
    elif seen.ok and changed and not capability.changes:
        yield f"it declares no change, but the state changed after {arguments!r}"
    elif seen.ok and not changed and capability.changes and not _says_unchanged(seen.value):
        yield f"it declares a change, but the state is the same after {arguments!r}"
    elif seen.ok and changed and _says_unchanged(seen.value):
        yield f"it says that nothing changed, but the state did after {arguments!r}"


def _says_unchanged(value: JsonValue) -> bool:
    """Whether a result says itself that everything was like that already."""
    return members(value).get("changed") is False


def shape_problems(tool: Tool, arguments: Mapping[str, JsonValue], value: JsonValue) -> Iterator[str]:
    """Yield what is wrong with the shape of a call's result."""
    from jsonschema import Draft202012Validator

    if tool.returns is not None:
        # The validator's own annotations are incomplete.
        validator: Any = Draft202012Validator(tool.returns)
        for error in validator.iter_errors(value):
            yield f"the result for {arguments!r} does not fit its schema: {error.message}"
    for report in tool.capability.reports if tool.capability else ():
        # An empty list has no elements, and null says "there is none": both are answers.
        if _certain(tool.returns, report.field) and not supplied(value, report.field):
            yield f"the field {report.field!r} did not come out for {arguments!r}"


def _certain(shape: Mapping[str, JsonValue] | None, path: str) -> bool:
    """Whether a field must come out of every call: it lies in no list, and nothing on its way is optional."""
    for part in path.split("."):
        if part.endswith("[]"):
            return False
        if shape is None or "properties" not in shape:
            # Nobody has said; then what is reported has to be there.
            return "[]" not in path
        if part not in elements(shape.get("required")):
            return False
        shape = members(members(shape["properties"])[part])
    return True
