"""Music: the user's playlists, concerts, and what is known of notes or reckoned with beats and pitches."""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources
from knowact.worlds.everyday.contract import Server, always, by_size, check_listed, never, on, refuse
from knowact.worlds.everyday.fields import Minutes
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private.leisure import Playlist
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_PLAYLISTS: Final = Server("Music", "playlists")
_CONCERTS: Final = Server("Music", "concerts")

PlaylistName = Annotated[str, Attribute("playlist.name"), Rules(max_length=120)]
ArtistName = Annotated[str, Attribute("artist.name"), Rules(max_length=120)]
_DOORS: Final = ("18:30", "19:00", "19:30", "20:00", "20:15", "20:30", "21:00")
_MINUTE: Final = 60


class PlaylistShown(Shape):
    playlist: str = echo("Its name.")
    tracks: int = fact("playlist.tracks", "How many songs are on it.")
    minutes: int = fact("playlist.minutes", "How long it plays, rounded to whole minutes.")
    first: str = fact("playlist.first", "Title of the first song.")
    last: str = fact("playlist.last", "Title of the last song.")


@_PLAYLISTS.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user's own music account has it."),
    scenario="Somebody plans a run, a drive or a party and asks how long their playlist lasts.",
    person_can="The user can open the playlist and read it out.",
)
def get_playlist(state: State, playlist: PlaylistName) -> PlaylistShown:
    """Look up one of the user's playlists: how many songs, how long, the first and the last of them.

    Args:
        playlist: The playlist's name.
    """
    titles = state.record(Playlist, playlist, "playlist named").titles
    if not titles:
        refuse("not_found", f"The playlist {playlist!r} is empty.", "Add a song first.")
    seconds = sum(sources.SONGS.get(title, 0) for title in titles)
    return PlaylistShown(
        playlist=playlist,
        tracks=len(titles),
        minutes=(seconds + _MINUTE // 2) // _MINUTE,
        first=titles[0],
        last=titles[-1],
    )


class AddedSong(Shape):
    position: int = fact("playlist.new_position", "Its number on the playlist, counted from 1.")


@_PLAYLISTS.tool(
    changes=("playlist.song_added",),
    rubric=always(Dimension.INTERACTION, why="The user's playlist has one song more afterwards."),
    scenario="Somebody hears a song that they like and wants it at the end of a playlist.",
    person_can="The user can add the song with two taps of their own.",
)
def add_song_to_playlist(
    state: State,
    playlist: PlaylistName,
    title: Annotated[str, Attribute("song.title"), Rules(max_length=120)],
) -> AddedSong:
    """Add a song to the end of one of the user's playlists.

    Args:
        playlist: The playlist's name.
        title: The song's title as the music service has it, such as "Copper Moon".
    """
    titles = state.record(Playlist, playlist, "playlist named").titles
    check_listed(sources.SONGS, title, f"There is no song {title!r}.")
    if title in titles:
        refuse("conflict", f"{title!r} is on the playlist already.", "Choose another song.")
    state.put(playlist, Playlist(titles=(*titles, title)))
    return AddedSong(position=len(titles) + 1)


class NextConcert(Shape):
    artist: str = echo("Who plays.")
    city: str = fact("concert.city", "The city.")
    date: str = fact("concert.date", "The day, YYYY-MM-DD.")
    starts: str = fact("concert.starts", "When it starts, HH:MM.")
    price_eur: float = fact("concert.price", "Price of one ticket in euros.")
    tickets_left: int = fact("concert.tickets", "How many tickets are left.")


@_CONCERTS.tool(
    rubric=always(Dimension.TEMPORALITY, why="Tours move on and tickets sell by the hour."),
    scenario="A fan asks where a band plays next, what a ticket costs and whether any are left.",
    person_cannot="How many tickets are left is known at the box office only.",
)
def get_next_concert(state: State, artist: ArtistName) -> NextConcert:
    """Report an artist's next concert: where, when, the price of a ticket and how many are left.

    Args:
        artist: Name of the singer or band, such as "Blue Tram".
    """
    check_listed(sources.ARTISTS, artist, f"No artist {artist!r} is on tour.")
    draw = state.draw("concert", artist, state.today.isoformat())
    return NextConcert(
        artist=artist,
        city=draw.choice(tuple(CITIES)),
        # Within the fortnight that forecasts reach.
        date=(state.today + dt.timedelta(days=draw.randint(1, 13))).isoformat(),
        starts=draw.choice(_DOORS),
        price_eur=float(draw.randint(18, 95)),
        tickets_left=draw.randint(3, 420),
    )


_THEORY: Final = Server("Music", "theory")

Tempo = Annotated[float, Attribute("music.tempo"), Rules(minimum=10, maximum=400)]
Tonic = Literal[
    "C", "G", "D", "A", "E", "B", "F", "B flat", "E flat", "A flat", "D flat", "F sharp"
]  # fmt: skip
Note = Literal[
    "C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"
]  # fmt: skip
Degree = Literal["second", "third", "fourth", "fifth", "sixth", "seventh"]
_DEGREES: Final[tuple[Degree, ...]] = get_args(Degree)
_NOTES: Final[tuple[Note, ...]] = get_args(Note)
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


class ScaleNote(Shape):
    note: str = fact("scale.note", "The note, its sharp or flat in words.")


@_THEORY.tool(
    about=("tonic", "degree"),
    rubric=never(why="The twelve usual major keys stand on the first pages of every music book."),
    scenario="Somebody learns an instrument and practises the scales of a new key.",
    person_can="Whoever plays an instrument knows the common keys.",
)
def get_scale_note(_state: State, tonic: Tonic, degree: Degree) -> ScaleNote:
    """Tell one note of a major scale.

    Args:
        tonic: The note that the scale starts on.
        degree: Which note of the scale, the tonic being the first.
    """
    return ScaleNote(note=_SCALES[tonic].split(", ")[_DEGREES.index(degree) + 1])


class Interval(Shape):
    semitones: int = fact(
        "interval.semitones", "Semitones from the lower note up to the next such note above it."
    )


@_THEORY.tool(
    about=("low", "high"),
    rubric=never(why="One counts at most eleven keys on the piano."),
    scenario="A guitarist wonders how many frets lie between two notes on a string.",
    person_can="Whoever has a piano before their eyes counts the keys.",
)
def get_interval(_state: State, low: Note, high: Note) -> Interval:
    """Count the semitones from one note up to the nearest other note above it.

    Args:
        low: The lower note.
        high: The upper note.
    """
    if low == high:
        refuse("bad_arguments", "That is the same note twice.", "Give two different notes.")
    return Interval(semitones=(_NOTES.index(high) - _NOTES.index(low)) % _OCTAVE)


def _easily_moved(hertz: float, semitones: int) -> bool:
    """Whole octaves, at most three of them, and a whole frequency of at most three digits."""
    octaves, rest = divmod(semitones, _OCTAVE)
    handy = limits.three_digits(hertz) and limits.decimals(hertz) == 0
    return not rest and octaves <= _MOST_OCTAVES and handy


class TransposedTone(Shape):
    hertz: float = fact("pitch.moved", "Its new frequency in hertz, to two decimals.")


@_THEORY.tool(
    about=("hertz", "semitones", "direction"),
    rubric=by_size(
        on(_easily_moved),
        why="Octaves double or halve; every other step is a power of the twelfth root of two.",
    ),
    scenario="Somebody tunes a synthesiser and needs the frequency of a tone so many semitones away.",
    person_cannot="Nobody raises the twelfth root of two to a power in passing.",
)
def transpose_tone(
    _state: State,
    hertz: Annotated[float, Attribute("pitch.hertz"), Rules(minimum=1, maximum=40_000)],
    semitones: Annotated[int, Attribute("pitch.semitones"), Rules(minimum=1, maximum=120)],
    direction: Literal["up", "down"] = "up",
) -> TransposedTone:
    """Work out the frequency of a tone some equal-tempered semitones above or below another.

    Args:
        hertz: Frequency of the tone to start from, in hertz.
        semitones: By how many semitones it moves; twelve are an octave.
        direction: Whether it moves up or down.
    """
    steps = semitones if direction == "up" else -semitones
    return TransposedTone(hertz=round(hertz * 2 ** (steps / _OCTAVE), 2))


def _handy_tempo(bpm: float) -> bool:
    """Tens from 10 to 240."""
    return bpm <= _HANDY_TEMPO and bpm % 10 == 0


def _handy_beats(beats: int, bpm: float) -> bool:
    """Beats of at most two digits at a handy tempo."""
    return limits.two_digits(beats) and _handy_tempo(bpm)


class BeatDuration(Shape):
    seconds: float = fact("beats.seconds", "Their duration in seconds, to two decimals.")


@_THEORY.tool(
    also_done_by=("multiply", "scale_picture"),
    rubric=by_size(
        on(_handy_beats),
        why="Forty beats at 80 a minute by head; 4,387 beats at 131.7 a minute not.",
    ),
    scenario="An editor cuts a film to music and asks how long a passage of so many beats lasts.",
    person_cannot="Thousands of beats at odd tempos take a calculator.",
)
def beats_to_seconds(
    _state: State,
    beats: Annotated[int, Attribute("music.beats"), Rules(minimum=1, maximum=10_000_000)],
    bpm: Tempo,
) -> BeatDuration:
    """Work out how many seconds some beats last at a steady tempo.

    Args:
        beats: How many beats.
        bpm: The tempo in beats per minute.
    """
    return BeatDuration(seconds=half_up(exact(beats) * 60 / exact(bpm), 2))


def _easily_counted(minutes: int, bpm: float, beats_per_bar: int) -> bool:
    """At most ten minutes at a tempo in tens, in bars of at most six beats."""
    return minutes <= _FEW_MINUTES and _handy_tempo(bpm) and beats_per_bar <= _FEW_BEATS_PER_BAR


class BarCount(Shape):
    bars: int = fact("music.bars", "Number of complete bars.")


@_THEORY.tool(
    also_done_by=("multiply", "scale_picture"),
    rubric=by_size(
        on(_easily_counted),
        why="Four minutes at 120 in common time by head; 487 minutes at 137 in seven-four not.",
    ),
    scenario="A composer has so many minutes to fill and wants to know how many bars to write.",
    person_cannot="Hours at an odd tempo in an odd metre take a calculator.",
)
def count_bars(
    _state: State,
    minutes: Minutes,
    bpm: Tempo,
    beats_per_bar: Annotated[int, Attribute("music.metre"), Rules(minimum=1, maximum=32)],
) -> BarCount:
    """Count the complete bars that fit into some minutes at a steady tempo.

    Args:
        minutes: How long the music is, in minutes.
        bpm: The tempo in beats per minute.
        beats_per_bar: How many beats a bar has.
    """
    # Decimal, because a float just below a whole number would lose a bar.
    return BarCount(bars=int(minutes * Decimal(repr(bpm)) // beats_per_bar))
