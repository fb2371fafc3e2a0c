"""Who answers `ask_human`: the script, a model in the role `helper`, or a person at the terminal."""

from typing import Final

from inspect_ai.util import span

from knowact.core.clean import lines
from knowact.core.declared import Declared
from knowact.core.errors import BadUsage, lacks_role
from knowact.engine.gold_context import place_in_words
from knowact.engine.outputs import InstrumentFailure
from knowact.engine.roles import HELPER, as_response, keyed, players, role_reply
from knowact.engine.terminal import ask_at_terminal
from knowact.probes.talk import PersonPart
from knowact.roles.helper import (
    ATTEMPTS,
    SCRIPT_REFUSES,
    HelperAnswer,
    Known,
    Person,
    given_by,
    helper_schema,
    helper_text,
    read_answer,
    scripted_answer,
    what_a_person_sees,
)

NO_ANSWER: Final = "the model that plays the person did not answer in the form asked for"


def played_by(part: PersonPart, key: str) -> tuple[Person, Known | None]:
    """Who answers, and what can be told of the questions; None where nobody has said what the item lacks.

    Args:
        part: Who plays the person, and what they know.
        key: Names the item, for a file in the role.
    """
    known = part.known
    # Where only the whole request is known, nobody can say which of its details is the missing one.
    recorded = None if known.whole else known
    match part.player:
        case "scripted":
            return scripted(known), recorded
        case "model":
            return played(known, key), recorded
        case "person":
            return at_terminal(known, part.request), recorded


def scripted(known: Known) -> Person:
    """The person of `people.helper` as a script: for built-in agents, which declare what they ask for."""

    async def answer(question: str, declared: Declared | None) -> HelperAnswer:  # noqa: ARG001 - as all persons
        if declared is None:
            raise BadUsage(SCRIPT_REFUSES)
        return scripted_answer(known, declared)

    return answer


def played(known: Known, key: str) -> Person:
    """A model in the role `helper`, told what the script knows, and the same policy."""

    async def answer(question: str, declared: Declared | None) -> HelperAnswer:  # noqa: ARG001 - as all persons
        models = players(HELPER)
        if not models:
            raise lacks_role("--helper model", HELPER)
        prompt, schema = helper_text(known, question), as_response("answer", helper_schema())
        async with span("helping"):
            with keyed(f"{key}/{question}"):
                for _ in range(ATTEMPTS):
                    output = await role_reply(models[0], prompt, response_schema=schema)
                    if found := read_answer(known, output.completion):
                        return found
        raise InstrumentFailure(NO_ANSWER)

    return answer


def at_terminal(known: Known, request: str) -> Person:
    """Whoever sits at the terminal; they are shown the request and the policy's facts with each question.

    Only one question stands on the screen at a time; other samples go on meanwhile.
    """

    async def answer(question: str, declared: Declared | None) -> HelperAnswer:  # noqa: ARG001 - as all persons
        texts = ("", place_in_words(), *what_a_person_sees(known, request, question))
        shown = [line for text in texts for line in lines(text)]
        typed = (await ask_at_terminal("\n".join(shown))).strip() or "I don't know."
        return HelperAnswer(typed, gave=given_by(known, typed))

    return answer
