"""Asking a model judge: votes over the role `grader`, where one is bound."""

from collections.abc import Callable

from inspect_ai.model import Model, ModelOutput, model_roles
from inspect_ai.util import span

from knowact.engine.roles import role_reply
from knowact.people.judge import Ballot, Votes, read_reason, read_vote

ROLE = "grader"


def _graders() -> list[Model]:
    bound = model_roles().get(ROLE)
    return [] if bound is None else bound if isinstance(bound, list) else [bound]


def grader_bound() -> bool:
    """Whether the run has a grader. Without one the engine would fall back to the model under test."""
    return bool(_graders())


def _unwritten(_: ModelOutput) -> None:
    """The engine's log has every call in any case."""


async def poll(ballot: Ballot, spend: Callable[[ModelOutput], None] = _unwritten) -> Votes:
    """Ask the grader for its votes; several bound models take turns.

    Args:
        ballot: The question.
        spend: Writes down each call, for records that tell apart who spent what.
    """
    graders = _graders()
    cast: list[str] = []
    why: list[str] = []
    async with span("grading"):
        for number in range(ballot.votes):
            # Every model sees every prompt: prompts change with each vote, models after a round of prompts.
            model = graders[number // len(ballot.prompts) % len(graders)]
            prompt = ballot.prompts[number % len(ballot.prompts)]
            output = await role_reply(model, prompt)
            spend(output)
            cast.append(read_vote(output.completion, ballot.choices, ballot.told))
            why.append(read_reason(output.completion))
    return Votes(ballot.choices, tuple(cast), tuple(why))
