"""One task for people: who drives, what is missing or open, what it should come to; its proof in clauses.

Where the data don't say where an argument comes from, nothing is said: the driver may say it, or it hangs on
a rule or on common sense.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.core.clean import dumps
from knowact.core.proof import Unprovable
from knowact.core.suite import Clause, Item, Section
from knowact.core.tool import Tool
from knowact.suites.car.choices import unsettled
from knowact.suites.car.items import CarItem
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.role_views import brief
from knowact.suites.car.tasks import CarTask, Element, Option
from knowact.worlds.car.removal import variants


def origin(task: CarTask, place: int, name: str) -> str:
    """Return where the argument `name` of the reference's call at `place` comes from; "" if nobody says."""
    one = task.reference[place]
    found = [
        f"from {told.field!r} of the result of step {told.step}"
        for told in dict.fromkeys(one.told.get(name, ()))
    ]
    element = task.element
    if element is not None and element.argument == (place, name):
        return "; ".join([*found, _settled(element)])
    return "; ".join(found) or _shown(task, name, one.arguments[name])


def _settled(element: Element) -> str:
    """Who settles what is open."""
    by = {
        "user": "from the driver, when asked",
        "preference": f"settled by a preference of the driver ({element.topic})",
        "policy": f"settled by the rule {element.rule}",
        "default": f"settled by the default {element.rule}",
        "context": "settled by how things stand",
        "request": "settled by the request",
    }
    return by[element.level].replace(" ()", "").rstrip()


def _shown(task: CarTask, name: str, value: JsonValue) -> str:
    """Whether the value is shown to the agent beside the request: the car's place, today, now."""
    here = cast("Mapping[str, Any]", task.setup.get("current_location") or {})
    now = cast("Mapping[str, Any]", task.setup.get("current_datetime") or {})
    if isinstance(value, str):
        shown = value == here.get("id")
    else:
        part = {"time_hour_24hformat": "hour"}.get(name, name)
        shown = part in {"month", "day", "hour"} and value == now.get(part)
    return "from the context shown with the request" if shown else ""


_DEEPER: Final = "    "


def sections(item: Item) -> Sequence[Section]:
    """What there is to say of a task, a section each; what does not apply has none."""
    assert isinstance(item, CarItem)
    task = item.what
    made: tuple[tuple[str, Callable[[CarItem], Iterable[str]], bool], ...] = (
        ("Who drives:", _driver, True),
        ("What is missing:", _missing, task.removal is not None),
        ("What is open:", _open, task.element is not None),
        ("Missing, but not needed (a decoy):", _decoy, task.decoy is not None),
        ("What messages are ruled on:", _parts, True),
        ("The calls of the reference:", _calls, True),
        ("What it should come to:", _goal, task.goal is not None),
        ("What the driver wants to be told:", _answers, bool(task.answers)),
    )
    return [Section(title, tuple(make(item))) for title, make, there in made if there]


def before_the_plan(item: Item) -> Sequence[Section]:
    """What people are shown of a task before its type: what the agent sees, and what it can look up.

    The driver's words come last, so that they stand above the question on the screen.
    """
    assert isinstance(item, CarItem)
    setup = item.what.setup
    likes = _leaves(setup.get("user_preferences", {}))
    state = (f"{name} = {dumps(value)}" for name, value in setup.items() if name not in _SHOWN_APART)
    (told,) = brief(item, item.factory.whole(item.what).context(), "none")
    return (
        Section("What the assistant is told:", tuple(told.text.splitlines())),
        Section(f"The tools that it has ({len(item.tools)}):", tuple(_tools(item.tools))),
        Section("What the driver likes, as far as it is stored:", tuple(likes) or ("nothing is stored",)),
        Section("How the car stands, where that is not as usual:", tuple(state) or ("all is as usual",)),
        Section(
            "The driver says:" if item.what.script else "The driver's story (no opening is written):",
            (item.task.opening.text,),
        ),
    )


