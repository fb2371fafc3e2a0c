"""The colours and shapes of all figures: each stands for one meaning only, on the page and on paper.

Three kinds of things are told apart by colour, and the three lists share no colour: which *run* a mark is of,
which know-act *quadrant*, and which *kind* of anything else (a topology, an error class, a setting). What is
alone, or named where it stands, is `NEUTRAL`.

Colour is never the only sign, because print may be grey and eyes differ: series have shapes of their own,
shares carry their names, too, and neighbours in a list differ in lightness.
"""

from collections.abc import Sequence
from typing import Final

RUNS: Final = ("#6655BB", "#88CCEE", "#993355", "#CC6677", "#4477AA", "#E78AC3", "#999999")
"""Runs of models and agents, in the order in which a figure names them: blues, reds and a grey, after Paul
Tol's "muted" scheme (Colour Schemes, SRON technical note 3.2, 2021), none so dark that dark pages hide it."""

QUADRANTS: Final = ("#01665E", "#5AB4AC", "#DFC27D", "#F6E8C3")
"""From right on both counts to wrong on both: green knows, sand does not, and each step is lighter. Four of
ColorBrewer's "BrBG"."""

KINDS: Final = (
    *("#117733", "#DDDD55", "#663311", "#EE7733", "#B5C95A", "#555500", "#FFC9A3", "#999933", "#CC9900"),
)
"""Whatever else a figure tells apart: the greens, yellows and browns that are left. So many are needed for
the error classes of a conversation, which are also named in their bars."""

NEUTRAL: Final = "#777777"
"""A mark that needs no colour, visible on white and on near-black."""

SHAPES: Final = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "stroke")
"""A shape per series, in the order of the colours."""


def dark(colour: str) -> bool:
    """Whether white text reads better on a colour than black text (WCAG 2.2, relative luminance)."""
    return luminance(colour) < 0.179  # noqa: PLR2004 - where both contrasts are equal


def luminance(colour: str) -> float:
    """The relative luminance of "#rrggbb", from 0 for black to 1 for white."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - sRGB


def enough(palette: Sequence[str], count: int) -> list[str]:
    """The first `count` of a list, from its beginning again where it is too short."""
    return [palette[place % len(palette)] for place in range(count)]
