"""Content: what writers and keepers of lists do with titles, texts, drafts and articles."""

import datetime as dt
import math
import unicodedata
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, by_source, never, on, refuse
from knowact.worlds.everyday.fields import Day
from knowact.worlds.everyday.private.work import Draft, SavedArticle, Sheet
from knowact.worlds.everyday.state import State
from knowact.worlds.everyday.tools.language import Lines, Source, lines_of, read_text
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_WORDING: Final = Server("Content", "wording")
_LISTS: Final = Server("Content", "lists")
_DESK: Final = Server("Content", "desk")

Heading = Annotated[str, Attribute("passage.value"), Rules(max_length=120)]
DraftTitle = Annotated[str, Attribute("draft.title"), Rules(max_length=120)]
ArticleTitle = Annotated[str, Attribute("article.title"), Rules(max_length=120)]
_OWN: Final = always(Dimension.PRIVACY, why="Only the user's own desk has it.")
_PACE_DIGITS: Final = 2
_LONGEST_READ: Final = 10_000


def paced(words: int, words_per_minute: int) -> bool:
    """At most ten thousand words; length and pace have at most two significant digits each (4,800 by 200)."""
    few_digits = max(limits.digits(words), limits.digits(words_per_minute)) <= _PACE_DIGITS
    return words <= _LONGEST_READ and few_digits


class Initials(Shape):
    initials: str = fact(
        "phrase.initials", "The first letter of every word, in capitals, without spaces or points."
    )


@_WORDING.tool(
    rubric=never(why="Taking the first letter of a few words is reading."),
    scenario="A club or a project needs a short name made of the first letters of its long one.",
    person_can="Anybody can read off the first letters.",
)
def make_initials(_state: State, phrase: Heading) -> Initials:
    """Make an abbreviation of a phrase from the first letter of every word, small words included.

    Args:
        phrase: The phrase, at most 120 characters; words are separated by spaces.
    """
    words = [word.lstrip("\"'(") for word in phrase.split()]
    first = [word[0] for word in words if word and word[0].isalnum()]
    if not first:
        refuse("bad_arguments", "There are no words in the phrase.", "Give at least one word.")
    return Initials(initials="".join(first).upper())


class Slug(Shape):
    slug: str = fact(
        "title.slug",
        "The title in small letters, words joined by hyphens, punctuation and apostrophes left out.",
    )


@_WORDING.tool(
    also_done_by=("change_case",),
    rubric=never(why="Writing a title in small letters with hyphens is copying."),
    scenario="A blogger needs the last part of the web address for a new post.",
    person_can="Anybody can write a title with hyphens.",
)
def make_slug(_state: State, title: Heading) -> Slug:
    """Turn a title into the last part of a web address: small letters, hyphens, no accents, no punctuation.

    Args:
        title: The title, at most 120 characters.
    """
    plain = unicodedata.normalize("NFKD", title.replace("-", " ")).lower()
    odd = sorted({letter for letter in plain if letter.isalnum() and not letter.isascii()})
    if odd:
        fix = "Write the title with the letters a to z."
        refuse("bad_arguments", f"There is no plain letter for {odd[0]!r}.", fix)
    kept = "".join(letter for letter in plain if letter.isspace() or (letter.isascii() and letter.isalnum()))
    if not kept.split():
        refuse("bad_arguments", "Nothing of the title is left.", "Give a title with Latin letters or digits.")
    return Slug(slug="-".join(kept.split()))


class ReadingTime(Shape):
    minutes: int = fact("reading.minutes", "The time in whole minutes, rounded up.")


@_WORDING.tool(
    also_done_by=("multiply", "get_percentage", "split_bill", "get_fuel_needed"),
    rubric=by_size(on(paced), why="4,800 words at 200 a minute are done by head; 37,412 at 237 are not."),
    scenario="Somebody plans a talk or a reading and wants to know how long a text of some length takes.",
    person_can="Anybody can divide one number by the other on paper.",
)
def get_reading_time(
    _state: State,
    words: Annotated[int, Attribute("text.words"), Rules(minimum=1, maximum=10_000_000)],
    words_per_minute: Annotated[int, Attribute("reading.pace"), Rules(minimum=1, maximum=2_000)],
) -> ReadingTime:
    """Work out how long a text takes to read or to speak, in whole minutes, rounded up.

    Args:
        words: How many words the text has.
        words_per_minute: How many words are read in a minute.
    """
    return ReadingTime(minutes=math.ceil(words / words_per_minute))


class PickedLine(Shape):
    line: str = fact("text.picked_line", "The line.")


