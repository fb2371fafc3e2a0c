"""What everybody in a conversation is told of a task: termination judge, users, agents that know the gold."""

from pydantic import JsonValue

from knowact.core.parts import Part
from knowact.core.world import Call
from knowact.people.gold_plan import Deed, GoldPlan
from knowact.people.script import Script
from knowact.people.simulated_user import ScriptedUser, proposal
from knowact.people.termination import Case
from knowact.reading.quotes import folded, stands_in
from knowact.suites.car.goals import Reference
from knowact.suites.car.items import CarItem
from knowact.suites.car.parts import open_part, tool_of
from knowact.suites.car.tasks import CarTask, Element, Removal
from knowact.worlds.car.catalogue import OPERATIONS


def script_of(what: CarTask) -> Script:
    """The user's script; a published task has its instruction instead, which is no script."""
    return what.script or Script(opening=what.instruction)


def case_of(item: CarItem) -> Case:
    """What a conversation about an item is decided by."""
    what, element = item.what, item.what.element
    does = dict(item.does)
    if what.removal is not None:
        does[what.removal.paths[0]] = _undone(what, what.removal)
    return Case(
        type=what.type,
        parts=item.parts,
        does=does,
        missing="".join(what.removed[:1]),
        also=item.missing - {*what.removed[:1]},
        open=open_part(what, element).id if element else "",
        settled_by=_settling(what),
        options=() if element is None else tuple(word for one in element.options for word in one.words),
        shuffle=what.cluster,
    )


def _missing(item: CarItem) -> Part | None:
    return next((part for part in item.parts if part.id in item.what.removed[:1]), None)


def _undone(what: CarTask, removal: Removal) -> frozenset[str]:
    """The tools that alone could have done what is missing; none for a result, which no call tells any more.

    What goes with the main part leads to the same end with it there, and may well be used for something else.
    """
    if removal.kind == "result":
        return frozenset()
    return frozenset({tool_of(removal.paths[0]), *(what.reference[place].tool for place in removal.lost)})


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


def user_of(what: CarTask) -> ScriptedUser:
    """The scripted user of a task: it wants what the reference does."""
    element = what.element
    answers: dict[str, str] = {}
    yours: set[str] = set()
    if element is not None:
        part, says = open_part(what, element).id, _answer(what, element)
        if element.level != "user":
            yours.add(part)
        elif says:
            answers[part] = says
    wanted = frozenset(proposal(Call(one.tool, one.arguments)) for one in what.reference if one.acts)
    return ScriptedUser(script_of(what), what.persona, wanted, answers, frozenset(yours))


def _answer(what: CarTask, element: Element) -> str:
    """What the user says when asked for what only they know: the detail with the right option."""
    details = [one.says for one in script_of(what).details]
    words = [folded(word) for one in element.options if one.value == element.answer for word in one.words]
    telling = (says for says in details if any(stands_in(word, folded(says)) for word in words))
    return next(telling, details[0] if details else "")


def gold_of(item: CarItem) -> GoldPlan:
    """What a built-in agent can do and say."""
    what, element, removal = item.what, item.what.element, item.what.removal
    lost = frozenset(removal.lost if removal else ())
    return GoldPlan(
        deeds=tuple(_deed(what, place, one, place in lost) for place, one in enumerate(what.reference)),
        open=open_part(what, element) if element else None,
        asks=element is not None and element.level == "user",
        missing=_missing(item),
        told=removal is not None and removal.kind == "result",
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


def scenario_of(what: CarTask) -> str:
    """What a user is held to: the story, and what only the agent may settle."""
    element = what.element
    if element is None or element.level == "user":
        return what.instruction
    return f"{what.instruction}\nOnly the assistant may settle: {element.what}."
