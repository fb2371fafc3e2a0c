"""Inspiration: what is printed for the day, and the small change of the English language."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday.clock import day_between
from knowact.worlds.everyday.contract import Server, always, check_listed, listed, never
from knowact.worlds.everyday.fields import Day
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

NEWSLETTERS: Final = (
    *("Brave Little Mondays", "Dear Procrastinator", "Kind Regards Daily", "Letters from the Weir"),
    *("Plain and Cheerful", "Quiet Harbour Post", "Second Wind", "Slow Coffee", "Small Steps Daily"),
    *("The Morning Lantern", "The Patient Gardener", "The Window Seat"),
    *("Three Good Lines", "Up with the Larks"),
)
_QUOTES: Final = (
    "A small boat still crosses the lake.",
    "Begin before the kettle boils.",
    "Courage is a muscle that sleeps late.",
    "Every long road is made of doorsteps.",
    "Finish the page, then judge it.",
    "Good neighbours are half of good weather.",
    "Hurry is a poor carpenter.",
    "It is never too late to water the plant.",
    "Joy arrives on foot.",
    "Keep one drawer empty.",
    "Listen as if the room were dark.",
    "Mend it while it is small.",
    "Nobody regrets a walk.",
    "Our best maps have stains on them.",
    "Patience sharpens every knife.",
    "Rest is part of the work.",
    "Say thank you with the lights on.",
    "The hill is shorter in company.",
    "What you practise at noon you own at midnight.",
    "You cannot hear the song while counting the notes.",
)
_VOICES: Final = (
    *("Alma Whitcombe", "Bertil Rask", "Constance Oyelaran", "Dario Venn", "Elspeth Moor", "Fintan Gray"),
    *("Greta Halloran", "Ismail Torun", "Juno Albrecht", "Kasper Lund", "Lavinia Stroud", "Mateus Pinho"),
)
_WHO: Final = (
    "A lighthouse keeper",
    "A shy magician",
    "A retired referee",
    "A night baker",
    "A lost tourist",
    "A judge on holiday",
)
_DOES: Final = (
    "finds a letter addressed to the dog",
    "misses the last ferry on purpose",
    "is asked to keep a secret for an hour",
    "opens the wrong suitcase",
    "hears a familiar voice on the radio",
    "inherits a locked piano",
    "bets everything on the weather",
)
_ENGLISH: Final = (
    *("butterfly", "umbrella", "fog", "squirrel", "poppy", "hedgehog", "thimble", "swallow", "lighthouse"),
    *("sunflower", "cherry", "spoon"),
)
_WORDS: Final = {
    "french": (
        *("papillon", "parapluie", "brouillard", "écureuil", "coquelicot", "hérisson", "dé à coudre"),
        *("hirondelle", "phare", "tournesol", "cerise", "cuillère"),
    ),
    "german": (
        *("Schmetterling", "Regenschirm", "Nebel", "Eichhörnchen", "Mohnblume", "Igel", "Fingerhut"),
        *("Schwalbe", "Leuchtturm", "Sonnenblume", "Kirsche", "Löffel"),
    ),
    "spanish": (
        *("mariposa", "paraguas", "niebla", "ardilla", "amapola", "erizo", "dedal", "golondrina", "faro"),
        *("girasol", "cereza", "cuchara"),
    ),
    "italian": (
        *("farfalla", "ombrello", "nebbia", "scoiattolo", "papavero", "riccio", "ditale", "rondine", "faro"),
        *("girasole", "ciliegia", "cucchiaio"),
    ),
    "dutch": (
        *("vlinder", "paraplu", "mist", "eekhoorn", "klaproos", "egel", "vingerhoed", "zwaluw", "vuurtoren"),
        *("zonnebloem", "kers", "lepel"),
    ),
}
"""The same things in each language, in the order of `_ENGLISH`."""


_INSPIRATION: Final = Server("Inspiration", "inspiration")
_SAYINGS: Final = Server("Inspiration", "sayings")

_WORD: Final = Rules(max_length=60)
_DAILY: Final = always(Dimension.TEMPORALITY, why="It is printed afresh for every day.")
_DAYS_AHEAD: Final = 30
CalendarTongue = Literal["french", "german", "spanish", "italian", "dutch"]


def _check_printed(state: State, date: str, thing: str) -> None:
    """Refuse a day for which nothing is printed yet, or any more."""
    last = state.today + dt.timedelta(days=_DAYS_AHEAD)
    day_between(date, state.today, last, f"There is no {thing} for {date}.")


class QuoteOfTheDay(Shape):
    newsletter: str = echo("The newsletter.")
    quote: str = fact("newsletter.quote", "The quotation.")
    said_by: str = fact("newsletter.quoted", "Whom the newsletter gives as its author.")


@_INSPIRATION.tool(
    rubric=_DAILY,
    scenario="Somebody looks for a sentence to open a meeting or a letter with, from a newsletter they like.",
    person_cannot="Whoever is asked has not read today's issue.",
)
def get_quote_of_the_day(
    state: State, newsletter: Annotated[str, Attribute("newsletter.name"), _WORD]
) -> QuoteOfTheDay:
    """Give the quotation in today's issue of a newsletter, and whom it is by.

    Args:
        newsletter: The newsletter's name, such as "The Morning Lantern".
    """
    check_listed(NEWSLETTERS, newsletter, f"There is no newsletter {newsletter!r}.")
    draw = state.draw("quote", newsletter, state.today.isoformat())
    return QuoteOfTheDay(newsletter=newsletter, quote=draw.choice(_QUOTES), said_by=draw.choice(_VOICES))


class WritingPrompt(Shape):
    date: str = echo("The day it is set for.")
    prompt: str = fact("prompt.idea", "The opening idea.")
    words: int = fact("prompt.words", "How many words the piece may have at most.")
    minutes: int = fact("prompt.minutes", "How many minutes there are to write it.")


@_INSPIRATION.tool(
    rubric=_DAILY,
    scenario="A member of a writing club wants to know the exercise of a day and how long it may take.",
    person_cannot="Only the club knows what it will set.",
)
def get_writing_prompt(state: State, date: Day) -> WritingPrompt:
    """Give the exercise that the Inkwell writing club sets for a day, from today to thirty days ahead.

    Args:
        date: The day, as YYYY-MM-DD.
    """
    _check_printed(state, date, "exercise")
    draw = state.draw("prompt", date)
    idea = f"{draw.choice(_WHO)} {draw.choice(_DOES)}."
    return WritingPrompt(
        date=date, prompt=idea, words=draw.randint(3, 20) * 50, minutes=draw.randint(2, 9) * 5
    )


class WordOfTheDay(Shape):
    word: str = fact("calendar.word", "The word in the foreign language.")
    meaning: str = fact("calendar.meaning", "What it means in English.")


@_INSPIRATION.tool(
    rubric=_DAILY,
    scenario="A family learns one foreign word a day from a tear-off calendar and one of them peeks ahead.",
    person_cannot="Whoever is asked does not have the calendar.",
)
def get_word_of_the_day(state: State, date: Day, language: CalendarTongue) -> WordOfTheDay:
    """Give the word that the Parrot calendar of a language teaches on a day, up to thirty days ahead.

    Args:
        date: The day, as YYYY-MM-DD.
        language: The language of the calendar.
    """
    _check_printed(state, date, "word")
    which = state.draw("word", language, date).randrange(len(_ENGLISH))
    return WordOfTheDay(word=_WORDS[language][which], meaning=_ENGLISH[which])


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


class Proverb(Shape):
    ending: str = fact("proverb.ending", "The words that follow the beginning, up to the end of the proverb.")


@_SAYINGS.tool(
    rubric=never(why="Proverbs that every reader of English can finish."),
    scenario="Somebody letters a card or a quiz and wants a proverb as it is usually told, to its end.",
    person_can="Everybody knows how these proverbs go on.",
)
def complete_proverb(
    _state: State, beginning: Annotated[str, Attribute("proverb.beginning"), _WORD]
) -> Proverb:
    """Complete a well-known English proverb.

    Args:
        beginning: How it begins, such as "The early bird".
    """
    key = beginning.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip(" .,…").lower()
    return Proverb(ending=listed(_PROVERBS, key, f"No proverb here begins with {beginning!r}."))


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


class Opposite(Shape):
    opposite: str = fact("adjective.opposite", "The adjective that means the contrary.")


@_SAYINGS.tool(
    rubric=never(why="Pairs of opposites that every reader of English knows."),
    scenario="A parent makes a memory game of opposites, or somebody fills in a crossword.",
    person_can="Everybody knows these pairs.",
)
def get_opposite(_state: State, adjective: Annotated[str, Attribute("adjective.word"), _WORD]) -> Opposite:
    """Give the opposite of a common English adjective that has exactly one.

    Args:
        adjective: The adjective, such as "shallow".
    """
    message = f"There is no one opposite of {adjective!r} here."
    return Opposite(opposite=listed(_OPPOSITES, adjective.strip().lower(), message, spelt=adjective))


_PLURALS: Final[Mapping[str, str]] = dict(
    (
        *(("child", "children"), ("mouse", "mice"), ("goose", "geese"), ("foot", "feet")),
        *(("tooth", "teeth"), ("man", "men"), ("woman", "women"), ("louse", "lice"), ("leaf", "leaves")),
        *(("knife", "knives"), ("wolf", "wolves"), ("wife", "wives"), ("calf", "calves")),
        *(("half", "halves"), ("loaf", "loaves"), ("thief", "thieves"), ("life", "lives"), ("elf", "elves")),
        *(("shelf", "shelves"), ("crisis", "crises"), ("thesis", "theses"), ("analysis", "analyses")),
        *(("oasis", "oases"), ("diagnosis", "diagnoses"), ("hypothesis", "hypotheses")),
        *(("criterion", "criteria"), ("sheep", "sheep"), ("bacterium", "bacteria")),
        *(("aircraft", "aircraft"), ("potato", "potatoes"), ("tomato", "tomatoes"), ("hero", "heroes")),
        *(("echo", "echoes"), ("stimulus", "stimuli"), ("alumnus", "alumni"), ("ox", "oxen")),
    )
)


class Plural(Shape):
    plural: str = fact("noun.plural", "The plural.")


@_SAYINGS.tool(
    rubric=never(why="Irregular plurals that are taught at school."),
    scenario="Somebody writes a sign or an essay and stumbles over the plural of a noun.",
    person_can="Everybody learns these plurals at school.",
)
def get_plural(_state: State, noun: Annotated[str, Attribute("noun.word"), _WORD]) -> Plural:
    """Give the plural of an English noun that forms it irregularly.

    Args:
        noun: The noun in the singular, such as "goose".
    """
    message = f"{noun!r} is not among the irregular nouns here."
    return Plural(plural=listed(_PLURALS, noun.strip().lower(), message, spelt=noun))
