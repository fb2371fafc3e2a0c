"""Music: the user's playlists, and concerts; what is counted or known of notes is in `music_theory`."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from typing import Annotated, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import sources_music
from knowact.worlds.everyday.contract import always, near, person_can, person_cannot, refuse, tool
from knowact.worlds.everyday.private.music import Playlist
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

PlaylistName = Annotated[str, Attribute("playlist.name"), Rules(max_length=120)]
ArtistName = Annotated[str, Attribute("artist.name"), Rules(max_length=120)]
_MINUTE: Final = 60


class PlaylistDetails(TypedDict):
    """A playlist.

    Attributes:
        playlist: Its name.
        tracks: How many songs are on it.
        minutes: How long it plays, rounded to whole minutes.
        first: Title of the first song.
        last: Title of the last song.
    """

    playlist: Annotated[str, ECHO]
    tracks: Annotated[int, Attribute("playlist.tracks")]
    minutes: Annotated[int, Attribute("playlist.minutes", is_a="duration.minutes")]
    first: Annotated[str, Attribute("playlist.first", is_a="text.value")]
    last: Annotated[str, Attribute("playlist.last", is_a="text.value")]


@tool(
    category="Music",
    server="playlists",
    about=("playlist",),
    rubric=always(Dimension.PRIVACY, why="Only the user's own music account has it."),
    scenario="Somebody plans a run, a drive or a party and asks how long their playlist lasts.",
    human=person_can("The user can open the playlist and read it out."),
)
def get_playlist(state: State, playlist: PlaylistName) -> PlaylistDetails:
    """Look up one of the user's playlists: how many songs, how long, the first and the last of them.

    Args:
        playlist: The playlist's name.
    """
    titles = state.record(Playlist, playlist, "playlist named").titles
    if not titles:
        refuse("not_found", f"The playlist {playlist!r} is empty.", "Add a song first.")
    seconds = sum(sources_music.SONGS.get(title, 0) for title in titles)
    return {
        "playlist": playlist,
        "tracks": len(titles),
        # Half a minute counts as a whole one, as on a watch; Python would round it to the even minute.
        "minutes": (seconds + _MINUTE // 2) // _MINUTE,
        "first": titles[0],
        "last": titles[-1],
    }


class AddedSong(TypedDict):
    """A song that has been added.

    Attributes:
        position: Its number on the playlist, counted from 1.
    """

    position: Annotated[int, Attribute("playlist.new_position")]


@tool(
    category="Music",
    server="playlists",
    about=("playlist", "title"),
    changes=("playlist.song_added",),
    rubric=always(Dimension.INTERACTION, why="The user's playlist has one song more afterwards."),
    scenario="Somebody hears a song that they like and wants it at the end of a playlist.",
    human=person_can("The user can add the song with two taps of their own."),
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
    if title not in sources_music.SONGS:
        refuse("not_found", f"There is no song {title!r}.", near(title, sources_music.SONGS))
    if title in titles:
        refuse("conflict", f"{title!r} is on the playlist already.", "Choose another song.")
    state.put(playlist, Playlist(titles=(*titles, title)))
    return {"position": len(titles) + 1}


class NextConcert(TypedDict):
    """A concert.

    Attributes:
        artist: Who plays.
        city: The city.
        date: The day, YYYY-MM-DD.
        starts: When it starts, HH:MM.
        price_eur: Price of one ticket in euros.
        tickets_left: How many tickets are left.
    """

    artist: Annotated[str, ECHO]
    city: Annotated[str, Attribute("concert.city", is_a="city.name")]
    date: Annotated[str, Attribute("concert.date", is_a="day.date")]
    starts: Annotated[str, Attribute("concert.starts", is_a="moment.time")]
    price_eur: Annotated[float, Attribute("concert.price", is_a="quantity.value")]
    tickets_left: Annotated[int, Attribute("concert.tickets")]


@tool(
    category="Music",
    server="concerts",
    about=("artist",),
    rubric=always(Dimension.TEMPORALITY, why="Tours move on and tickets sell by the hour."),
    scenario="A fan asks where a band plays next, what a ticket costs and whether any are left.",
    human=person_cannot("How many tickets are left is known at the box office only."),
)
def get_next_concert(state: State, artist: ArtistName) -> NextConcert:
    """Report an artist's next concert: where, when, the price of a ticket and how many are left.

    Args:
        artist: Name of the singer or band, such as "Blue Tram".
    """
    if artist not in sources_music.ARTISTS:
        refuse("not_found", f"No artist {artist!r} is on tour.", near(artist, sources_music.ARTISTS))
    found = sources_music.concert(state.seed, artist, state.today)
    return {
        "artist": artist,
        "city": found.city,
        "date": found.date.isoformat(),
        "starts": found.starts,
        "price_eur": float(found.price),
        "tickets_left": found.tickets_left,
    }
