"""An agent that breaks its output in every way we know. Which way follows from the item."""

import json
from collections.abc import Callable

from knowact.agents.policy import Attempt, Move, View, attempt

NOISE = "lorem {ipsum} <b>dolor</b> [sit] \\u0000 \"amet\" 'consectetur' } ] "
MARKUP = "</script><img src=x onerror=alert(1)><!-- ${jndi:ldap://x} {{7*7}} -->\u2028=1+1"


def _saying(text: str) -> Callable[[View], Move]:
    return lambda _: Move(text)


def _at_first(breaks: Callable[[View], Move]) -> Callable[[View], Move]:
    """Break the first message; then say that all is done."""
    return lambda view: Move("Done.") if view.turn else breaks(view)


def _first(view: View) -> str:
    return next(iter(view.names.values()), "tool")


def _contradiction(view: View) -> str:
    name = json.dumps(_first(view))
    return '{"tool_decisions": {' + f"{name}: true, {name}: false" + "}}"


KNOWING: dict[str, Callable[[View], Move]] = {
    "empty": _saying(""),
    "blank": _saying(" \n\t\u200b"),
    "cut": lambda v: Move('{"tool_decisions": {"' + _first(v) + '": tr'),
    "prose": _saying("You will surely want to use all of them, or none."),
    "no decision": _saying('{"tool_decisions": {}}'),
    "contradiction": lambda v: Move(_contradiction(v)),
    "not boolean": lambda v: Move(json.dumps({"tool_decisions": dict.fromkeys(v.names.values(), 0.7)})),
    "noise": _saying(NOISE * 700),
    "deep": _saying("[" * 20_000 + '{"tool_decisions":'),
    "markup": _saying(MARKUP),
    "refusal": _saying("I'm sorry, but I can't help with that."),
    "call": lambda v: Move(calls=(Attempt(_first(v), {}),)),
}
"""Each leaves nothing that can be read as a set of tools."""


def _wrong_types(view: View) -> Move:
    return Move(calls=tuple(Attempt(name, {"?": [None]}) for name in view.names.values()))


def _flood(view: View) -> Move:
    return Move("calling", tuple(attempt(view, tool.name) for tool in view.item.tools) * 20)


ACTING: dict[str, Callable[[View], Move]] = {
    "empty": _saying(""),
    "blank": _saying(" \n"),
    "endless": lambda v: Move(calls=(Attempt(_first(v), {"again": v.turn}),)),
    "invented": _at_first(lambda _: Move(calls=(Attempt("no_such_tool", {"x": 1}),))),
    "malformed": _at_first(lambda v: Move(calls=(Attempt(_first(v), '{"cut": '),))),
    "wrong types": _at_first(_wrong_types),
    "flood": _at_first(_flood),
    "markup": _saying(MARKUP),
    "noise": _saying(NOISE * 700),
}
"""None of them answers the task."""


def kind_of(view: View, kinds: dict[str, Callable[[View], Move]]) -> str:
    """Which breakage this trial gets."""
    return view.rng.choice(sorted(kinds))


class Hostile:
    """Broken in a different way on every item."""

    def know(self, view: View) -> Move:
        """Give a reply that cannot be read."""
        return KNOWING[kind_of(view, KNOWING)](view)

    proceed = explain = reply = know

    def act(self, view: View) -> Move:
        """Do something that no agent should."""
        return ACTING[kind_of(view, ACTING)](view)

    go_on = act
