"""The parts of labelled items: what each of them lacks and has, as answer forms and judges are shown it."""

from collections.abc import Iterator
from typing import Literal

from knowact.core.model import Noun
from knowact.core.parts import Part


class Slot(Noun):
    """A parameter that has to be known."""

    parameter: str
    attribute: str = ""
    description: str = ""

    @property
    def words(self) -> str:
        """What it is, in words."""
        return f"{self.parameter.replace('_', ' ')}: {self.description}"


class Job(Noun):
    """Something that a tool would do."""

    tool: str
    description: str = ""
    reports: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What it does, in words."""
        return self.description or self.tool.replace("_", " ")


class Missing(Noun):
    """What an item lacks and has.

    Attributes:
        slots: The values that are missing.
        jobs: The tools that are missing.
        there_slots: The values that are there.
        there_jobs: The tools that are there.
        stuck_jobs: Those of `there_jobs` that a missing value is for.
        phrases: How the item itself speaks of what is missing.
        about: Words of the item that are no phrase of it.
    """

    slots: tuple[Slot, ...] = ()
    jobs: tuple[Job, ...] = ()
    there_slots: tuple[Slot, ...] = ()
    there_jobs: tuple[Job, ...] = ()
    stuck_jobs: tuple[Job, ...] = ()
    phrases: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """Each part once; an id begins with "m" for missing, "s" for stuck, "t" for there."""
        found: dict[str, Part] = {}
        for name, place, one in self._all():
            tag: Literal["m", "s", "t"] = "t" if name.startswith("there") else "m"
            found.setdefault(
                one.words, Part(f"{'s' if one in self.stuck_jobs else tag}:{name}:{place}", one.words)
            )
        return tuple(found.values())

    @property
    def lacking(self) -> str:
        """What is missing, a line each."""
        return "\n".join(f"- {one.words}" for one in (*self.slots, *self.jobs)) or "- (nothing)"

    @property
    def there(self) -> str:
        """What is there, a line each."""
        return "\n".join(f"- {one.words}" for one in (*self.there_slots, *self.there_jobs)) or "- (nothing)"

    def _all(self) -> Iterator[tuple[str, int, Slot | Job]]:
        groups: tuple[tuple[str, tuple[Slot | Job, ...]], ...] = (
            *(("slots", self.slots), ("jobs", self.jobs)),
            *(("there_slots", self.there_slots), ("there_jobs", self.there_jobs)),
        )
        return ((name, place, one) for name, many in groups for place, one in enumerate(many))
