"""Ready-made scripts for the endpoint, and the parts to make one's own."""

from collections.abc import Callable, Sequence

from knowact.testing.replies import CallTools, Reply, Request, Say, Script, ToolCall

NO_TOOL_NEEDED = '{"tool_decisions": {}}'
"""The knowing probe's answer that marks no tool at all (KAPRO)."""


def always(reply: Reply) -> Script:
    """Return a script that gives the same reply to everything."""
    return lambda request: reply  # noqa: ARG005 - the request does not matter


def sequence(*replies: Reply) -> Script:
    """Return a script that gives these replies in order, each conversation from the start.

    A request that is sent again after a failure takes the next reply. The last one is given for ever.

    Raises:
        ValueError: No reply is given.
    """
    if not replies:
        raise ValueError("a sequence needs at least one reply")
    return lambda request: replies[min(request.turn, len(replies)) - 1]


def tool_caller(decide: Callable[[Request], Sequence[ToolCall]], answer: str = "done") -> Script:
    """Return an agent that calls the tools that `decide` names, all at once, and then says `answer`.

    `decide` is asked once, at the start of a conversation; if it names none, the answer comes at once.
    What an agent has done is read off the messages alone, so requests sent again change nothing.
    """

    def script(request: Request) -> Reply:
        calls = tuple(decide(request)) if request.rounds == 0 else ()
        return CallTools(calls) if calls else Say(answer)

    return script


def trivial_agent(request: Request) -> Reply:
    """Say that no tool is needed where none is registered (a knowing probe), and "done" elsewhere."""
    return Say("done") if request.tools else Say(NO_TOOL_NEEDED)
