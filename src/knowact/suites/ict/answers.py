"""Yes or no: how an answer to an explicit question is read, by how it was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from knowact.core.declared import Declared
from knowact.core.record import NOT_APPLICABLE, Outcome, Result, Status
from knowact.probes.response import Judged, Response
from knowact.reading.yes_no import YesNo, read_yes_no
from knowact.roles.judge import NOT_VOTED, Ballot, result_of
from knowact.suites.ict.asked import EXPLICIT, FIRST, WHY, AskedItem
from knowact.suites.ict.probes import COT, SELF, SV, ZERO, prompts

_REASONED: Final = frozenset({COT, SV, SELF})
"""Strategies whose answer is a last line, "Answer: Yes"."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a run asks and counts, as far as reading depends on it.

    Attributes:
        strategy: How the explicit question is asked.
        plain: Whether it is asked in one plain text, which a base model goes on with.
        published: Whether the published rules hold: any words without a call are a no when the dialogue goes
            on, and a reason is right or wrong.
    """

    strategy: str = ZERO
    plain: bool = False
    published: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Take it from the options of a run."""
        return cls(str(options["strategy"]), bool(options["plain"]), options["rules"] == "published")


_PLAINLY: Final = Manner()


def explicit_response(judged: Judged) -> Response:
    """The answer that counts. A first one that there was nothing to check of stands as it is."""
    found = judged.response(EXPLICIT)
    return judged.response(FIRST) if found.outcome is Outcome.NOT_RUN else found


def read_answer(response: Response, manner: Manner) -> YesNo:
    """Read the answer to an explicit question.

    A reply that was cut off is readable where its answer is whole.

    Args:
        response: A readable one.
        manner: How it was asked.
    """
    lines = [line for line in response.reply.splitlines() if line.strip()]
    if manner.strategy not in _REASONED:
        # A base model that has answered goes on with examples of its own.
        return read_yes_no(lines[0] if manner.plain and lines else response.reply)
    last = next((number for number, line in enumerate(lines) if _is_answer(line)), None)
    if last is not None and manner.plain:
        return read_yes_no("\n".join(lines[: last + 1]))
    if last is None and response.cut:
        return YesNo(None)
    return read_yes_no(response.reply)


def _is_answer(line: str) -> bool:
    return line.strip(" *_#`>-").casefold().startswith("answer:")


RIGHT: Final = "right"
KINDS: Final = (
    *(RIGHT, "misread_intent", "blames_tool_that_is_there"),
    *("blames_information_that_is_there", "other", "no_reason"),
)
"""What a reason can be: right, or wrong in one of five ways."""
VERDICTS: Final = (RIGHT, "wrong")
"""What it can be by the published rules."""

_UNTOLD: Final = Result(Status.NOT_JUDGED, why="it is not recorded what was withheld")


def reason_ballots(
    item: AskedItem, judged: Judged, votes: int, manner: Manner = _PLAINLY
) -> Sequence[Ballot]:
    """Ask the judge whether the reason names what was withheld, where anybody has said what was.

    By the published rules the judge has two choices, and four examples.
    """
    response = judged.response(WHY)
    name, choices = ("explanation-published", VERDICTS) if manner.published else ("explanation", KINDS)
    if not item.missing_words or response.outcome.instrument or response.outcome is Outcome.NOT_RUN:
        return ()
    if response.outcome is not Outcome.ANSWERED:
        # It takes no vote to be none.
        return (Ballot(WHY, (), choices, 0, declared=choices[-1]),)
    values = {
        "conversation": item.task.opening.text,
        "missing": item.missing_words,
        "reason": response.reply,
    }
    prompt = prompts()[name].fill(values)
    declared = _declared(item, response.declared)
    if declared not in ("", *choices):
        declared = choices[-1]
    return (Ballot(WHY, (prompt,), choices, votes, (response.reply,), declared),)


def _declared(item: AskedItem, said: Declared | None) -> str:
    """The kind that a built-in agent's reason declares to be; empty for every other agent.

    Nor is there one where nobody has said which part is missing, as in published removals.
    """
    if said is None or not item.missing:
        return ""
    if said.about("could_not") & item.missing:
        return RIGHT
    return "other" if said.acts else "no_reason"


def reason_result(
    item: AskedItem, judged: Judged, manner: Manner = _PLAINLY
) -> tuple[Result, dict[str, int]] | None:
    """Whether the reason names what was withheld, with its kind; None where the instrument failed.

    None is right on a complete item, where nothing was withheld. Votes that were cast under the other rules
    count as far as they say what is asked here: every kind but right is wrong, but wrong is no kind.
    """
    response, votes = judged.response(WHY), judged.votes.get(WHY)
    if response.outcome.instrument:
        return None
    if response.outcome is Outcome.NOT_RUN or item.gold == "complete":
        return NOT_APPLICABLE, {}
    if not item.missing_words:
        return _UNTOLD, {}
    if votes is None:
        return NOT_VOTED, {}
    if response.outcome is not Outcome.ANSWERED:
        why = f"the reply ended {response.outcome.value}"
        return Result.of(0, why=why), {f"why_{votes.choices[-1]}": 1}
    if manner.published:
        votes = replace(votes, cast=tuple("wrong" if one in KINDS[1:] else one for one in votes.cast))
    if votes.winner is None and VERDICTS[1] in votes.cast:
        return Result(Status.NOT_JUDGED, why="the published judge says no kind"), {}
    if votes.winner is None:
        return result_of(votes), {}
    return Result.of(votes.winner == RIGHT, by="judge", why=votes.winner), {f"why_{votes.winner}": 1}