_SHOWN_APART: Final = frozenset({"user_preferences", "current_location", "current_datetime", "calendar_id"})


def _leaves(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, object]", value).items():
            yield from _leaves(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        yield from (f"{path}: {one}" for one in cast("list[object]", value))


def _tools(tools: Sequence[Tool]) -> Iterator[str]:
    """Each tool with every parameter and every field of its result, so that it shows what is not there."""
    for tool in tools:
        yield f"{tool.name}: {tool.description}"
        for head, prefix in (("takes", f"{tool.name}."), ("tells", f"result.{tool.name}.")):
            named = [path.removeprefix(prefix) for path in variants(tool) if path.startswith(prefix)]
            leaves = [path for path in named if not any(one.startswith(f"{path}.") for one in named)]
            if leaves:
                yield f"{_DEEPER}{head}: {', '.join(leaves)}"


def _driver(item: CarItem) -> Iterator[str]:
    who, script = item.what.persona, item.what.script
    age = f"{who.age} years old" if who.age is not None else "of no given age"
    knows = f"; knows {'much' if who.proficiency == 'high' else 'little'} of cars" if who.proficiency else ""
    yield f"{age}; {who.style}{knows}"
    if who.words:
        yield who.words
    if item.what.instruction:
        yield f"story: {item.what.instruction}"
    if script is None:
        yield "no script: a model or a person plays the driver"
        return
    yield from (f"wishes later: {one}" for one in script.later)
    yield from (f"says when asked: {one.says}" for one in script.details)


def _missing(item: CarItem) -> Iterator[str]:
    removal = item.what.removal
    assert removal is not None
    yield f"{removal.words or 'in no words'} (a {removal.kind})"
    yield f"taken away: {', '.join(removal.paths)}"
    lost = [f"step {place} {item.what.reference[place].tool}" for place in removal.lost]
    yield f"calls that this makes impossible: {', '.join(lost) or 'none'}"
    yield from _base_task(item)


def _open(item: CarItem) -> Iterator[str]:
    element = item.what.element
    assert element is not None
    yield element.what
    if element.options:
        yield "the request leaves:"
        yield from (_DEEPER + _option(one) for one in element.options)
    by = ", ".join(filter(None, (element.topic, element.rule)))
    yield f"settled by: {_level(element)}{f' ({by})' if by else ''}"
    if element.options:
        yield f"the answer: {dumps(element.answer)}"
    if element.decides:
        yield f"it decides about: {', '.join(element.decides)}"
    if element.note:
        yield element.note
    yield from _base_task(item)


def _option(one: Option) -> str:
    words = f": {', '.join(one.words)}" if one.words else ""
    where = f"; where {dumps(dict(one.where))}" if one.where else ""
    return f"{dumps(one.value)}{words}{where}"


def _level(element: Element) -> str:
    return "the driver: the agent must ask" if element.level == "user" else f"the level {element.level!r}"


def _decoy(item: CarItem) -> Iterator[str]:
    decoy = item.what.decoy
    assert decoy is not None
    of = f"; {decoy.of} lacks it" if decoy.of else ""
    yield f"{', '.join(decoy.paths)} (a {decoy.kind}){of}"


def _parts(item: CarItem) -> Iterator[str]:
    for part in item.parts:
        yield (part.words if part.id in item.does else f"{part.words} (a decoy: the task does not need it)")


def _base_task(item: CarItem) -> Iterator[str]:
    if item.base_task is not None:
        yield f"its base task: {item.base_task.id}"


def _calls(item: CarItem) -> Iterator[str]:
    task = item.what
    lost = task.removal.lost if task.removal else ()
    for place, one in enumerate(task.reference):
        wish = f", for later wish {one.wish}" if one.wish else ""
        yield f"step {place}  {one.tool}{wish}{' (lost: impossible here)' if place in lost else ''}"
        for name, value in one.arguments.items():
            where = origin(task, place, name)
            yield f"{_DEEPER}{name} = {dumps(value)}{f', {where}' if where else ''}"
        if one.reads:
            yield f"{_DEEPER}used from its result: {', '.join(one.reads)}"
        if one.knowing:
            yield f"{_DEEPER}needs the result of step {' and '.join(map(str, one.knowing))}"
        if one.after:
            yield f"{_DEEPER}only after step {' and '.join(map(str, one.after))}"
        if one.consent:
            yield f"{_DEEPER}needs the driver's consent ({one.consent})"


def _goal(item: CarItem) -> Iterator[str]:
    goal = item.what.goal
    assert goal is not None
    if item.what.removal is not None:
        yield "with everything there:"
    yield from (f"{name} = {dumps(value)}" for name, value in goal.holds.items())
    yield "all else as at the start" if goal.holds else "everything as at the start"
    for end in goal.ends:
        yield f"equivalent: {', '.join(f'{name} = {dumps(value)}' for name, value in end.items())}"
    if goal.forbidden:
        yield f"never to be changed, even temporarily: {', '.join(goal.forbidden)}"


def _answers(item: CarItem) -> Iterator[str]:
    for fact in item.what.answers:
        value = ", ".join(fact.value) if isinstance(fact.value, tuple) else dumps(fact.value)
        yield f"{fact.label}: {value} {fact.unit}".rstrip()


def clauses(item: Item) -> Sequence[Clause]:
    """Prove one task on the spot: what is claimed of it, each with what speaks against it.

    The general prover does not come to an end on 58 tools that share their subjects; `proofs` looks only at
    what the task is about.
    """
    assert isinstance(item, CarItem)
    task, proofs = item.what, Proofs(item.factory.world, item.factory.seed)
    found = list(_sound(proofs, task))
    if task.removal is not None:
        claim = "without the part it is impossible, also by another tool, a guess or what can still be read"
        lacked = proofs.needed(task, item.base_task) if item.base_task is not None else ()
        found.append(_clause(claim, chain(proofs.impossible(task), lacked)))
        found.append(_clause("no answer to another call tells what is withheld", proofs.leaks(task)))
    if task.element is not None and task.element.options:
        left = (
            "at least two options remain until the driver is asked; the answer is one of them"
            if task.element.level == "user"
            else f"exactly one option is left, by {_level(task.element)}: the answer"
        )
        found.append(_clause(left, unsettled(proofs, task)))
    if task.decoy is not None:
        found.append(_clause("nothing changes without its decoy", proofs.spared(task)))
    if item.base_task is not None:
        against = [one for clause in _sound(proofs, item.base_task) for one in clause.against]
        if task.removal is not None:
            against += _unlike(task, item.base_task)
        alike = ", and has the same request and car" if task.removal is not None else ""
        claim = f"its base task {item.base_task.id} replays, ends at its goal and is possible{alike}"
        found.append(Clause(claim, tuple(against)))
    return found


def _clause(claim: str, against: Iterable[str]) -> Clause:
    """A claim with what speaks against it; so does that nobody can prove it, of a plan that fits no tool."""
    try:
        return Clause(claim, tuple(against))
    except Unprovable as error:
        return Clause(claim, (f"there is no proof: {error}",))


def _sound(proofs: Proofs, task: CarTask) -> Iterator[Clause]:
    """What holds of every task with all its parts."""
    yield _clause("the reference replays without a refusal or a breach of a rule", proofs.replay(task))
    if task.goal is not None:
        claim = "it reaches the goal, and never changes anything forbidden"
        yield _clause(claim, proofs.goal(task))
    yield _clause("with all tools it is possible", proofs.possible(task))
    if task.answers:
        yield _clause("what the driver wants to be told is what the world says", proofs.answered(task))


def _unlike(task: CarTask, base: CarTask) -> Iterator[str]:
    """What a hallucination task has otherwise than its base; nothing but the part may differ."""
    for name in ("setup", "script", "reference", "goal"):
        if getattr(task, name) != getattr(base, name):
            yield f"its {name} differs from its base task's"
