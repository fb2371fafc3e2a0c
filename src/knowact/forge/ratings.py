"""What judges and readers say of a written request.

Judges see the plan: KAPRO's six dimensions, and its recheck of the executed plan (section 3.3 of its paper,
"Task Construction and Quality Check" and "Trajectory Acquisition and Quality Recheck"). There one verdict of
no on any of the nine discards the candidate. Here a verdict is that of most votes: a text of which more than
half of the votes deny a point is discarded; where fewer do, it stays, and people decide. Readers see the
request and the tools alone: they rate how natural it is and say which tools it takes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from knowact.core.clean import one_line
from knowact.core.model import Noun
from knowact.core.tool import Tool
from knowact.forge.briefs import COMPLETE, BriefAnswer, Discard, Written
from knowact.forge.drafts import Draft
from knowact.worlds.material import Material

GENERATION: Final = ("boundary", "selection", "uniqueness", "parameters", "realism", "verifiability")
"""The six dimensions of a generated task."""
RECHECK: Final = ("causal", "pattern", "execution")
"""The three points of the executed plan."""
DIMENSIONS: Final = (*GENERATION, *RECHECK)
MEANING: Final[Mapping[str, str]] = {
    "boundary": "what is marked external takes its tool, and what is marked internal does not",
    "selection": "the request names no tool, and does not repeat a tool's name in its words",
    "uniqueness": "no tool could do another one's step",
    "parameters": "the request says all that the steps need, as far as no other step finds it out",
    "realism": "a real person could send exactly this, for one reason and in these words",
    "verifiability": "whether an answer is right can be decided by the results of the steps",
    "causal": "the request, or an earlier step's result, calls for each step",
    "pattern": "the request needs a tool for the steps that are marked external, and for no other",
    "execution": "what the request asks for follows from the results of the calls",
}
"""What holds where a point passes, as the writer of a failed text is told; judges are asked the same."""
Decision = Literal["passed", "failed", "disputed"]
LONGEST_REASON: Final = 300
"""Characters of a judge's words that a writer is told."""


class Rating(Noun):
    """One judge's vote on one request.

    Attributes:
        brief: The brief's id.
        text: The hash of the text that was judged: a text that is written anew is judged anew.
        judge: The model.
        vote: Counts the votes of one judge, from 1.
        prompt: The hash of the prompt.
        holds: By dimension.
        why: The judge's words.
    """

    brief: str
    text: str
    judge: str
    vote: int
    prompt: str
    holds: Mapping[str, bool]
    why: str = ""

    @model_validator(mode="after")
    def _is_of_every_dimension(self) -> Self:
        if sorted(self.holds) != sorted(DIMENSIONS):
            raise ValueError(f"'holds' takes a vote on each of {', '.join(DIMENSIONS)}, and on nothing else")
        return self


class BlindReading(Noun):
    """What one reader who saw neither plan nor label says of one request.

    Attributes:
        brief: The brief's id.
        text: The hash of the version that was read.
        reader: Who read it.
        natural: 1 (no person would send this) to 5 (somebody would type exactly that); None where the reader
            was not asked.
        needs: The tools that have to be called; None where the reader was not asked.
        unclear: What is missing or ambiguous; empty where nothing is.
        gives: The needed tools whose result the person who asks could give right now, from what they know,
            have at hand or can see where they are; None where the reader was not asked.
    """

    brief: str
    text: str
    reader: str
    natural: Annotated[int | None, Field(ge=1, le=5)] = None
    needs: frozenset[str] | None = None
    unclear: str = ""
    gives: frozenset[str] | None = None


def could_give(readings: Sequence[BlindReading], tool: Tool) -> bool:
    """Whether most readers say that the person could give a tool's result; where none does, by the tool."""
    votes = [tool.name in reading.gives for reading in readings if reading.gives is not None]
    if 2 * sum(votes) != len(votes):
        return 2 * sum(votes) > len(votes)
    return tool.replaceable is not None and tool.replaceable.by_human


def decided(ratings: Sequence[Rating]) -> Mapping[str, Decision]:
    """What the votes on one request come to, by dimension.

    Returns:
        "passed" where no vote denies it, "failed" where more than half of the votes do, else "disputed".
    """
    decisions: dict[str, Decision] = {}
    for dimension in DIMENSIONS:
        denied = sum(not rating.holds[dimension] for rating in ratings)
        failed: Decision = "failed" if 2 * denied > len(ratings) else "disputed"
        decisions[dimension] = failed if denied else "passed"
    return decisions


def discarded(answer: BriefAnswer, ratings: Sequence[Rating]) -> Discard | None:
    """The texts of an answer with the points that the votes on them fail; None where they fail none."""
    points = tuple(point for point, decision in decided(ratings).items() if decision == "failed")
    if not points:
        return None
    denying = (rating.why for rating in ratings if not all(rating.holds[point] for point in points))
    why = dict.fromkeys(one_line(" ".join(text.split()))[:LONGEST_REASON] for text in denying if text.strip())
    return Discard(versions=answer.versions, writer=answer.writer, points=points, why=tuple(why))


def to_read(draft: Draft, written: Written, text: str, brief: str, material: Material) -> dict[str, Any]:
    """A version of a request as readers see it: no plan, no label, no author."""
    return {
        "brief": brief,
        "text": text,
        "shown": dict(material.shown),
        "request": written.whole,
        "tools": {name: material.tools[name].description for name in sorted(draft.task.offered)},
    }


def shown(draft: Draft, answer: BriefAnswer, material: Material) -> str:
    """What a judge is shown of a request, as JSON."""
    task = draft.task
    item: dict[str, Any] = {
        "request": answer.versions[COMPLETE].whole,
        "shown to the assistant": dict(material.shown),
        "tools": {name: material.tools[name].description for name in task.offered},
        "plan": [
            {
                "tool": step.tool,
                "marked": step.boundary.value,
                "arguments": step.call_arguments,
                "result": result,
                "asked for": list(step.wants),
                "stated in the request": list(step.told),
            }
            for step, result in zip(task.plan, draft.results, strict=True)
        ],
    }
    return json.dumps(item, ensure_ascii=False, indent=1)
