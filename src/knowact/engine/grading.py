"""Asking a model judge: votes and rulings of the role `judge`, where one is bound."""

from inspect_ai.util import span

from knowact.core.votes import Vote
from knowact.engine.extracting import Spend, fill, unwritten
from knowact.engine.outputs import limit_of
from knowact.engine.roles import JUDGE, keyed, players, role_reply
from knowact.people.judge import UNREADABLE, VOTE_LIMITS, Ballot, Votes, read_member, read_vote
from knowact.people.ruling import ToRule, as_vote
from knowact.reading.json_text import last_object


async def poll(ballot: Ballot, key: str = "", spend: Spend = unwritten) -> Votes | None:
    """Ask the judge for its votes; several bound models take turns.

    Without a judge, a built-in agent's own declaration is the one vote; for every other agent nobody votes.

    Args:
        ballot: The question.
        key: What it is about, for a file in the role; the number of the vote is added.
        spend: Writes down each call, for records that tell apart who spent what.
    """
    judges = players(JUDGE)
    if not judges:
        return Votes(ballot.choices, (ballot.declared,)) if ballot.declared else None
    cast: list[str] = []
    why: list[str] = []
    quotes: list[str] = []
    async with span("judging"):
        for number in range(ballot.votes):
            # Every model sees every prompt: prompts change with each vote, models after a round of prompts.
            model = judges[number // len(ballot.prompts) % len(judges)]
            prompt = ballot.prompts[number % len(ballot.prompts)]
            with keyed(f"{key}/{ballot.name}/{number + 1}"):
                output = await role_reply(model, prompt)
            spend(output)
            cast.append(read_vote(output.completion, ballot.choices, ballot.told))
            limit = VOTE_LIMITS.get(limit_of(output), "") if cast[-1] == UNREADABLE else ""
            why.append(limit or read_member(output.completion, "why"))
            quotes.append(read_member(output.completion, "quote"))
    return Votes(ballot.choices, tuple(cast), tuple(why), tuple(quotes))


async def rule(question: ToRule, votes: int, key: str, spend: Spend = unwritten) -> list[Vote | None] | None:
    """Ask the judge for rulings on words, each a form of its own; several bound models take turns.

    Without a judge, what a built-in agent declares of its words is the one ruling; for every other agent
    nobody rules.

    Args:
        question: The words and the form.
        votes: How many rulings are asked for.
        key: What it is about, for a file in the role; name and number of the vote are added.
        spend: Writes down each call.

    Returns:
        The votes; None among them for a form that stayed invalid.
    """
    form, judges = question.form, players(JUDGE)
    if not judges:
        declared = question.declared
        return None if declared is None else [as_vote(form.score(question.said, form.declared(declared)))]
    theirs = last_object(question.said)
    cast: list[Vote | None] = []
    async with span("judging"):
        for number in range(votes):
            with keyed(f"{key}/{question.name}/{number + 1}"):
                model = judges[number % len(judges)]
                results, filled, _ = await fill(model, form, question.text, question.said, spend)
            # Who is judged may have written a form for the judge to copy.
            cast.append(None if filled and filled == theirs else as_vote(results))
    return cast
