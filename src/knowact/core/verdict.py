"""A verdict: what one reader, a model or a person, said about one thing that an agent said or did."""

from collections.abc import Callable
from dataclasses import dataclass, field


def _nothing() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict on stored words; verdicts of several readers on one thing have the same `key`.

    Attributes:
        trial: Names the stored trial: equal in all logs that hold the same replies.
        where: The item and epoch, as people read it.
        cluster: The item's.
        role: Who says it: "judge" or "extractor".
        kind: What is ruled on: a ballot's name, an act, the facts of a form.
        what: Which of them, where a trial has several.
        said: None for no majority, or a form that cannot be used.
        choices: What may be said.
        shown: What the reader was shown.
    """

    trial: str
    where: str
    cluster: str
    role: str
    kind: str
    what: str
    said: str | None
    choices: tuple[str, ...] = ("yes", "no")
    shown: Callable[[], str] = field(default=_nothing, compare=False)

    @property
    def key(self) -> str:
        """What is ruled on, in which trial."""
        return f"{self.trial}/{self.kind}/{self.what}"
