"""The two rule sets of the car world: the definition, and what the published code does."""

from enum import StrEnum
from typing import Final, Literal, NoReturn

from knowact.core.errors import UnknownName
from knowact.core.world import Problem


class Rules(StrEnum):
    """Which behaviour the car world has; never a mixture."""

    DEFINITION = "definition"
    """What the benchmark's text says, with the errors in it corrected."""
    PUBLISHED = "published"
    """What the published revision ("Rev A") does, known faults included, so that its numbers come out."""


ALIASES: Final = {"strict": Rules.DEFINITION, "rev_a": Rules.PUBLISHED}
"""The field's own names for the two (CAR-bench)."""


def rules_named(name: str) -> Rules:
    """Return a rule set by its name or alias.

    Raises:
        UnknownName: There is none of that name.
    """
    known = {**{rules.value: rules for rules in Rules}, **ALIASES}
    if name not in known:
        raise UnknownName("rule set of the car world", name, known)
    return known[name]


Code = Literal["bad_arguments", "not_found", "conflict"]


class Fault(StrEnum):
    """How the published world treats a failed call."""

    LOGGED = "logged"
    """The tool reports it, and it counts as an execution error."""
    UNLOGGED = "unlogged"
    """The tool reports it, and nobody counts it."""
    RAISED = "raised"
    """The tool raises, and nobody counts it."""


class Refusal(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A tool does not do what it was asked to; see `refuse`."""

    def __init__(self, problem: Problem, fault: Fault, policy: str, *, kept: bool) -> None:
        self.problem, self.fault, self.policy, self.kept = problem, fault, policy, kept
        super().__init__(problem.message)


def refuse(
    code: Code,
    message: str,
    fix: str = "",
    *,
    fault: Fault = Fault.LOGGED,
    policy: str = "",
    kept: bool = False,
) -> NoReturn:
    """Stop a tool function: nothing happens, and the agent reads why and what would be right.

    Where the published world would go on, nobody there counts it: `Fault.UNLOGGED`.

    Args:
        code: `bad_arguments` for values that can never be right, `not_found` for a look-up that missed,
            `conflict` for what the present state does not allow.
        message: One sentence for the agent.
        fix: What would be right, where that can be said.
        fault: How the published world treats this case.
        policy: The policy that the call violates, where the tool itself finds that ("AUT-POL:018").
        kept: Whether what the call has written so far stays written, as in one published tool.
    """
    raise Refusal(Problem(code, message, fix), fault, policy, kept=kept)
