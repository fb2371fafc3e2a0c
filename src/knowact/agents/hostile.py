"""An agent that breaks its output in every way we know. Which way follows from the item."""

import json
from collections.abc import Callable

from knowact.agents.policy import Attempt, Move, View, attempt

NOISE = "lorem {ipsum} <b>dolor</b> [sit] \\u0000 \"amet\" 'consectetur' } ] "
MARKUP = "</script><img src=x onerror=alert(1)><!-- ${jndi:ldap://x} {{7*7}} -->\u2028=1+1"


def _first(view: View) -> str:
    return next(iter(view.names.values()), "tool")


def _contradiction(view: View) -> str:
    name = json.dumps(_first(view))
    return '{"tool_decisions": {' + f"{name}: true, {name}: false" + "}}"


KNOWING: dict[str, Callable[[View], Move]] = {
    "empty": lambda v: Move(""),  # noqa: ARG005 - it looks at nothing
    "blank": lambda v: Move(" \n\t\u200b"),  # noqa: ARG005
    "cut": lambda v: Move('{"tool_decisions": {"' + _first(v) + '": tr'),
    "prose": lambda v: Move("You will surely want to use all of them, or none."),  # noqa: ARG005
    "no decision": lambda v: Move('{"tool_decisions": {}}'),  # noqa: ARG005
    "contradiction": lambda v: Move(_contradiction(v)),
    "not boolean": lambda v: Move(json.dumps({"tool_decisions": dict.fromkeys(v.names.values(), 0.7)})),
    "noise": lambda v: Move(NOISE * 700),  # noqa: ARG005
    "deep": lambda v: Move("[" * 20_000 + '{"tool_decisions":'),  # noqa: ARG005
    "markup": lambda v: Move(MARKUP),  # noqa: ARG005
    "refusal": lambda v: Move("I'm sorry, but I can't help with that."),  # noqa: ARG005
    "call": lambda v: Move(calls=(Attempt(_first(v), {}),)),
}
"""Each leaves nothing that can be read as a set of tools."""


def _wrong_types(view: View) -> Move:
    if view.turn:
        return Move("Done.")
    return Move(calls=tuple(Attempt(name, {"?": [None]}) for name in view.names.values()))


def _flood(view: View) -> Move:
    if view.turn:
        return Move("Done.")
    wanted = [attempt(view, tool.name) for tool in view.item.tools]
    return Move("calling", tuple(wanted) * 20)


ACTING: dict[str, Callable[[View], Move]] = {
    "empty": lambda v: Move(""),  # noqa: ARG005
    "blank": lambda v: Move(" \n"),  # noqa: ARG005
    "endless": lambda v: Move(calls=(Attempt(_first(v), {"again": v.turn}),)),
    "invented": lambda v: Move(calls=(Attempt("no_such_tool", {"x": 1}),)) if not v.turn else Move("Done."),
    "malformed": lambda v: Move(calls=(Attempt(_first(v), '{"cut": '),)) if not v.turn else Move("Done."),
    "wrong types": _wrong_types,
    "flood": _flood,
    "markup": lambda v: Move(MARKUP),  # noqa: ARG005
    "noise": lambda v: Move(NOISE * 700),  # noqa: ARG005
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

    def proceed(self, view: View) -> Move:
        """Give a reply that cannot be read."""
        return self.know(view)

    def explain(self, view: View) -> Move:
        """Give no reason."""
        return self.know(view)

    def reply(self, view: View) -> Move:
        """Give a reply that cannot be read."""
        return self.know(view)

    def go_on(self, view: View) -> Move:
        """Do something that no agent should."""
        return self.act(view)

    def act(self, view: View) -> Move:
        """Do something that no agent should."""
        return ACTING[kind_of(view, ACTING)](view)
