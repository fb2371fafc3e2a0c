"""Judge and extractor at work on a conversation: on the agent's messages, on policies, and on users."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import JsonValue

from knowact.core.conversation import FilledForm, PolicyVotes, Said, Trial
from knowact.core.declared import Declared
from knowact.core.votes import Vote, majority
from knowact.engine.grading import extract, poll, rule
from knowact.engine.roles import JUDGE, players
from knowact.engine.usage import Spend
from knowact.reading.answer_form import AnswerForm
from knowact.roles.extractor import Reading
from knowact.roles.judge import Ballot, Votes
from knowact.roles.ruling import FAULT, ToRule, on_message
from knowact.roles.termination import TerminationRules

UtteranceVotes = tuple[Literal["judge", "declared"], list[Vote | None]]
"""Who ruled on a message, and how, vote by vote."""


@dataclass(frozen=True, slots=True)
class TerminationJudge:
    """Who says of one conversation what the agent's messages do.

    Attributes:
        rules: What follows from it.
        votes: How many rulings are asked for on each message.
        key: Names the trial, for a file in the role.
        spend: Writes down each call of a model.
    """

    rules: TerminationRules
    votes: int
    key: str
    spend: Spend

    async def parse(self, trial: Trial, declared: Declared | None) -> UtteranceVotes | None:
        """Have models rule on the agent's last words, or take what a built-in agent declares of them.

        Nobody rules on an empty message, nor where no judge is bound.
        """
        last = trial.events[-1]
        if not isinstance(last, Said) or not last.text.strip() or not self.rules.parts:
            return None
        question = on_message(
            f"message-{last.step}",
            self.rules.parts,
            self.rules.before(trial),
            last.text,
            shuffle=self.rules.shuffle,
            declared=declared,
        )
        votes = await rule(question, self.votes, self.key, self.spend)
        return None if votes is None else ("judge" if players(JUDGE) else "declared", votes)


async def votes_on(ballots: Iterable[Ballot], key: str, spend: Spend) -> tuple[PolicyVotes, ...]:
    """Put the policies that apply to a trial to the vote; without a judge, none is.

    A vote that cannot be read stands with its reply's reason and counts for neither side.
    """
    cast = [(ballot.name, await poll(ballot, key, spend)) for ballot in ballots]
    return tuple(_stored(name, one) for name, one in cast if one is not None)


def _stored(policy: str, votes: Votes) -> PolicyVotes:
    """Votes as records keep them. A tie, or too few that can be read, must not look like a majority."""
    readable = [
        (cast, why, quote)
        for cast, why, quote in zip(votes.cast, votes.why, votes.quotes, strict=True)
        if cast in votes.choices
    ]
    return PolicyVotes(
        policy=policy,
        followed=() if votes.winner is None else tuple(cast == votes.choices[0] for cast, _, _ in readable),
        why=tuple(why for _, why, _ in readable),
        quotes=tuple(quote for _, _, quote in readable),
    )


@dataclass(frozen=True, slots=True)
class FoundFaults:
    """What a judge found wrong with a simulated user.

    Attributes:
        faults: Their names, each with the quote of the first vote that found it.
        split: Whether votes on some fault came to no majority.
    """

    faults: Sequence[tuple[str, str]]
    split: bool


def found_faults(question: ToRule, cast: Sequence[Vote | None]) -> FoundFaults:
    """What votes on the lines of a simulated user come to."""
    said = {part.id: majority(cast, FAULT, part.id) for part in question.form.parts}
    quotes = {
        name: [vote[name][FAULT] for vote in cast if vote and FAULT in vote.get(name, {})] for name in said
    }
    found = [(name, next(iter(quotes[name]), "")) for name, is_so in said.items() if is_so]
    return FoundFaults(found, None in said.values())


async def extracted(
    form: AnswerForm, trial: Trial, declared: Mapping[int, Declared] | None, key: str, spend: Spend
) -> tuple[FilledForm, ...]:
    """Have an extractor read each message of the agent; none where none is bound.

    It sees what the user had said by then, and the message: neither calls nor results.

    Args:
        form: What each message is read into.
        trial: The conversation, over.
        declared: By the step of a message, what a built-in agent declares of it; None for every other agent.
        key: Names the trial, for a file in the role.
        spend: Writes down each call of a model.
    """
    found: list[FilledForm] = []
    request: list[str] = []
    for event in trial.events:
        if not isinstance(event, Said) or not event.text.strip():
            continue
        if event.role == "user":
            request.append(event.text)
            continue
        own = None if declared is None else declared.get(event.step, Declared())
        wanted = Reading(f"message-{event.step}", form, "\n\n".join(request), event.text, own)
        read = await extract(wanted, f"{key}/extraction/{event.step}", spend=spend)
        if read is None:
            return ()
        found.append(FilledForm(step=event.step, by=read.by, filled=cast("JsonValue", read.filled)))
    return tuple(found)
