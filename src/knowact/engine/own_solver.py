"""Suites that ask their own questions take nobody else's solver, and say so before anything is asked."""

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSpec
from inspect_ai.scorer import SampleScore
from pydantic import JsonValue

from knowact.engine.compat import EnginePrerequisiteError


class OwnSolver:
    """Refuses `inspect eval --solver` as the task begins.

    The engine tells a task of its solver nowhere else before samples run: this is its protocol for stopping
    samples early, and it stops none.
    """

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:  # noqa: ARG002 - the engine's
        """Refuse a solver; return the name under which this stands in the log.

        Raises:
            EnginePrerequisiteError: There is one.
        """
        if task.solver is not None:
            raise EnginePrerequisiteError(
                f"{task.task} asks its own questions, so --solver {task.solver} cannot take the place of its "
                "solver: serve the agent as a model instead (docs/agents.md, the first way)."
            )
        return "own solver"

    async def schedule_sample(self, id: str | int, epoch: int) -> None:  # noqa: A002 - the engine's
        """Let every sample run."""

    async def complete_sample(
        self,
        id: str | int,  # noqa: A002 - the engine's
        epoch: int,
        scores: dict[str, SampleScore],
    ) -> None:
        """Take no notice."""

    async def complete_task(self) -> dict[str, JsonValue]:
        """Nothing was stopped."""
        return {}
