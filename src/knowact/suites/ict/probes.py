"""The probes: can this be handled (five strategies), why not, simply go on, and after a call's outcome.

Nothing is ever carried out. The prompts are our own words for what the
paper describes; ids, versions and hashes go into the log.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, cast

from knowact.core.errors import BadUsage
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.seeds import generator
from knowact.core.suite import Item
from knowact.core.task import PastCall
from knowact.probes.probe import (
    Asking,
    Message,
    Probe,
    Question,
    context_as_text,
    opening_messages,
    tools_as_text,
)
from knowact.probes.strategies import ACKNOWLEDGE, NONE, VERIFY
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, FIRST, IMPLICIT, WHY, AskedItem

ZERO: Final = "zero-shot"
FOUR: Final = "four-shot"
COT: Final = "chain-of-thought"
SV: Final = VERIFY
SELF: Final = "self-verification"
STRATEGIES: Final = (ZERO, FOUR, COT, SV, SELF)
"""Of the explicit question."""


def of_acting(options: Mapping[str, object]) -> str:
    """The strategy of the implicit probe; the paper's strategies change the explicit question alone."""
    both = options["strategy"] == SV and options["rules"] != "published"
    return str(options["strategy"]) if both or options["strategy"] == ACKNOWLEDGE else NONE


def of_the_question(strategy: str) -> str:
    """The strategy of the explicit question: that of `none` and `acknowledge-limits` is the usual one."""
    return ZERO if strategy in {NONE, ACKNOWLEDGE} else strategy


_NAMES: Final = (
    *(ZERO, COT, SV, SELF, "structured-question", "assistant", "checker", "why"),
    *("feedback", "feedback-published", "classify", "explanation", "explanation-published"),
)

Shots = Callable[[AskedItem], Sequence[AskedItem]]
"""The examples of an item: two complete and two incomplete ones, never of its own pair or task."""


@cache
def prompts() -> Mapping[str, Prompt]:
    """All prompts of the suite, by file name."""
    return {name: load_prompt("knowact.suites.ict", name) for name in _NAMES}


def _system(name: str, context: Mapping[str, str]) -> Message:
    return Message("system", prompts()[name].fill({"context": context_as_text(context)}).strip())


def _question(name: str, item: Item) -> str:
    values = {"tools": tools_as_text(item.tools), "conversation": item.task.opening.text}
    return prompts()[name].fill(values)


def explicit(strategy: str, shots: Shots, *, plain: bool) -> Probe:
    """Ask whether the tools and the information suffice: one reply, nothing registered.

    Under self-verification that is the first answer; `check` asks for the one that counts.

    Args:
        strategy: One of `STRATEGIES`.
        shots: For the four-shot strategy.
        plain: Ask in one message without roles, for models that only go on with a text.
    """
    asking = _plain(strategy, shots) if plain else _chat(strategy, shots)
    name = FIRST if strategy == SELF else EXPLICIT
    return Probe(name, Question.PROCEED, rounds=1, execute=False, opening=asking)


def check() -> Probe:
    """Ask to check a first answer in the same chat; what is said then is the explicit answer."""

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:  # noqa: ARG001 - as all probes
        return (Message("user", prompts()[SELF].fill({}).strip()),)

    return Probe(EXPLICIT, Question.PROCEED, rounds=1, execute=False, opening=opening, follows=(FIRST,))


def _chat(strategy: str, shots: Shots) -> Asking:
    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        assert isinstance(item, AskedItem)
        if strategy == SV:
            shown = context_as_text(context)
            system = Message("system", f"{prompts()[SV].fill({}).strip()}\n\n{shown}".strip())
            return (system, Message("user", _question("structured-question", item)))
        name = COT if strategy == COT else ZERO
        earlier: list[Message] = []
        for one in shots(item) if strategy == FOUR else ():
            answer = "Yes" if one.gold == "complete" else "No"
            earlier += [Message("user", _question(ZERO, one)), Message("assistant", answer)]
        return (_system("checker", context), *earlier, Message("user", _question(name, item)))

    return opening


