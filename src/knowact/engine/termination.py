"""The termination judge at work: rulings on each message; at the end on policies and on the user."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ModelOutput

from knowact.core.declared import Declared
from knowact.core.votes import Vote, majority
from knowact.engine.grading import poll, rule
from knowact.engine.roles import JUDGE, players
from knowact.people.judge import Votes
from knowact.people.ruling import FAULT, ToRule, on_message
from knowact.people.termination import Case, Ruling, answered, closed, noticed, ruled, undecided
from knowact.probes.judging import before_last_words, policy_ballots
from knowact.worlds.car.record import Said, Trial
from knowact.worlds.car.record import Votes as Judged

Spend = Callable[[ModelOutput], None]


Hearing = tuple[Literal["judge", "declared"], list[Vote | None]]
"""Who ruled on a message, and how, vote by vote."""


@dataclass(frozen=True, slots=True)
class TerminationJudge:
    """What decides one conversation.

    Attributes:
        case: What is known of the task.
        votes: How many rulings are asked for on each message.
        key: Names the trial, for a file in the role.
        spend: Writes down each call of a model.
    """

    case: Case
    votes: int
    key: str
    spend: Spend

    async def hear(self, trial: Trial, declared: Declared | None) -> Hearing | None:
        """Have models rule on the agent's last words, or take what a built-in agent declares of them.

        Nobody rules on an empty message, nor where no judge is bound.
        """
        last = trial.events[-1]
        if not isinstance(last, Said) or not last.text.strip() or not self.case.parts:
            return None
        question = on_message(
            f"message-{last.step}",
            self.case.parts,
            before_last_words(trial),
            last.text,
            shuffle=self.case.shuffle,
            declared=declared,
        )
        votes = await rule(question, self.votes, self.key, self.spend)
        return None if votes is None else ("judge" if players(JUDGE) else "declared", votes)

    def after_batch(self, trial: Trial) -> Sequence[Ruling]:
        """Notice what calls have settled."""
        return _known(noticed(self.case, trial))

    def after_words(self, trial: Trial) -> Sequence[Ruling]:
        """Conclude from what was ruled on the agent's words."""
        return [*_known(noticed(self.case, trial)), *ruled(self.case, trial)]

    def after_reply(self, trial: Trial) -> Sequence[Ruling]:
        """Notice what the user has just told."""
        return _known(answered(self.case, trial))

    def at_the_end(self, trial: Trial) -> Sequence[Ruling]:
        """Conclude from what was left unsaid."""
        return _known(closed(self.case, trial))

    def undecided(self, trial: Trial) -> bool:
        """Whether votes without a majority could have turned the trial."""
        return undecided(self.case, trial)


def _known(ruling: Ruling | None) -> list[Ruling]:
    return [] if ruling is None else [ruling]


async def judge(trial: Trial, votes: int, key: str, spend: Spend) -> tuple[Judged, ...]:
    """Put the policies that apply to a trial to the vote; without a judge, none is.

    A vote that cannot be read stands with its reply's reason and counts for neither side.
    """
    cast = [(ballot.name, await poll(ballot, key, spend)) for ballot in policy_ballots(trial, votes)]
    return tuple(_stored(name, one) for name, one in cast if one is not None)


def _stored(policy: str, votes: Votes) -> Judged:
    """Votes as records keep them. A tie, or too few that can be read, must not look like a majority."""
    readable = [
        (cast, why, quote)
        for cast, why, quote in zip(votes.cast, votes.why, votes.quotes, strict=True)
        if cast in votes.choices
    ]
    return Judged(
        policy=policy,
        followed=() if votes.winner is None else tuple(cast == votes.choices[0] for cast, _, _ in readable),
        why=tuple(why for _, why, _ in readable),
        quotes=tuple(quote for _, _, quote in readable),
    )


@dataclass(frozen=True, slots=True)
class UserFaults:
    """What a judge found wrong with a simulated user.

    Attributes:
        names: Of the faults, each with the quotes of the votes that found it.
        split: Whether votes on some fault came to no majority.
    """

    names: Mapping[str, tuple[str, ...]]
    split: bool


async def rule_on_user(question: ToRule, votes: int, key: str, spend: Spend) -> UserFaults | None:
    """Have a judge rule on the lines of a simulated user; None where none is bound."""
    cast = await rule(question, votes, key, spend)
    if cast is None:
        return None
    said = {part.id: majority(cast, FAULT, part.id) for part in question.form.parts}
    found = {
        name: tuple(vote[name][FAULT] for vote in cast if vote and FAULT in vote.get(name, {}))
        for name, is_so in said.items()
        if is_so
    }
    return UserFaults(found, None in said.values())
