"""The tool `ask_human`: one trial's line to a person, and what went over it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from inspect_ai.tool import ToolCall, ToolDef, ToolParams

from knowact.core.declared import Declared
from knowact.people.helper import Answer, Known
from knowact.probes.outcome import PutQuestion
from knowact.probes.probe import Help

ASK = "ask_human"

DESCRIPTION = (
    "Asks the person who sent the request one question and returns what they answer. They know what they "
    "want and may be able to do some things themselves; they do not see your other tools. Ask when you "
    "cannot go on without it."
)

PARAMETERS = ToolParams.model_validate(
    {
        "properties": {"question": {"type": "string", "description": "The question, in full sentences."}},
        "required": ["question"],
    }
)

ENOUGH = "No further question will be answered. Please finish with what you have."


@dataclass(slots=True)
class Desk:
    """One trial's line to a person.

    Attributes:
        policy: How many questions are answered.
        person: Answers a question.
        known: What the person knows of the item; None where nobody has said what is missing from it, so that
            no question can be told to be targeted.
        put: The questions so far.
        heard: What a built-in agent declares of the message that asks; None for every other agent.
    """

    policy: Help
    person: Callable[[str, Declared | None], Awaitable[Answer]]
    known: Known | None
    heard: Declared | None = None
    put: list[PutQuestion] = field(default_factory=list[PutQuestion])

    @property
    def definition(self) -> ToolDef:
        """The tool, as the engine calls it."""

        # The engine writes its mark on what it registers, which a bound method does not take.
        async def execute(question: str) -> str:
            return await self._answer(question)

        return ToolDef(execute, name=ASK, description=DESCRIPTION, parameters=PARAMETERS)

    async def _answer(self, question: str) -> str:
        if sum(one.kind not in UNANSWERED for one in self.put) >= self.policy.most:
            self.put.append(PutQuestion(question, ENOUGH, OVER_THE_CAP))
            return ENOUGH
        answer = await self.person(question, self.heard)
        targeted = None if self.known is None else answer.targeted(self.known)
        gave = tuple(sorted(answer.gave))
        self.put.append(PutQuestion(question, answer.text, answer.kind or "said", targeted, gave))
        return answer.text

    def note_refused(self, call: ToolCall) -> None:
        """Count a call of the tool that the engine refused: nobody was asked."""
        self.put.append(PutQuestion(call.parse_error or str(call.arguments), "", BAD_ARGUMENTS))


OVER_THE_CAP = "over_the_cap"
BAD_ARGUMENTS = "bad_arguments"
UNANSWERED = frozenset({OVER_THE_CAP, BAD_ARGUMENTS})
"""Kinds of questions that reached nobody."""
