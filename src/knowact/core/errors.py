"""What can go wrong before a run, in one sentence each.

KnowactError
├── BadData        a data file is wrong: what, where (file, line, field), what to do
├── BadUsage       an option or a combination of options is wrong
│   └── UnknownName    a name that nothing here carries; the near ones are suggested
├── Unreachable    somebody's server of tools does not do its part; in a trial, an instrument error
└── RunHeld        another process is at work in the run's folder

The command line prints the sentence and exits with the error's `exit_code`; nobody sees a traceback.
What goes wrong *during* a trial is not an exception but an `Outcome` in its record.
"""

import difflib
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar


class KnowactError(Exception):
    """The base of every error that a user's input can cause."""

    exit_code: ClassVar[int] = 2
    """What the command line exits with: wrong usage or bad data, unless a subclass says otherwise."""

    choices: tuple[str, ...] = ()
    """What to choose from, a line each, shown below the sentence."""


class BadUsage(KnowactError):  # noqa: N818 - reads as a sentence where it is raised
    """An option, a name or a combination that makes no sense.

    Args:
        said: The sentence.
        choices: What to choose from, a line each.
    """

    def __init__(self, said: str, choices: tuple[str, ...] = ()) -> None:
        self.choices = choices
        super().__init__(said)


class UnknownName(BadUsage):
    """A name that nothing here carries.

    Args:
        kind: What was looked up, in the singular ("suite", "agent").
        name: The name that was given.
        known: All names that exist; the nearest ones are suggested, or all listed.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        super().__init__(f"There is no {kind} named {name!r}. {suggest(name, self.known)}")


class Unreachable(KnowactError):  # noqa: N818 - reads as a sentence where it is raised
    """A server of tools that hangs, died, can't be started, or no longer offers what was read from it.

    A trial that it breaks off is not scored: what an agent did has no part in it.
    """


def suggest(name: str, known: Iterable[str]) -> str:
    """Say which of the `known` names come nearest to `name`; list all where none is near."""
    names = sorted(known)
    if not names:
        return "None are installed."
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(repr(n) for n in near)}?"
    return f"There are: {', '.join(names)}."


class RunHeld(KnowactError):  # noqa: N818 - reads as a sentence where it is raised
    """Another process does the same run.

    Args:
        folder: The run's folder.
        holder: Who holds it, and since when.
    """

    exit_code = 5

    def __init__(self, folder: Path, holder: str) -> None:
        self.folder, self.holder = folder, holder
        super().__init__(
            f"This run is under way already ({holder}) in {folder}. "
            "Wait until it is done, or stop it; the same command then resumes."
        )


@contextmanager
def loading(what: str, fix: str) -> Generator[None]:
    """Say in a sentence what somebody's code raised when it was loaded.

    Raises:
        BadUsage: Anything was raised.
    """
    try:
        yield
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise BadUsage(f"{what} can't be loaded ({why}). {fix}") from error


def lacks_role(option: str, role: str) -> BadUsage:
    """An option was given whose part nobody plays; the same sentence before a run and inside one."""
    return BadUsage(f"{option} takes a model for the role {role!r}: add --role {role}=MODEL.")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a data file something is wrong; line counts from 1."""

    file: Path
    line: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line is not None else str(self.file)
        return f"{where}, field {self.field!r}" if self.field else where


class BadData(KnowactError):  # noqa: N818 - reads as a sentence where it is raised
    """A data file that cannot be used.

    Args:
        what: What is wrong, as a clause without a full stop.
        place: Where.
        fix: What to do about it, as a clause in the imperative.
    """

    def __init__(self, what: str, place: Place, fix: str) -> None:
        self.what, self.place, self.fix = what, place, fix
        super().__init__(f"{place}: {what}. Fix: {fix}.")
