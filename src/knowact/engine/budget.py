"""A limit on what one invocation may spend, over all samples and roles.

The engine's own `cost_limit` is per sample. Ours stops asking once the sum is reached: samples that are
under way end with an error that says so, are not scored, and are done by the same command later.
"""

from inspect_ai.model import ModelOutput


class BudgetSpent(RuntimeError):  # noqa: N818 - its name is what the log should say
    """No further call was made because the cost limit was reached."""


class Budget:
    """What was spent since a command began, against a limit in US dollars (None: no limit)."""

    def __init__(self) -> None:
        self.limit: float | None = None
        self.spent = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether the limit is reached."""
        return self.limit is not None and self.spent >= self.limit

    def check(self) -> None:
        """Refuse a further call once the limit is reached."""
        if self.exhausted:
            raise BudgetSpent(f"cost limit of ${self.limit:g} reached (${self.spent:.4f} spent)")

    def charge(self, output: ModelOutput) -> None:
        """Add the price of a call, where the engine knows it."""
        if output.usage is not None and output.usage.total_cost is not None:
            self.spent += output.usage.total_cost


BUDGET = Budget()
"""One per process: it must not be a task argument, or a higher limit would start a new run."""
