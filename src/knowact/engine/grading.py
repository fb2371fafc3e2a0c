"""Asking a model judge: votes over the role `grader`, where one is bound."""

from inspect_ai.model import CachePolicy, GenerateConfig, Model, model_roles
from inspect_ai.util import span, suspend_token_limit, suspend_turn_limit

from knowact.core.record import Verdict
from knowact.engine.budget import BUDGET
from knowact.people.judge import Vote, majority, read_vote

ROLE = "grader"


def _graders() -> list[Model]:
    bound = model_roles().get(ROLE)
    return [] if bound is None else bound if isinstance(bound, list) else [bound]


def grader_bound() -> bool:
    """Whether the run has a grader. Without one the engine would fall back to the model under test."""
    return bool(_graders())


async def grade(prompt: str, votes: int) -> Verdict:
    """Ask the grader for its votes, and count them; several bound models take turns."""
    graders = _graders()
    read: list[Vote] = []
    async with span("grading"):
        for number in range(votes):
            model = graders[number % len(graders)]
            with suspend_token_limit(), suspend_turn_limit():
                BUDGET.check()
                # Equal prompts share one cache entry unless the vote is part of its scope.
                cached = CachePolicy(expiry=None, scopes={"vote": str(number)})
                output = await model.generate(prompt, config=GenerateConfig(cache=cached))
                BUDGET.charge(output)
            read.append(read_vote(output.completion))
    return majority(read)
