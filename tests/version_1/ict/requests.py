"""Requests for given tools: drawn, carried out, worded with marks and proven."""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from knowact.core.task import Boundary, Step
from knowact.core.tool import Dimension
from knowact.retrieval.duplicates import similarity
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1.compose import Book, Composed, NoWords
from version_1.fail_talms.marked import marked
from version_1.fail_talms.pairs import Pair, variants
from version_1.fail_talms.recipe import Base
from version_1.freeze import NoFact, frozen
from version_1.links import links, searchable, takes
from version_1.links import rivals as rivals_by_formula
from version_1.parts import Part, Sketch, Source, carried_out
from version_1.proofs import BY_NAME, leak, unproven
from version_1.sample import joint
from version_1.words import Register, phrasings

GENERATOR: Final = "knowact forge ict 1"
TONES: Final[Mapping[Register, float]] = {"terse": 0.2, "chatty": 0.36, "formal": 0.24, "story": 0.2}
MOST_FACTS: Final = 5
LONGEST: Final = 90
"""Words in a request: longer ones read like a form."""
_WORLD: Final = frozenset({Dimension.INTERACTION, Dimension.TEMPORALITY, Dimension.PRIVACY})
_GIVES_NO_FACT: Final = frozenset({"get_note"})
"""Notes have several lines, which an answer can put in many ways."""
_ALIKE: Final = 0.75
"""Requests for the same tools with a similarity above this are one too many."""
_NEAREST: Final = 12
"""Of the tools that could come earlier in a dialogue, so many go well enough with the needed ones."""


@lru_cache(maxsize=1)
def needed() -> tuple[str, ...]:
    """Return the tools that a request can need: those with words for calls that no model can do alone."""
    return tuple(
        tool for tool in phrasings() if variants(tool, Boundary.EXTERNAL) and tool not in _GIVES_NO_FACT
    )


@lru_cache(maxsize=1)
def worldly() -> tuple[str, ...]:
    """Return those of them that find out or change something in the world.

    What the others do a model can attempt alone, however long the numbers are: without them a request is
    harder, but nobody would call it impossible.
    """
    return tuple(tool for tool in needed() if _fires(tool) & _WORLD)


@cache
def rivals(one: str, other: str) -> bool:
    """Whether one of two tools can do the other's job in a way that the proofs don't see.

    By a formula; by reading the same of the user's documents, word by word; or by asking day after day.
    """
    alike = searchable(one, other) or rivals_by_formula(one, other)
    return alike or bool(_documents(one) & _documents(other))


def _documents(tool: str) -> frozenset[object]:
    """The kinds of the user's documents that a tool can work on, beside pasted texts."""
    kinds = OPERATIONS[tool].tool.properties.get("source", {}).get("enum", [])
    return frozenset(kinds) - {"text"}


