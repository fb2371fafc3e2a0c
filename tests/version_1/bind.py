"""Binding: a variant's arguments drawn, and templates filled with the words for them."""

import random
from collections.abc import Mapping
from typing import Final

from knowact.core.errors import BadUsage
from knowact.worlds.everyday.state import State
from version_1.draw import Said, draw
from version_1.words import SLOT, Variant, Words

_TRIES: Final = 60
TODAY: Final = State({}, 0).today
"""The day that the world's clock shows unless a setup changes it."""


def arguments(
    words: Words, variant: Variant, rng: random.Random, given: Mapping[str, Said] | None = None
) -> dict[str, Said]:
    """Draw every argument of a variant; `given` ones are taken as they are."""
    bound: dict[str, Said] = dict(given or {})
    for name, how in variant.draw.items():
        if name in bound:
            continue
        for _ in range(_TRIES):
            said = draw(how, TODAY, rng, words.say_of(variant, name))
            if not how.unlike or how.unlike not in bound or said.value != bound[how.unlike].value:
                break
        else:
            raise BadUsage(f"no value of {name!r} differs from {how.unlike!r}.")
        bound[name] = said
    for name, fixed in variant.fixed.items():
        bound[name] = Said(fixed.value, "", "")
    return {name: bound[name] for name in (*variant.draw, *variant.fixed)}


def filled(template: str, said: Mapping[str, Said], *, opens: bool = False) -> str:
    """Fill a template's slots.

    Args:
        template: The text.
        said: The words by parameter.
        opens: Whether the text opens a sentence. What opens one gets a capital, unless it is a value as it
            stands.
    """
    pieces, position = list[str](), 0
    for match in SLOT.finditer(template):
        before = template[position : match.start()]
        pieces.append(before)
        one = said[match[1]]
        words = one.on if match[2] else one.words
        first = not template[: match.start()].strip()
        starts = opens if first else before.rstrip().endswith((".", "?", "!"))
        pieces.append(raised(words) if starts and words != str(one.value) else words)
        position = match.end()
    return "".join([*pieces, template[position:]])


def raised(text: str) -> str:
    """Give a text a capital."""
    return text[:1].upper() + text[1:]
