"""The referee at work: rules first, then votes of the role `grader` where the rules leave it open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from inspect_ai.model import ModelOutput

from knowact.engine.grading import grader_bound, poll
from knowact.people.judge import Votes
from knowact.people.referee import Case, Ruling, answered, closed, heard, is_open, noticed
from knowact.probes.refereeing import policy_ballots, ruling_of, words_ballot
from knowact.worlds.car.record import Trial, Word
from knowact.worlds.car.record import Votes as Judged

Spend = Callable[[ModelOutput], None]


@dataclass(slots=True)
class VotedReferee:
    """The referee of one conversation.

    Attributes:
        case: What it knows of the task.
        votes: How many votes are asked for.
        spend: Writes down each call of a model.
    """

    case: Case
    votes: int
    spend: Spend
    _split: bool = field(init=False, default=False)

    async def after_batch(self, trial: Trial) -> Sequence[Ruling]:
        """Notice what is settled now."""
        found = noticed(self.case, trial)
        return [found] if found else []

    async def after_words(self, trial: Trial) -> Sequence[Ruling]:
        """Rule on the agent's words; where the rules can't tell, let models vote."""
        found = [one for one in (noticed(self.case, trial), heard(self.case, trial)) if one is not None]
        if any(one.word is not Word.CONTINUE for one in found):
            return found
        if is_open(self.case, trial) and grader_bound():
            ballot = words_ballot(self.case, trial, self.votes)
            voted = await poll(ballot, self.spend)
            self._split |= voted.winner is None
            found.append(ruling_of(self.case, voted))
        return found

    def after_reply(self, trial: Trial) -> Sequence[Ruling]:
        """Notice what the driver has just settled."""
        found = answered(self.case, trial)
        return [found] if found else []

    async def at_the_end(self, trial: Trial) -> Sequence[Ruling]:
        """Rule on what was left unsaid."""
        found = closed(self.case, trial, voted=grader_bound())
        return [found] if found else []

    def undecided(self, trial: Trial) -> bool:
        """Whether a vote without a majority could have turned the trial, which nothing else has settled."""
        if not self._split or any(call.forbidden for call in trial.calls):
            return False
        settling = {Word.ACKNOWLEDGED, Word.DISAMBIGUATION}
        spoken = [one for one in trial.rulings if one.word in settling or one.finding == "claimed"]
        return not spoken


async def judge(trial: Trial, votes: int, spend: Spend) -> tuple[Judged, ...]:
    """Put the policies that apply to a trial to the vote; without a grader, none is.

    A vote that cannot be read stands with its reply's reason and counts for neither side.
    """
    if not grader_bound():
        return ()
    return tuple([_stored(b.name, await poll(b, spend)) for b in policy_ballots(trial, votes)])


def _stored(policy: str, votes: Votes) -> Judged:
    """Votes as records keep them. A tie, or too few that can be read, must not look like a majority."""
    readable = [(cast, why) for cast, why in zip(votes.cast, votes.why, strict=True) if cast in votes.choices]
    if votes.winner is None:
        return Judged(policy=policy, followed=(), why=tuple(why for _, why in readable))
    return Judged(
        policy=policy,
        followed=tuple(cast == votes.choices[0] for cast, _ in readable),
        why=tuple(why for _, why in readable),
    )
