"""What an extractor and a judge are asked about one trial. Pure; the calls are the engine's."""

from collections.abc import Iterator, Mapping, Sequence

from knowact.core.declared import Declared
from knowact.core.record import Outcome
from knowact.probes.response import Response, calls_in_words
from knowact.roles.extractor import Reading
from knowact.roles.judge import Ballot, reference_of
from knowact.suites.fail_talms.answers import FITS, REASON_OF, Fit, read_answer
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS, AskedItem
from knowact.suites.fail_talms.probes import prompts, request_of
from knowact.suites.fail_talms.scoring import BALLOT, NOT_RUN, VERSUS

LONGEST_RESULT = {"definition": 2_000, "published": 127_000}
"""Characters of one call's result that the judge reads, by rule set: enough to check an answer by, and where
the published pipelines cut replies."""

_COMPARE = {"definition": "compare", "published": "compare-published"}


def readings(item: AskedItem, responses: Mapping[str, Response], rules: str) -> Sequence[Reading]:
    """The final reply with its form; nothing where there are no facts, or by the published rules.

    A trial that was given up or came to no answer has no words: its form stays empty, and that there is one
    says that somebody reads.
    """
    acted = responses.get(ACT, NOT_RUN)
    if not item.task.facts or rules == "published" or not acted.probe or acted.outcome.instrument:
        return ()
    words = acted.words if acted.outcome is Outcome.ANSWERED else ""
    declared = next((one.declared for one in responses.values() if one.declared is not None), None)
    return (Reading(ACT, item.form, request_of(item), words, acted.declared or declared),)


def ballots(item: AskedItem, responses: Mapping[str, Response], votes: int, rules: str) -> Sequence[Ballot]:
    """Whether reasons fit; whether the answer passes; and which of two answers is better.

    The published runs judged no reasons, and their grader saw no reference.
    """
    reasons = () if rules == "published" else _reasons(item, responses, votes)
    return (*reasons, *_passes(item, responses, votes, rules))


def comparing_votes(votes: int, rules: str) -> int:
    """How many votes compare two answers.

    One more than an odd number, so that each answer stands first as often as the other; the published
    comparison shows them in one order.
    """
    return votes if rules == "published" else votes + votes % 2


def _reasons(item: AskedItem, responses: Mapping[str, Response], votes: int) -> Iterator[Ballot]:
    words = {part.id: part.words for part in item.parts}
    missing = "\n".join(f"- {words.get(one, one)}" for one in sorted(item.missing))
    for question in (TOOLS, INFORMATION):
        response = responses.get(question, NOT_RUN)
        if read_answer(item, question, response).reasoned:
            values = {"request": request_of(item), "missing": missing, "answer": response.reply}
            prompt = prompts()["judge-reason"].fill(values)
            declared = "" if response.declared is None else _declared_fit(item, response.declared)
            told = (response.reply,)
            yield Ballot(REASON_OF[question], (prompt,), FITS, votes, told=told, declared=declared)


def _declared_fit(item: AskedItem, declared: Declared) -> Fit:
    """How well the reason of a built-in agent fits, by what it declares."""
    about = declared.about("could_not") - {""}
    if not about:
        return "none"
    return "fits" if about & item.missing else "wrong"


def _passes(item: AskedItem, responses: Mapping[str, Response], votes: int, rules: str) -> Iterator[Ballot]:
    acted = responses.get(ACT, NOT_RUN)
    if not acted.probe or acted.outcome.instrument:
        return
    if acted.outcome is not Outcome.ANSWERED:  # it takes no vote to have failed
        yield Ballot(BALLOT[rules, ACT], (), votes=0)
        if WITH_TOOLS in responses:
            yield Ballot(BALLOT[rules, WITH_TOOLS], (), VERSUS, votes=0)
        return
    if item.task.replay_gap and item.tools:
        return
    calls = calls_in_words(acted.calls, LONGEST_RESULT[rules])
    values = {"request": request_of(item), "calls": calls, "answer": acted.reply}
    if rules == "published":
        prompt = prompts()["judge-published"].fill(values)
    elif item.task.facts:
        prompt = prompts()["judge"].fill({**values, "reference": reference_of(item.task)})
    else:
        prompt = prompts()["judge-open"].fill(values)
    yield Ballot(BALLOT[rules, ACT], (prompt,), votes=votes, told=(acted.reply,))
    full = responses.get(WITH_TOOLS)
    if full is not None and full.outcome is Outcome.ANSWERED:
        shown = _either_way(item, acted.reply, full.reply, rules)
        told = (acted.reply, full.reply)
        yield Ballot(BALLOT[rules, WITH_TOOLS], shown, VERSUS, comparing_votes(votes, rules), told=told)


def _either_way(item: AskedItem, alone: str, with_tools: str, rules: str) -> tuple[str, ...]:
    """The comparison in both orders, so that being first is no advantage; in the published one as there."""
    texts = {"K": alone, "M": with_tools}
    both = (("K", "M"),) if rules == "published" else (("K", "M"), ("M", "K"))
    return tuple(
        prompts()[_COMPARE[rules]].fill(
            {
                "request": request_of(item),
                "first": first,
                "first_text": texts[first],
                "second": second,
                "second_text": texts[second],
            }
        )
        for first, second in both
    )
