"""Choices: does the agent know whether a request takes a call, a question, a no, or an answer?"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

from knowact import authoring as ka

Move = Literal["call", "ask", "decline", "answer"]
MOVES: tuple[Move, ...] = get_args(Move)


class Request(ka.Row):
    """A line of the data: a request, the tools at hand, a reply for each move, and the right move."""

    topic: str
    text: str
    tools: Mapping[str, str]
    replies: Mapping[Move, str]
    right: Move


def item_of(one: Request) -> ka.Item:
    """What the agent is asked. The replies are the options of the one fact, in the order of the moves."""
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    tools = [ka.Tool(name=name, description=text, parameters=schema) for name, text in one.tools.items()]
    options = tuple(one.replies[move] for move in MOVES)
    task = ka.Task(
        id=one.id,
        opening=ka.Query(text=one.text),
        world=ka.WorldRef(name="replay"),
        offered=tuple(one.tools),
        plan=(),
        facts=(ka.Fact(kind="choice", value=one.replies[one.right], options=options, label="what to do"),),
        topology=ka.Topology.SINGLE_HOP,
        cluster=one.topic,
    )
    return ka.Item(task, ka.CLEAN, tuple(tools), {"right move": one.right})


class ChoiceOptions(ka.Options):
    """What a run can be asked for."""

    data: str = "moves@1-A"
    """A shipped data set, or a folder with items.jsonl."""


PROMPT = ka.load_prompt("knowact_choices", "choose")
SEED = 26  # under this one, each letter is right five times


def lettered(item: ka.Item) -> dict[str, Move]:
    """Letter to move. The order is shuffled, and always the same for one item."""
    order = list(MOVES)
    ka.generator(SEED, item.id).shuffle(order)
    return dict(zip("ABCD", order, strict=True))


def ask(item: ka.Item, _context: Mapping[str, str]) -> Sequence[ka.Message]:
    """The one message that the agent gets."""
    said = dict(zip(MOVES, item.task.facts[0].options, strict=True))
    values = {
        "request": item.task.opening.text,
        "tools": "\n".join(f"- {tool.name}: {tool.description}" for tool in item.tools) or "(none)",
        "replies": "\n".join(f"{letter}. {said[move]}" for letter, move in lettered(item).items()),
    }
    return (ka.Message("user", PROMPT.fill(values)),)


FIXED = {"always-no": "decline", "always-ask": "ask", "shy": "answer", "fabricator": "answer"}


def reply(agent: str, item: ka.Item, rng: Random) -> str:
    """What a built-in agent replies; those that are not named here call whatever they can."""
    letters: dict[str, str] = {move: letter for letter, move in lettered(item).items()}
    if agent == "random":
        return rng.choice("ABCD")
    if agent == "always-idk":
        return "I don't know."
    if agent == "oracle":
        return letters[item.labels["right move"]]
    return letters[FIXED.get(agent, "call" if item.tools else "answer")]


class Choices(ka.Suite[ChoiceOptions, ka.Item]):
    """Call, ask, decline or answer: the agent picks one of four replies."""

    name = "choices"
    title = "Choices: call, ask, decline or answer"
    question = "Does the agent know which of four moves a request takes?"
    Options = ChoiceOptions
    measures = ("right", *MOVES)
    compared = ("right",)
    compared_by = "right move"
    roles = ()
    terms = {"right": ka.Term("The share of requests for which it chose the right move.", better="higher")}

    def datasets(self) -> Sequence[ka.Dataset]:
        """What the package ships."""
        return ka.shipped(Path(__file__).parent / "data")

    def items(self, options: ChoiceOptions) -> ka.Plan:
        """The items of a run, each asked once."""
        data = ka.chosen_rows(self, Request, options)
        return self.planned(data.info, [item_of(row) for row in data.rows], options)

    def probes(self, item: ka.Item, options: ChoiceOptions) -> Sequence[ka.Probe]:
        """One question of its own, in a single message."""
        return (ka.Probe("choose", ka.Question.OWN, rounds=1, execute=False, opening=ask, replies=reply),)

    def score(self, item: ka.Item, trial: ka.Judged, options: ChoiceOptions) -> ka.Record:
        """Score a trial. A reply that is not one letter is unreadable, and wrong."""
        response = trial.response("choose")
        found = re.fullmatch(r"\W*([A-D])\W*", response.reply) if response.readable else None
        outcome = ka.Outcome.UNREADABLE if response.readable and not found else response.outcome
        chosen = lettered(item)[found[1]] if found else ""
        results = {move: ka.Result.of(move == chosen) for move in MOVES}
        results |= {"right": ka.Result.of(chosen == item.labels["right move"])}
        return item.record(trial.epoch, {"choose": outcome}, {} if outcome.instrument else results)

    def prompts(self, options: ChoiceOptions) -> Sequence[ka.Prompt]:
        """The question; its hash goes into the log."""
        return (PROMPT,)

    def tables(self, runs: Sequence[ka.Run]) -> Sequence[ka.Table]:
        """How often each move was chosen, by the move that is right."""
        names = {"right": "right", **{move: f"chose {move}" for move in MOVES}}
        return (ka.means_table(runs, names, by="right move"),)

    def summary_lines(self, run: ka.Run) -> Sequence[str]:
        """The result of a run in words."""
        right = ka.mean_estimate(run.records, "right", seed=0).value or 0.0
        return [f"It chose the right move for {right:.0%} of the requests."]


SUITE = Choices()
