"""Does a reply that was cut off at the token limit still hold the yes or no that it was asked for?"""

import re
from typing import Final

from knowact.reading.thoughts import without_thoughts

_WORD: Final = r"(?:yes|no|idk|i don['\u2019]t know)(?=[^\w'\u2019])"
"""A word that probes ask for, and a sign behind it: cut off at the end, "no" may begin "nothing"."""

_AT_THE_START: Final = re.compile(rf"\W*(?:answer\W+)?{_WORD}", re.IGNORECASE)
_ON_ITS_LINE: Final = re.compile(rf"^\W*answer\W+{_WORD}", re.IGNORECASE | re.MULTILINE)


def holds_the_word(text: str) -> bool:
    """Return whether one of the requested words stands whole where probes want it.

    That is at the start ("Begin your reply with exactly one of these words"), or on a line after "Answer:".
    What the reply says is for its reader; where this is false the cut took what was asked for.
    """
    visible = without_thoughts(text)
    return bool(_AT_THE_START.match(visible) or _ON_ITS_LINE.search(visible))
