"""What everybody in a conversation is told of a task: referee, fault detector, agents that know the gold."""

from typing import Final

from pydantic import JsonValue

from knowact.core.world import Call
from knowact.people.driver.script import Script
from knowact.people.driver.scripted import reveals
from knowact.people.driver_faults import Known
from knowact.people.made_up import example
from knowact.people.part import Deed, Part
from knowact.people.referee import Case
from knowact.suites.car.goals import Reference
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.catalogue import OPERATIONS

_ANYTHING: Final = "the rest"


def script_of(what: CarTask) -> Script:
    """The driver's script; a published task has its instruction instead, which no rule can read."""
    return what.script or Script(opening=what.instruction)


def case_of(what: CarTask) -> Case:
    """What the referee knows."""
    removal, element = what.removal, what.element
    missing = ""
    if removal is not None:
        parts = ", ".join(removal.paths)
        missing = f"{removal.words} ({parts})" if removal.words else parts
    return Case(
        type=what.type,
        script=script_of(what),
        missing=missing,
        undone=_undone(what),
        open="" if element is None else element.what,
        settled_by=_settling(what),
        options=() if element is None else tuple(word for one in element.options for word in one.words),
    )


def _undone(what: CarTask) -> frozenset[str]:
    """The tools of the calls that a missing tool or parameter made impossible; of a missing result, none.

    What only a result would have told cannot be read off the calls: saying so is for judges.
    """
    if what.removal is None or what.removal.kind == "result":
        return frozenset()
    own = {path.split(".", 1)[0] for path in what.removal.paths[:1]}
    return frozenset(own | {what.reference[place].tool for place in what.removal.lost})


def _settling(what: CarTask) -> frozenset[str]:
    """The looks of the reference that the open choice hangs on."""
    element = what.element
    if element is None or element.level == "user":
        return frozenset()
    if element.level == "preference":
        return frozenset({"get_user_preferences"})
    if element.argument is None:
        return frozenset()
    sources = what.reference[element.argument[0]].sources
    return frozenset(what.reference[place].tool for place in sources)


def known_of(what: CarTask) -> Known:
    """What the detector of driver faults goes by."""
    element = what.element
    hidden: tuple[str, ...] = ()
    if element is not None and element.level != "user":
        right = [one for one in element.options if one.value == element.answer]
        said = script_of(what).opening.casefold()
        hidden = tuple(word for one in right for word in one.words if word.casefold() not in said)
    return Known(script_of(what), what.instruction, hidden)


def part_of(what: CarTask) -> Part:
    """What a built-in agent can do and say."""
    lost = frozenset(what.removal.lost if what.removal else ())
    deeds = tuple(_deed(what, place, one, place in lost) for place, one in enumerate(what.reference))
    removal = what.removal
    return Part(
        deeds=deeds,
        question=_question(what),
        open=_open(what),
        missing="" if removal is None else _named(removal.words, script_of(what).lacks),
        value=example(script_of(what).lacks) if removal is not None and removal.kind == "result" else "",
    )


def _deed(what: CarTask, place: int, one: Reference, lost: bool) -> Deed:  # noqa: FBT001 - one call site
    return Deed(
        call=Call(one.tool, one.arguments),
        acts=one.acts,
        consent=bool(one.consent),
        ends=OPERATIONS[one.tool].ends if one.tool in OPERATIONS else False,
        lost=lost,
        guess=_guess(what, place, one),
    )


def _guess(what: CarTask, place: int, one: Reference) -> Call | None:
    """The call with the wrong option, as somebody picks it who does not look."""
    element = what.element
    if element is None or element.argument is None or element.argument[0] != place:
        return None
    carried = one.arguments.get(element.argument[1])
    wrong = [option.value for option in element.options if option.value != carried]
    arguments: dict[str, JsonValue] = dict(one.arguments)
    if wrong:
        arguments[element.argument[1]] = wrong[0]
    return Call(one.tool, arguments)


def _named(words: str, cues: tuple[str, ...]) -> str:
    """The missing part in the author's words, with a cue that is known to be heard."""
    cue = cues[0].removesuffix("*") if cues else ""
    return f"{words} ({cue})" if cue and cue not in words.casefold() else words or cue


def _question(what: CarTask) -> str:
    """A question that makes the driver say what only they can; empty where nothing has to be asked."""
    element = what.element
    if element is None or element.level != "user":
        return ""
    asked = f"Before I do that, please tell me: {element.what}?"
    for detail in script_of(what).details:
        for cue in ("", *detail.about):
            tried = f"{asked.rstrip('?')}, {cue.removesuffix('*')}?" if cue else asked
            if reveals(detail, tried):
                return tried
    return asked


def _open(what: CarTask) -> str:
    """What could be asked about, in words that the driver knows."""
    script = script_of(what)
    if what.element is not None:
        cue = script.secrets[0].removesuffix("*") if script.secrets else ""
        return f"{what.element.what}, {cue}".rstrip(", ")
    return _ANYTHING
