"""What newsletters, writing clubs and calendars print on a day: pure functions of the seed and the day."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator

NEWSLETTERS: Final = (
    "Brave Little Mondays",
    "Dear Procrastinator",
    "Kind Regards Daily",
    "Letters from the Weir",
    "Plain and Cheerful",
    "Quiet Harbour Post",
    "Second Wind",
    "Slow Coffee",
    "Small Steps Daily",
    "The Morning Lantern",
    "The Patient Gardener",
    "The Window Seat",
    "Three Good Lines",
    "Up with the Larks",
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
    "Alma Whitcombe",
    "Bertil Rask",
    "Constance Oyelaran",
    "Dario Venn",
    "Elspeth Moor",
    "Fintan Gray",
    "Greta Halloran",
    "Ismail Torun",
    "Juno Albrecht",
    "Kasper Lund",
    "Lavinia Stroud",
    "Mateus Pinho",
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


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence and who is said to have said it."""

    text: str
    voice: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a writing club sets for a day: the idea, and how many words and minutes it may take."""

    idea: str
    words: int
    minutes: int


def quote_of(seed: int, newsletter: str, day: dt.date) -> Quote:
    """Return the quotation that a newsletter prints on a day."""
    draw = generator(seed, "quote", newsletter, day.isoformat())
    return Quote(draw.choice(_QUOTES), draw.choice(_VOICES))


def prompt_of(seed: int, day: dt.date) -> Prompt:
    """Return the exercise that the writing club sets for a day."""
    draw = generator(seed, "prompt", day.isoformat())
    idea = f"{draw.choice(_WHO)} {draw.choice(_DOES)}."
    return Prompt(idea, draw.randint(3, 20) * 50, draw.randint(2, 9) * 5)


def word_of(seed: int, language: str, day: dt.date) -> tuple[str, str]:
    """Return the word that a language calendar teaches on a day, and what it means in English."""
    which = generator(seed, "word", language, day.isoformat()).randrange(len(_ENGLISH))
    return _WORDS[language][which], _ENGLISH[which]