@_LISTS.tool(
    also_done_by=("get_note", "sort_lines"),
    rubric=by_source(
        on(limits.pasted_lines),
        why="A few pasted lines are looked over at once; a long list is not, nor a note of the user's.",
    ),
    scenario="Somebody wonders what they wrote down first or last, or which line is too long for a label.",
    person_can="Whoever has the list before them can point at the line.",
)
def pick_line(
    state: State, text: Lines, which: Literal["first", "last", "longest"], source: Source = "text"
) -> PickedLine:
    """Give the first, the last or the longest line of a text or of one of the user's notes.

    The longest line has the most characters, spaces included; there must be only one of that length.

    Args:
        text: The lines; with source "note", the title of the note.
        which: Which line to give.
        source: Whether `text` is the text itself or the title of a note.
    """
    lines = lines_of(read_text(state, text, source), "The text has no lines.")
    if which == "longest":
        most = max(map(len, lines))
        longest = [line for line in lines if len(line) == most]
        if len(longest) > 1:
            message = (
                f"{len(longest)} lines are equally long: {longest[0]!r} and {longest[1]!r}, for example."
            )
            refuse("conflict", message, "Ask for the first or the last line.")
        return PickedLine(line=longest[0])
    return PickedLine(line=lines[0] if which == "first" else lines[-1])


class LinesWithoutDuplicates(Shape):
    text: str = fact(
        ("text.unique", "text.unique_count"),
        "The lines that stay, each once, in the order in which they first stood.",
    )
    kept: int = fact("text.unique_count", "How many lines stay.")
    removed: int = fact("text.repeated_count", "How many lines were taken out.")


@_LISTS.tool(
    rubric=by_source(
        on(limits.pasted_lines),
        why="A few pasted names are gone through by eye; a long list is not, nor a sheet of the user's.",
    ),
    scenario="An organiser has a list on which people signed up twice and wants each of them once.",
    person_can="Whoever has the list before them can strike out what stands there twice.",
)
def remove_duplicates(
    state: State, text: Lines, source: Literal["text", "sheet"] = "text"
) -> LinesWithoutDuplicates:
    """Keep every line of a list once, leaving case aside, or do so with one of the user's sign-up sheets.

    Args:
        text: The lines, one entry per line; with source "sheet", the title of the sign-up sheet.
        source: Whether `text` is the text itself or the title of a sign-up sheet.
    """
    read = text if source == "text" else state.record(Sheet, text, "sign-up sheet").text
    lines = lines_of(read, "There are no lines in the list.")
    unique: dict[str, str] = {}
    for line in lines:
        unique.setdefault(line.casefold(), line)
    kept = "\n".join(unique.values())
    return LinesWithoutDuplicates(text=kept, kept=len(unique), removed=len(lines) - len(unique))


class DraftShown(Shape):
    title: str = echo("Its title.")
    words: int = fact("draft.words", "How many words it has.")
    updated: str = fact("draft.updated", "The day on which it was last changed, YYYY-MM-DD.")
    editor: str = fact("draft.editor", "Who reads it before it goes out.")


@_DESK.tool(
    rubric=_OWN,
    scenario="A writer wants to know how long a piece has become, or who is to read it before it goes out.",
    person_cannot="Only the user's own writing desk shows it.",
)
def get_draft(state: State, title: DraftTitle) -> DraftShown:
    """Tell how long one of the user's drafts is, when it was last changed and who edits it.

    Args:
        title: The draft's title.
    """
    return DraftShown.of(state.record(Draft, title, "draft titled"), title=title)


class ScheduledDraft(Shape):
    title: str = echo("Its title.")
    date: str = echo("The day on which it goes out.")
    time: str = fact("draft.slot", "The time of that day at which it goes out, HH:MM.")


@_DESK.tool(
    changes=("draft.scheduled",),
    rubric=always(Dimension.INTERACTION, why="The piece will go out on that day, which it did not before."),
    scenario="A blogger has finished a piece and wants it to appear on a certain day.",
    person_cannot="Only the user's own account can publish.",
)
def schedule_draft(state: State, title: DraftTitle, date: Day) -> ScheduledDraft:
    """Set the day on which one of the user's drafts is published; it goes out at the draft's usual hour.

    Args:
        title: The draft's title.
        date: The day, as YYYY-MM-DD; it must come after today.
    """
    draft = state.record(Draft, title, "draft titled")
    if dt.date.fromisoformat(date) <= state.today:
        refuse("bad_arguments", f"{date} does not come after today.", "Choose a later day.")
    if draft.scheduled == date:
        refuse("conflict", f"{title!r} is set for {date} already.", "Choose another day, or leave it.")
    state.put(title, draft.model_copy(update={"scheduled": date}))
    return ScheduledDraft(title=title, date=date, time=draft.slot)


class SavedArticleShown(Shape):
    title: str = echo("Its title.")
    author: str = fact("article.author", "Who wrote it.")
    site: str = fact("article.site", "Where it appeared.")
    minutes: int = fact("article.minutes", "How many minutes it takes to read.")
    saved: str = fact("article.saved", "The day on which the user put it aside, YYYY-MM-DD.")


@_DESK.tool(
    rubric=_OWN,
    scenario="Somebody remembers putting an article aside and wants to know who wrote it or how long it is.",
    person_cannot="Only the user's own reading list shows it.",
)
def get_saved_article(state: State, title: ArticleTitle) -> SavedArticleShown:
    """Show an article of the user's reading list: author, site, minutes to read, and the day it was saved.

    Args:
        title: The article's title.
    """
    return SavedArticleShown.of(state.record(SavedArticle, title, "saved article titled"), title=title)
