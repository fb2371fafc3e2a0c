"""Sub-tasks of language, writing and sayings, worked out a second time: character by character, or read back.

Nothing here imports the world. A text is passed as it is: none of these reads the user's notes.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

Arguments = Mapping[str, Any]

ONES: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen"),
)
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ABROAD: Final = ("french", "german", "spanish", "italian", "dutch")
# As they stand in the middle of a sentence: only German nouns and the names of feasts have capitals.
PHRASES: Final = {
    "good morning": ("bonjour", "guten Morgen", "buenos días", "buongiorno", "goedemorgen"),
    "good evening": ("bonsoir", "guten Abend", "buenas noches", "buonasera", "goedenavond"),
    "good night": ("bonne nuit", "gute Nacht", "buenas noches", "buonanotte", "goedenacht"),
    "see you tomorrow": ("à demain", "bis morgen", "hasta mañana", "a domani", "tot morgen"),
    "have a good trip": ("bon voyage", "gute Reise", "buen viaje", "buon viaggio", "goede reis"),
    "enjoy your meal": ("bon appétit", "guten Appetit", "buen provecho", "buon appetito", "eet smakelijk"),
    "goodbye": ("au revoir", "auf Wiedersehen", "adiós", "arrivederci", "tot ziens"),
    "red wine": ("vin rouge", "Rotwein", "vino tinto", "vino rosso", "rode wijn"),
    "merry christmas": (
        *("joyeux Noël", "frohe Weihnachten", "feliz Navidad"),
        *("buon Natale", "vrolijk kerstfeest"),
    ),
    "happy birthday": (
        *("joyeux anniversaire", "alles Gute zum Geburtstag", "feliz cumpleaños"),
        *("buon compleanno", "gefeliciteerd met je verjaardag"),
    ),
    "thank you very much": (
        *("merci beaucoup", "vielen Dank", "muchas gracias"),
        *("grazie mille", "hartelijk dank"),
    ),
}
PROVERBS: Final = (
    "A bird in the hand is worth two in the bush",
    "A stitch in time saves nine",
    "A watched pot never boils",
    "Absence makes the heart grow fonder",
    "Actions speak louder than words",
    "An apple a day keeps the doctor away",
    "Better late than never",
    "Don't count your chickens before they hatch",
    "Don't judge a book by its cover",
    "Don't put all your eggs in one basket",
    "Every cloud has a silver lining",
    "Practice makes perfect",
    "Rome wasn't built in a day",
    "The early bird catches the worm",
    "The grass is always greener on the other side",
    "The pen is mightier than the sword",
    "Too many cooks spoil the broth",
    "You can't teach an old dog new tricks",
    "Where there's smoke there's fire",
)
CONTRARIES: Final = (
    {"eastern", "western"},
    {"northern", "southern"},
    {"horizontal", "vertical"},
    {"singular", "plural"},
    {"negative", "positive"},
    {"optimistic", "pessimistic"},
    {"internal", "external"},
    {"empty", "full"},
    {"poor", "rich"},
    {"temporary", "permanent"},
    {"urban", "rural"},
    {"convex", "concave"},
    {"upper", "lower"},
    {"inner", "outer"},
    {"female", "male"},
    {"false", "true"},
    {"wide", "narrow"},
    {"shallow", "deep"},
    {"late", "early"},
    {"weak", "strong"},
    {"dirty", "clean"},
    {"maximum", "minimum"},
    {"hot", "cold"},
    {"wet", "dry"},
    {"heavy", "light"},
    {"alive", "dead"},
)
NEGATED: Final = {
    "im": ("possible", "perfect", "patient", "mortal"),
    "il": ("legal",),
    "in": ("visible", "complete", "edible", "accurate"),
    "dis": ("honest",),
    "ir": ("regular", "reversible"),
}
# Tried in order: the first whose pattern fits gives the plural.
PLURALS: Final[tuple[tuple[str, str], ...]] = (
    (r"(sheep|aircraft)", r"\1"),
    (r"(ox)", r"\1en"),
    (r"(child)", r"\1ren"),
    (r"(f|g|t)oo(t|se|th)", r"\1ee\2"),
    (r"(l|m)ouse", r"\1ice"),
    (r"(wo)man", r"\1men"),
    (r"(.*)(?:fe|f)", r"\1ves"),
    (r"(.*)is", r"\1es"),
    (r"(.*)us", r"\1i"),
    (r"(.*)(?:um|on)", r"\1a"),
    (r"(.*o)", r"\1es"),
)


def words_and_lines(a: Arguments) -> dict[str, int]:
    """Go from character to character: a word begins where white space ends."""
    words, lines, inside = 0, 1, False
    for character in a["text"]:
        lines += character == "\n"
        words += not inside and not character.isspace()
        inside = not character.isspace()
    return {"words": words, "lines": lines}


def sorted_lines(a: Arguments) -> dict[str, str]:
    """Pick the least of the lines that are left, again and again."""
    left, done = a["text"].split("\n"), list[str]()
    while left:
        least = left[0]
        for line in left:
            if line.lower() < least.lower():
                least = line
        left.remove(least)
        done.append(least)
    if a.get("order") == "descending":
        done = [done[-1 - place] for place in range(len(done))]
    return {"text": "\n".join(done), "first": done[0], "last": done[-1]}


def backwards(a: Arguments) -> dict[str, str]:
    """Put every letter before those that came earlier."""
    text = ""
    for letter in a["text"]:
        text = letter + text
    return {"text": text}


def spelt(words: str) -> int:
    """Read a number in words."""
    total = part = 0
    for word in re.findall(r"[a-z]+", words):
        if word in ONES:
            part += ONES.index(word)
        elif word in TENS:
            part += 20 + 10 * TENS.index(word)
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + part * 1000, 0
    return total + part


def in_words(a: Arguments) -> dict[str, str]:
    """Count aloud up to a thousand, put two of those numbers together, and read the whole back."""
    thousands, rest = divmod(int(a["number"]), 1000)
    words = _counted(rest)
    if thousands:
        link = " and " if rest < 100 else " "
        words = f"{_counted(thousands)} thousand" + (link + words if rest else "")
    assert spelt(words) == a["number"]
    return {"words": words}


def _counted(number: int) -> str:
    said = list(ONES)
    for ten in TENS:
        said += [ten, *(f"{ten}-{one}" for one in ONES[1:10])]
    below_hundred = said[1:]
    for one in ONES[1:10]:
        said += [f"{one} hundred", *(f"{one} hundred and {rest}" for rest in below_hundred)]
    return said[number]


def anagram(a: Arguments) -> dict[str, bool]:
    """Strike the letters of the one out of the other."""
    left = [letter for letter in a["second"].lower() if letter.isalnum()]
    for letter in a["first"].lower():
        if not letter.isalnum():
            continue
        if letter not in left:
            return {"anagram": False}
        left.remove(letter)
    return {"anagram": not left}


def translated(a: Arguments) -> dict[str, str]:
    """Look it up in the phrase book above."""
    return {"translation": PHRASES[a["phrase"].lower().rstrip("!")][ABROAD.index(a["language"])]}


def _capital(letter: str) -> str:
    return chr(ord(letter) - 32) if "a" <= letter <= "z" else letter


def _small(letter: str) -> str:
    return chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter


def cased(a: Arguments) -> dict[str, str]:
    """Shift letters by 32 places; title case gives every word a capital, snake_case joins by underscores."""
    small = "".join(map(_small, a["text"]))
    match a["style"]:
        case "upper":
            return {"text": "".join(map(_capital, a["text"]))}
        case "title":
            opens = [place == 0 or small[place - 1] == " " for place in range(len(small))]
            return {
                "text": "".join(
                    _capital(letter) if first else letter for letter, first in zip(small, opens, strict=True)
                )
            }
        case "snake":
            return {"text": small.replace(" ", "_")}
        case _:
            return {"text": small}


def letter_count(a: Arguments) -> dict[str, int]:
    """Count the gaps that the letter leaves."""
    return {"count": len(re.split(re.escape(a["letter"].lower()), a["text"].lower())) - 1}


def word_found(a: Arguments) -> dict[str, Any]:
    """Collect letters into words and compare each that ends."""
    count, word = 0, ""
    for character in a["text"].lower() + " ":
        if character.isalnum() or character == "'":
            word += character
        else:
            count, word = count + (word == a["word"].lower()), ""
    return {"found": count > 0, "count": count}


def initials(a: Arguments) -> dict[str, str]:
    """Keep every letter that follows a space."""
    return {"initials": "".join(re.findall(r"(?<= )\S", " " + a["phrase"])).upper()}


def slug(a: Arguments) -> dict[str, str]:
    """Take the accents off their letters, then let plain letters, digits and gaps through."""
    plain = map(_small, unicodedata.normalize("NFD", a["title"]))
    kept = "".join(character for character in plain if re.match(r"[a-z0-9 -]", character))
    return {"slug": re.sub(r"[ -]+", "-", kept.strip(" -"))}


def reading_time(a: Arguments) -> dict[str, int]:
    """Count the minutes that have begun before the last word."""
    time = Fraction(a["words"], a["words_per_minute"])
    return {"minutes": time.numerator // time.denominator + (time.denominator > 1)}


def picked(a: Arguments) -> dict[str, str]:
    """Walk down the lines; a longer one takes the place of the one held."""
    lines = a["text"].split("\n")
    held = lines[0]
    for line in lines[1:]:
        if a["which"] == "last" or (a["which"] == "longest" and len(line) > len(held)):
            held = line
    return {"line": held}


def without_duplicates(a: Arguments) -> dict[str, Any]:
    """Drop a line if one above it is the same."""
    lines = a["text"].split("\n")
    kept = [
        line
        for place, line in enumerate(lines)
        if all(line.lower() != above.lower() for above in lines[:place])
    ]
    return {"text": "\n".join(kept), "kept": len(kept), "removed": len(lines) - len(kept)}


def ending(a: Arguments) -> dict[str, str]:
    """Cut the beginning off the whole saying."""
    beginning = a["beginning"].lower().rstrip(". ")
    (proverb,) = [whole for whole in PROVERBS if whole.lower().startswith(f"{beginning} ")]
    return {"ending": proverb[len(beginning) + 1 :]}


def contrary(a: Arguments) -> dict[str, str]:
    """Take a negating prefix off or put it on, or take the other one of a pair."""
    adjective = a["adjective"].lower()
    for prefix, positives in NEGATED.items():
        if adjective in positives:
            return {"opposite": prefix + adjective}
        if adjective.removeprefix(prefix) in positives:
            return {"opposite": adjective.removeprefix(prefix)}
    (pair,) = [pair for pair in CONTRARIES if adjective in pair]
    (other,) = pair - {adjective}
    return {"opposite": other}


def plural(a: Arguments) -> dict[str, str]:
    """Apply the rule for its ending."""
    for pattern, form in PLURALS:
        if found := re.fullmatch(pattern, a["noun"]):
            return {"plural": found.expand(form)}
    raise AssertionError(a["noun"])


SECOND: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "count_words": words_and_lines,
    "sort_lines": sorted_lines,
    "reverse_text": backwards,
    "spell_number": in_words,
    "check_anagram": anagram,
    "translate_phrase": translated,
    "change_case": cased,
    "count_letter": letter_count,
    "find_word": word_found,
    "make_initials": initials,
    "make_slug": slug,
    "get_reading_time": reading_time,
    "pick_line": picked,
    "remove_duplicates": without_duplicates,
    "complete_proverb": ending,
    "get_opposite": contrary,
    "get_plural": plural,
}