def _plain(strategy: str, shots: Shots) -> Asking:
    """The same as one text that ends where the answer begins."""
    chat = _chat(strategy, shots)

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        parts = [
            f"Answer: {one.text}" if one.role == "assistant" else one.text for one in chat(item, context)
        ]
        outcome = "" if strategy in (COT, SV) else "\n\nAnswer:"
        return (Message("user", "\n\n".join(parts) + outcome),)

    return opening


def why() -> Probe:
    """After a "no": why? The same conversation goes on."""

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:  # noqa: ARG001 - as all probes
        return (Message("user", prompts()["why"].fill({}).strip()),)

    return Probe(WHY, Question.WHY, rounds=1, execute=False, opening=opening, follows=(EXPLICIT,))


def implicit() -> Probe:
    """Let the agent go on with the dialogue, tools registered; one reply, nothing carried out."""

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        return (_system("assistant", context), *opening_messages(item.task.opening))

    return Probe(
        IMPLICIT, Question.CONTINUE, rounds=1, execute=False, opening=opening, registers=True, keep_calls=True
    )


def feedback(*, published: bool) -> Probe:
    """After a call and its outcome: did the conversation give all the information that the call takes?

    By the published rules: does the information suffice for what the user asks?
    """
    name = "feedback-published" if published else FEEDBACK

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        assert isinstance(item, AskedItem)
        assert item.outcome is not None, "only items with an outcome are asked about it"
        called: tuple[PastCall, ...] = (item.outcome,)
        return (
            _system("assistant", context),
            *opening_messages(item.task.opening),
            Message("assistant", "", called),
            Message("user", prompts()[name].fill({"tools": tools_as_text(item.tools)}).strip()),
        )

    return Probe(FEEDBACK, Question.PROCEED, rounds=1, execute=False, opening=opening)


EACH: Final = 2
"""Examples of each class."""
TASKS: Final = 2 * EACH + 1
"""Tasks that a part needs: one for each example, and one that is evaluated."""


class Examples:
    """What examples are drawn from.

    Args:
        pool: Items of the data, both versions of each pair; partly possible ones are passed over.
        seed: The run's.
    """

    def __init__(self, pool: Sequence[Item], seed: int) -> None:
        self._seed = seed
        self._by_part: dict[tuple[str, bool], list[AskedItem]] = {}
        for item in cast("Sequence[AskedItem]", pool):
            if item.gold != "partly":
                self._by_part.setdefault((item.labels["part"], not item.lacks), []).append(item)

    def require(self, items: Sequence[Item]) -> None:
        """Make sure that each of the items can have its examples.

        Raises:
            BadUsage: A part has too few tasks.
        """
        for part in dict.fromkeys(item.labels["part"] for item in items):
            for complete in (True, False):
                tasks = {one.task.cluster for one in self._by_part.get((part, complete), ())}
                if len(tasks) < TASKS:
                    raise BadUsage(
                        f"Four-shot takes {TASKS} different tasks of {part}, and the data have {len(tasks)}; "
                        f"choose another --strategy, or leave that part out."
                    )

    def of(self, item: AskedItem) -> list[AskedItem]:
        """Draw the examples of an item; the same for equal seed and item, in an order that says nothing."""
        rng = generator(self._seed, "shots", item.id)
        taken = {item.task.cluster}
        chosen: list[AskedItem] = []
        for complete in (True, False):
            found = 0
            pool = self._by_part.get((item.labels["part"], complete), [])
            for one in rng.sample(pool, len(pool)):
                if found == EACH:
                    break
                if one.task.cluster not in taken and one.pair != item.pair:
                    taken.add(one.task.cluster)
                    chosen.append(one)
                    found += 1
        rng.shuffle(chosen)
        return chosen
