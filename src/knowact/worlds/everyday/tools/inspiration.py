"""Inspiration: what is printed for the day, and the small change of the English language."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import sources_inspiration as sources
from knowact.worlds.everyday.contract import (
    always,
    near,
    never,
    person_can,
    person_cannot,
    refuse,
    tool,
)
from knowact.worlds.everyday.fields import Day
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

_WORD: Final = Rules(max_length=60)
_DAILY: Final = always(Dimension.TEMPORALITY, why="It is printed afresh for every day.")
_DAYS_AHEAD: Final = 30
CalendarTongue = Literal["french", "german", "spanish", "italian", "dutch"]


def _ahead(state: State, date: str, what: str) -> dt.date:
    """Return a day for which things are printed already; others are refused."""
    day = dt.date.fromisoformat(date)
    last = state.today + dt.timedelta(days=_DAYS_AHEAD)
    if not state.today <= day <= last:
        fix = f"Ask for a day from {state.today.isoformat()} to {last.isoformat()}."
        refuse("not_found", f"There is no {what} for {date}.", fix)
    return day


class Quotation(TypedDict):
    """The quotation of today's issue.

    Attributes:
        newsletter: The newsletter.
        quote: The quotation.
        said_by: Whom the newsletter gives as its author.
    """

    newsletter: Annotated[str, ECHO]
    quote: Annotated[str, Attribute("newsletter.quote", is_a="passage.value")]
    said_by: Annotated[str, Attribute("newsletter.quoted", is_a="text.value")]


@tool(
    category="Inspiration",
    server="inspiration",
    about=("newsletter",),
    rubric=_DAILY,
    scenario="Somebody looks for a sentence to open a meeting or a letter with, from a newsletter they like.",
    human=person_cannot("Whoever is asked has not read today's issue."),
)
def get_quote_of_the_day(
    state: State, newsletter: Annotated[str, Attribute("newsletter.name"), _WORD]
) -> Quotation:
    """Give the quotation in today's issue of a newsletter, and whom it is by.

    Args:
        newsletter: The newsletter's name, such as "The Morning Lantern".
    """
    if newsletter not in sources.NEWSLETTERS:
        fix = near(newsletter, sources.NEWSLETTERS)
        refuse("not_found", f"There is no newsletter {newsletter!r}.", fix)
    found = sources.quote_of(state.seed, newsletter, state.today)
    return {"newsletter": newsletter, "quote": found.text, "said_by": found.voice}


class WritingPrompt(TypedDict):
    """An exercise.

    Attributes:
        date: The day it is set for.
        prompt: The opening idea.
        words: How many words the piece may have at most.
        minutes: How many minutes there are to write it.
    """

    date: Annotated[str, ECHO]
    prompt: Annotated[str, Attribute("prompt.idea", is_a="passage.value")]
    words: Annotated[int, Attribute("prompt.words", is_a="text.words")]
    minutes: Annotated[int, Attribute("prompt.minutes", is_a="duration.minutes")]


@tool(
    category="Inspiration",
    server="inspiration",
    about=("date",),
    rubric=_DAILY,
    scenario="A member of a writing club wants to know the exercise of a day and how long it may take.",
    human=person_cannot("Only the club knows what it will set."),
)
def get_writing_prompt(state: State, date: Day) -> WritingPrompt:
    """Give the exercise that the Inkwell writing club sets for a day, from today to thirty days ahead.

    Args:
        date: The day, as YYYY-MM-DD.
    """
    found = sources.prompt_of(state.seed, _ahead(state, date, "exercise"))
    return {"date": date, "prompt": found.idea, "words": found.words, "minutes": found.minutes}


class CalendarWord(TypedDict):
    """A word to learn.

    Attributes:
        word: The word in the foreign language.
        meaning: What it means in English.
    """

    word: Annotated[str, Attribute("calendar.word")]
    meaning: Annotated[str, Attribute("calendar.meaning", is_a="text.value")]


@tool(
    category="Inspiration",
    server="inspiration",
    about=("date",),
    rubric=_DAILY,
    scenario="A family learns one foreign word a day from a tear-off calendar and one of them peeks ahead.",
    human=person_cannot("Whoever is asked does not have the calendar."),
)
def get_word_of_the_day(state: State, date: Day, language: CalendarTongue) -> CalendarWord:
    """Give the word that the Parrot calendar of a language teaches on a day, up to thirty days ahead.

    Args:
        date: The day, as YYYY-MM-DD.
        language: The language of the calendar.
    """
    word, meaning = sources.word_of(state.seed, language, _ahead(state, date, "word"))
    return {"word": word, "meaning": meaning}


class Proverb(TypedDict):
    """A proverb.

    Attributes:
        ending: The words that follow the beginning, up to the end of the proverb.
    """

    ending: Annotated[str, Attribute("proverb.ending", is_a="passage.value")]


_PROVERBS: Final = {
    "a bird in the hand is worth": "two in the bush",
    "a stitch in time": "saves nine",
    "a watched pot": "never boils",
    "absence makes the heart": "grow fonder",
    "actions speak louder": "than words",
    "all that glitters": "is not gold",
    "an apple a day": "keeps the doctor away",
    "better late": "than never",
    "don't count your chickens": "before they hatch",
    "don't judge a book": "by its cover",
    "don't put all your eggs": "in one basket",
    "every cloud has": "a silver lining",
    "practice makes": "perfect",
    "rome wasn't built": "in a day",
    "the early bird": "catches the worm",
    "the grass is always greener": "on the other side",
    "the pen is mightier": "than the sword",
    "too many cooks": "spoil the broth",
    "when in rome": "do as the romans do",
    "where there's smoke": "there's fire",
    "you can't teach an old dog": "new tricks",
}


@tool(
    category="Inspiration",
    server="sayings",
    about=("beginning",),
    rubric=never(why="Proverbs that every reader of English can finish."),
    scenario="Somebody letters a card or a quiz and wants a proverb as it is usually told, to its end.",
    human=person_can("Everybody knows how these proverbs go on."),
)
def complete_proverb(
    _state: State, beginning: Annotated[str, Attribute("proverb.beginning"), _WORD]
) -> Proverb:
    """Complete a well-known English proverb.

    Args:
        beginning: How it begins, such as "The early bird".
    """
    key = beginning.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip(" .,…").lower()
    if key not in _PROVERBS:
        refuse("not_found", f"No proverb here begins with {beginning!r}.", near(key, _PROVERBS))
    return {"ending": _PROVERBS[key]}


class Opposite(TypedDict):
    """An adjective's opposite.

    Attributes:
        opposite: The adjective that means the contrary.
    """

    opposite: Annotated[str, Attribute("adjective.opposite", is_a="text.value")]


_BOTH_WAYS: Final = (
    *(("eastern", "western"), ("northern", "southern"), ("horizontal", "vertical"), ("singular", "plural")),
    *(("positive", "negative"), ("optimistic", "pessimistic"), ("internal", "external"), ("full", "empty")),
    *(("possible", "impossible"), ("legal", "illegal"), ("visible", "invisible"), ("perfect", "imperfect")),
    *(("complete", "incomplete"), ("honest", "dishonest"), ("regular", "irregular"), ("edible", "inedible")),
    *(("patient", "impatient"), ("reversible", "irreversible"), ("mortal", "immortal"), ("rich", "poor")),
    *(("accurate", "inaccurate"), ("temporary", "permanent"), ("urban", "rural"), ("convex", "concave")),
    *(("upper", "lower"), ("inner", "outer"), ("male", "female"), ("true", "false"), ("wide", "narrow")),
    *(("deep", "shallow"), ("early", "late"), ("strong", "weak"), ("clean", "dirty"), ("maximum", "minimum")),
)
_ONE_WAY: Final = {"hot": "cold", "wet": "dry", "heavy": "light", "fast": "slow", "alive": "dead"}
"""Their opposites have several opposites of their own: light is not dark and not heavy."""
_OPPOSITES: Final[Mapping[str, str]] = {
    **dict(_BOTH_WAYS),
    **{second: first for first, second in _BOTH_WAYS},
    **_ONE_WAY,
}


@tool(
    category="Inspiration",
    server="sayings",
    about=("adjective",),
    rubric=never(why="Pairs of opposites that every reader of English knows."),
    scenario="A parent makes a memory game of opposites, or somebody fills in a crossword.",
    human=person_can("Everybody knows these pairs."),
)
def get_opposite(_state: State, adjective: Annotated[str, Attribute("adjective.word"), _WORD]) -> Opposite:
    """Give the opposite of a common English adjective that has exactly one.

    Args:
        adjective: The adjective, such as "shallow".
    """
    found = _OPPOSITES.get(adjective.strip().lower())
    if found is None:
        fix = near(adjective, _OPPOSITES)
        refuse("not_found", f"There is no one opposite of {adjective!r} here.", fix)
    return {"opposite": found}


class Plural(TypedDict):
    """A noun's plural.

    Attributes:
        plural: The plural.
    """

    plural: Annotated[str, Attribute("noun.plural", is_a="text.value")]


_PLURALS: Final[Mapping[str, str]] = dict(
    (
        *(("child", "children"), ("mouse", "mice"), ("goose", "geese"), ("foot", "feet")),
        *(("tooth", "teeth"), ("man", "men"), ("woman", "women"), ("louse", "lice")),
        *(("leaf", "leaves"), ("knife", "knives"), ("wolf", "wolves"), ("wife", "wives")),
        *(("calf", "calves"), ("half", "halves"), ("loaf", "loaves"), ("thief", "thieves")),
        *(("life", "lives"), ("elf", "elves"), ("shelf", "shelves"), ("crisis", "crises")),
        *(("thesis", "theses"), ("analysis", "analyses"), ("oasis", "oases"), ("diagnosis", "diagnoses")),
        *(
            ("hypothesis", "hypotheses"),
            ("criterion", "criteria"),
            ("sheep", "sheep"),
            ("bacterium", "bacteria"),
        ),
        *(("aircraft", "aircraft"), ("potato", "potatoes"), ("tomato", "tomatoes"), ("hero", "heroes")),
        *(("echo", "echoes"), ("stimulus", "stimuli"), ("alumnus", "alumni"), ("ox", "oxen")),
    )
)


@tool(
    category="Inspiration",
    server="sayings",
    about=("noun",),
    rubric=never(why="Irregular plurals that are taught at school."),
    scenario="Somebody writes a sign or an essay and stumbles over the plural of a noun.",
    human=person_can("Everybody learns these plurals at school."),
)
def get_plural(_state: State, noun: Annotated[str, Attribute("noun.word"), _WORD]) -> Plural:
    """Give the plural of an English noun that forms it irregularly.

    Args:
        noun: The noun in the singular, such as "goose".
    """
    found = _PLURALS.get(noun.strip().lower())
    if found is None:
        refuse("not_found", f"{noun!r} is not among the irregular nouns here.", near(noun, _PLURALS))
    return {"plural": found}
