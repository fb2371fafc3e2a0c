"""One call of a model in a role (driver, helper, grader): outside the agent's limits, within the budget."""

from typing import Any

from inspect_ai.model import ChatMessage, Model, ModelOutput
from inspect_ai.util import suspend_token_limit, suspend_turn_limit

from knowact.engine.budget import BUDGET
from knowact.engine.outputs import guarded
from knowact.engine.patience import role_config


async def role_reply(model: Model, prompt: str | list[ChatMessage], **config: Any) -> ModelOutput:
    """Ask a model in a role once.

    What it takes is no turn and no token of the agent's, and is charged to the budget of the run.

    Args:
        model: Who plays the role.
        prompt: A text, or the whole conversation.
        config: Further settings of the call (`patience.role_config`).

    Raises:
        BudgetSpent: The cost limit was reached before.
    """
    with suspend_token_limit(), suspend_turn_limit():
        BUDGET.check()
        output = await guarded(model).generate(prompt, config=role_config(**config))
        BUDGET.charge(output)
    return output
