"""Music: what is known of notes, and what is reckoned with beats, bars and pitches."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import by_argument, never, person_can, person_cannot, refuse, tool
from knowact.worlds.everyday.fields import Minutes
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules

Tempo = Annotated[float, Attribute("music.tempo"), Rules(minimum=10, maximum=400)]
Tonic = Literal[
    "C", "G", "D", "A", "E", "B", "F", "B flat", "E flat", "A flat", "D flat", "F sharp"
]  # fmt: skip
Note = Literal[
    "C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"
]  # fmt: skip
Degree = Literal["second", "third", "fourth", "fifth", "sixth", "seventh"]
_DEGREES: Final[tuple[Degree, ...]] = ("second", "third", "fourth", "fifth", "sixth", "seventh")
_NOTES: Final[tuple[Note, ...]] = (
    "C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"
)  # fmt: skip
_SCALES: Final[Mapping[Tonic, str]] = {
    "C": "C, D, E, F, G, A, B",
    "G": "G, A, B, C, D, E, F sharp",
    "D": "D, E, F sharp, G, A, B, C sharp",
    "A": "A, B, C sharp, D, E, F sharp, G sharp",
    "E": "E, F sharp, G sharp, A, B, C sharp, D sharp",
    "B": "B, C sharp, D sharp, E, F sharp, G sharp, A sharp",
    "F": "F, G, A, B flat, C, D, E",
    "B flat": "B flat, C, D, E flat, F, G, A",
    "E flat": "E flat, F, G, A flat, B flat, C, D",
    "A flat": "A flat, B flat, C, D flat, E flat, F, G",
    "D flat": "D flat, E flat, F, G flat, A flat, B flat, C",
    "F sharp": "F sharp, G sharp, A sharp, B, C sharp, D sharp, E sharp",
}
_OCTAVE: Final = 12
_MOST_OCTAVES: Final = 3
_FEW_MINUTES: Final = 10
_FEW_BEATS_PER_BAR: Final = 6
_HANDY_TEMPO: Final = 240


class ScaleNote(TypedDict):
    """A note of a scale.

    Attributes:
        note: The note, its sharp or flat in words.
    """

    note: Annotated[str, Attribute("scale.note")]


@tool(
    category="Music",
    server="theory",
    about=("tonic", "degree"),
    rubric=never(why="The twelve usual major keys stand on the first pages of every music book."),
    scenario="Somebody learns an instrument and practises the scales of a new key.",
    human=person_can("Whoever plays an instrument knows the common keys."),
)
def get_scale_note(_state: State, tonic: Tonic, degree: Degree) -> ScaleNote:
    """Tell one note of a major scale.

    Args:
        tonic: The note that the scale starts on.
        degree: Which note of the scale, the tonic being the first.
    """
    return {"note": _SCALES[tonic].split(", ")[_DEGREES.index(degree) + 1]}


class Interval(TypedDict):
    """How far two notes are apart.

    Attributes:
        semitones: Semitones from the lower note up to the next such note above it.
    """

    semitones: Annotated[int, Attribute("interval.semitones")]


@tool(
    category="Music",
    server="theory",
    about=("low", "high"),
    rubric=never(why="One counts at most eleven keys on the piano."),
    scenario="A guitarist wonders how many frets lie between two notes on a string.",
    human=person_can("Whoever has a piano before their eyes counts the keys."),
)
def get_interval(_state: State, low: Note, high: Note) -> Interval:
    """Count the semitones from one note up to the nearest other note above it.

    Args:
        low: The lower note.
        high: The upper note.
    """
    if low == high:
        refuse("bad_arguments", "That is the same note twice.", "Give two different notes.")
    return {"semitones": (_NOTES.index(high) - _NOTES.index(low)) % _OCTAVE}


class Pitch(TypedDict):
    """A tone that has been moved.

    Attributes:
        hertz: Its new frequency in hertz, to two decimals.
    """

    hertz: Annotated[float, Attribute("pitch.moved")]


def _easily_moved(given: Mapping[str, Any]) -> bool:
    """Whole octaves, at most three of them, and a whole frequency of at most three digits."""
    octaves, rest = divmod(given["semitones"], _OCTAVE)
    hertz = given["hertz"]
    handy = limits.handy(hertz, limits.LONGER_FACTOR_DIGITS) and limits.decimals(hertz) == 0
    return not rest and octaves <= _MOST_OCTAVES and handy


@tool(
    category="Music",
    server="theory",
    about=("hertz", "semitones", "direction"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Octaves double or halve; every other step is a power of the twelfth root of two.",
        within=_easily_moved,
    ),
    scenario="Somebody tunes a synthesiser and needs the frequency of a tone so many semitones away.",
    human=person_cannot("Nobody raises the twelfth root of two to a power in passing."),
)
def transpose_tone(
    _state: State,
    hertz: Annotated[float, Attribute("pitch.hertz"), Rules(minimum=1, maximum=40_000)],
    semitones: Annotated[int, Attribute("pitch.semitones"), Rules(minimum=1, maximum=120)],
    direction: Literal["up", "down"] = "up",
) -> Pitch:
    """Work out the frequency of a tone some equal-tempered semitones above or below another.

    Args:
        hertz: Frequency of the tone to start from, in hertz.
        semitones: By how many semitones it moves; twelve are an octave.
        direction: Whether it moves up or down.
    """
    steps = semitones if direction == "up" else -semitones
    return {"hertz": round(hertz * 2 ** (steps / _OCTAVE), 2)}


class Duration(TypedDict):
    """How long some beats take.

    Attributes:
        seconds: Their duration in seconds, to two decimals.
    """

    seconds: Annotated[float, Attribute("beats.seconds")]


def _handy_tempo(bpm: float) -> bool:
    """Tens from 10 to 240."""
    return bpm <= _HANDY_TEMPO and bpm % 10 == 0


@tool(
    category="Music",
    server="theory",
    about=("beats", "bpm"),
    also_done_by=("multiply", "scale_picture"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Forty beats at 80 a minute by head; 4,387 beats at 131.7 a minute not.",
        within=lambda given: limits.handy(given["beats"], 2) and _handy_tempo(given["bpm"]),
    ),
    scenario="An editor cuts a film to music and asks how long a passage of so many beats lasts.",
    human=person_cannot("Thousands of beats at odd tempos take a calculator."),
)
def beats_to_seconds(
    _state: State,
    beats: Annotated[int, Attribute("music.beats"), Rules(minimum=1, maximum=10_000_000)],
    bpm: Tempo,
) -> Duration:
    """Work out how many seconds some beats last at a steady tempo.

    Args:
        beats: How many beats.
        bpm: The tempo in beats per minute.
    """
    return {"seconds": half_up(exact(beats) * 60 / exact(bpm), 2)}


class Bars(TypedDict):
    """How many bars fill a time.

    Attributes:
        bars: Number of complete bars.
    """

    bars: Annotated[int, Attribute("music.bars")]


def _easily_counted(given: Mapping[str, Any]) -> bool:
    """At most ten minutes at a tempo in tens, in bars of at most six beats."""
    return (
        given["minutes"] <= _FEW_MINUTES
        and _handy_tempo(given["bpm"])
        and given["beats_per_bar"] <= _FEW_BEATS_PER_BAR
    )


@tool(
    category="Music",
    server="theory",
    about=("minutes", "bpm", "beats_per_bar"),
    also_done_by=("multiply", "scale_picture"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Four minutes at 120 in common time by head; 487 minutes at 137 in seven-four not.",
        within=_easily_counted,
    ),
    scenario="A composer has so many minutes to fill and wants to know how many bars to write.",
    human=person_cannot("Hours at an odd tempo in an odd metre take a calculator."),
)
def count_bars(
    _state: State,
    minutes: Minutes,
    bpm: Tempo,
    beats_per_bar: Annotated[int, Attribute("music.metre"), Rules(minimum=1, maximum=32)],
) -> Bars:
    """Count the complete bars that fit into some minutes at a steady tempo.

    Args:
        minutes: How long the music is, in minutes.
        bpm: The tempo in beats per minute.
        beats_per_bar: How many beats a bar has.
    """
    # Decimal, because a float just below a whole number would lose a bar.
    return {"bars": int(minutes * Decimal(repr(bpm)) // beats_per_bar)}