def any_rivals(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether any tool of the one kind is a rival of any of the other."""
    return any(rivals(one, other) for one in some for other in others)


def _fires(tool: str) -> set[Dimension]:
    rubric = OPERATIONS[tool].tool.rubric
    return set(rubric.fires) if rubric else set()


def about_the_world(step: Step) -> bool:
    """Whether a call finds out or changes something in the world, and does not merely work on a long text."""
    if not _fires(step.tool) & _WORLD:
        return False
    return OPERATIONS[step.tool].within is None or step.call_arguments.get("source", "text") != "text"


class Requests:
    """Makes requests; words and tools that were used less come rather.

    Args:
        seed: The world's.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.used: Counter[str] = Counter()
        self.earlier: Counter[str] = Counter()
        """How often a tool was drawn for something earlier in a dialogue."""
        self.refused: Counter[str] = Counter()
        self._book = Book()
        self._texts: defaultdict[frozenset[str], list[str]] = defaultdict(list)

    def plain(self, tools: Sequence[str], rng: random.Random) -> tuple[Sketch, ...]:
        """Sketch calls side by side."""
        return tuple(self._sketch(tool, rng) for tool in tools)

    def chained(self, tools: Sequence[str], rng: random.Random) -> tuple[Sketch, ...] | None:
        """Sketch two calls of which the first feeds the second; None where the tools can't."""
        giver, taker = tools
        found = [
            (link, fed)
            for link in links()
            if (link.giver, link.taker) == (giver, taker)
            and (fed := [one for one in variants(taker, Boundary.EXTERNAL) if takes(one, link.parameter)])
        ]
        if not found:
            return None
        link, fed = rng.choice(found)
        source = {link.parameter: Source(0, link.field)}
        return self._sketch(giver, rng), Sketch(taker, phrasings()[taker], rng.choice(fed), source)

    def _sketch(self, tool: str, rng: random.Random) -> Sketch:
        return Sketch(tool, phrasings()[tool], rng.choice(variants(tool, Boundary.EXTERNAL)))

    def make(
        self, sketches: Sequence[Sketch], tone: Register, rng: random.Random, offered: Sequence[str]
    ) -> Base | None:
        """Make one request and prove that it can be served with the offered tools, and how.

        Args:
            sketches: The plan.
            tone: The register.
            rng: For every choice.
            offered: All tools, those of the plan included.

        Returns:
            None where the draw led nowhere.
        """
        base = self.said(sketches, tone, rng)
        if base is None:
            return None
        order = list(offered)
        rng.shuffle(order)
        task = base.task.model_copy(update={"offered": tuple(order)})
        complaint = unproven(task, self.seed)
        return self._refuse(complaint) if complaint else replace(base, task=task)

    def said(self, sketches: Sequence[Sketch], tone: Register, rng: random.Random) -> Base | None:
        """Carry a plan out and put it into words that no request for the same tools has had, unproven."""
        parts = carried_out(sketches, rng, self.seed)
        if parts is None:
            return self._refuse("no plan")
        try:
            text = marked(parts, tone, rng, self._book)
            if complaint := self._unwelcome(text.composed, parts):
                return self._refuse(complaint)
            provenance = {"generator": GENERATOR, "seed": self.seed, "register": tone}
            task = frozen(parts, text.composed, "request", {**provenance}, rng)
        except (NoWords, NoFact) as error:
            return self._refuse(type(error).__name__)
        # A lone tool makes a pair with itself.
        pair = Pair(parts[0].tool, parts[-1].tool, alone=False)
        return Base(task, OPERATIONS[parts[0].tool].tool.category, pair, parts, text, ())

    def _unwelcome(self, composed: Composed, parts: Sequence[Part]) -> str:
        """Say what is wrong with a wording; "" if nothing is."""
        if sum(len(wants) for wants in composed.wants) > MOST_FACTS:
            return "too many questions"
        if len(composed.text.split()) > LONGEST:
            return "too long"
        known = self._texts[frozenset(part.tool for part in parts)]
        if any(similarity(composed.text, other) > _ALIKE for other in known):
            return "said before"
        return leak(composed.text)

    def _refuse(self, why: str) -> None:
        self.refused[why] += 1

    def note(self, base: Base) -> None:
        """Remember that a request was taken."""
        tools = [part.tool for part in base.parts]
        self.used.update(tools)
        self._book.used.update(base.marked.composed.phrasings)
        self._texts[frozenset(tools)].append(base.marked.composed.text)

    def rarely(self, tools: Sequence[str], rng: random.Random, weights: Sequence[float] | None = None) -> str:
        """Draw a tool, seldom-used ones rather; weights say what matters besides."""
        extra = weights or [1.0] * len(tools)
        rare = [weight / (1 + self.used[tool]) ** 2 for tool, weight in zip(tools, extra, strict=True)]
        return rng.choices(tools, rare)[0]

    def going_with(self, tools: Sequence[str], rng: random.Random) -> str | None:
        """Draw a tool for an earlier question: one that only looks, is near in subject, and no rival."""
        fitting = [
            tool
            for tool in needed()
            if not OPERATIONS[tool].writes and tool not in tools and not any_rivals([tool], tools)
        ]
        fitting.sort(key=lambda tool: (-joint([tool, *tools]), tool))
        near = fitting[:_NEAREST]
        if not near:
            return None
        found = rng.choices(near, [1 / (1 + self.earlier[tool]) for tool in near])[0]
        self.earlier[found] += 1
        return found


def tone_of(rng: random.Random) -> Register:
    """Draw a register."""
    return rng.choices(list(TONES), list(TONES.values()))[0]


def bystanders(
    tools: Sequence[str], count: int, alike: Mapping[str, Sequence[str]], rng: random.Random
) -> tuple[str, ...]:
    """Draw tools that are offered besides: every other one is like one that is needed, the rest are any.

    Args:
        tools: Those that the requests need, in whatever version; no bystander is a rival of one.
        count: How many.
        alike: For each tool, the others, most alike first.
        rng: For every choice.
    """
    free = [name for name in BY_NAME if name not in tools and not any_rivals([name], tools)]
    near = [name for tool in tools for name in alike[tool][:_NEAREST] if name in free]
    found: list[str] = []
    while len(found) < count:
        pool = near if near and len(found) % 2 == 0 else free
        name = rng.choice(pool)
        found.append(name)
        near = [one for one in near if one != name]
        free = [one for one in free if one != name]
    return tuple(found)
