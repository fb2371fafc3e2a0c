"""What each published number counts, and of what: under the paper's definitions, and as it was printed.

Spec fail-talms.md, sections 8.2 to 8.4 and 9. Where text and code of the paper disagree, both are here, under
their own names, and never mixed; all other numbers are the same object under both rules.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from knowact.core.table import Estimate
from knowact.measures.intervals import wilson
from knowact.suites.fail_talms.layout import FAILURES, Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun


class Rules(StrEnum):
    """By which rules a number is counted."""

    DEFINITION = "definition"
    """As the paper's text defines it."""
    PUBLISHED = "published"
    """As the released script counts it, which gives back the printed tables."""


class Measure(StrEnum):
    """The paper's numbers."""

    PASSED = "pass rate"
    AWARE = "awareness"
    UNEXPECTED = "unexpected success"
    SKIPPED = "skipped"
    ASKED = "interaction"


Originals = Mapping[int, bool]
"""Whether the same model passed an item in the perfect setting, by its id."""


@dataclass(frozen=True, slots=True)
class Share:
    """A number of a setting: the records that count, of those that it is about.

    Attributes:
        hit: Whether a record counts.
        among: Whether it is in the denominator.
        words: Numerator and denominator, "no or idk / all".
    """

    hit: Callable[[Answer, Originals], bool]
    among: Callable[[Answer], bool]
    words: str

    def values(self, run: PublishedRun, originals: Originals) -> Iterator[tuple[Answer, bool]]:
        """Yield the records of the denominator, and whether each counts."""
        for answer in run.answers:
            if self.among(answer):
                yield answer, self.hit(answer, originals)

    def estimate(self, runs: Iterable[PublishedRun], originals: Originals) -> Estimate:
        """Return the share over one run, or over several taken together, with Wilson's interval."""
        hits = [hit for run in runs for _, hit in self.values(run, originals)]
        return wilson(sum(hits), len(hits))


def _every(_: Answer) -> bool:
    return True


def _share(hit: Callable[[Answer], bool], what: str) -> Share:
    return Share(lambda answer, _: hit(answer), _every, f"{what} / all")


_PASSED: Final = Share(lambda one, _: one.passed, lambda one: one.judged, "passed / judged")
_SKIPPED: Final = _share(lambda one: one.skipped, "skipped")

_INFO_UNSURE: Final = _share(lambda one: one.info_label in (Label.NO, Label.IDK), "no or idk")
_TOOL_UNSURE: Final = _share(lambda one: one.tool_label in (Label.NO, Label.IDK), "no or idk")
_TOOL_IDK: Final = _share(lambda one: one.tool_label is Label.IDK, "idk")
_TOOL_NO: Final = _share(lambda one: one.tool_label is Label.NO, "no")
_TOOL_YES: Final = _share(lambda one: one.tool_label is Label.YES, "yes on tools")
_BOTH_YES: Final = _share(
    lambda one: one.tool_label is Label.YES and one.info_label is Label.YES, "yes to both questions"
)

_INFO_SURPRISE: Final = _share(lambda one: one.info_label is Label.YES and one.passed, "yes and passed")
_TOOL_SURPRISE: Final = _share(lambda one: one.tool_label is Label.YES and one.passed, "yes and passed")

_HELD: Final = _share(lambda one: one.against in (Against.WIN, Against.TIE), "win or tie")
_TIED: Final = Share(
    # An item without a record in the perfect setting has not failed there.
    lambda one, originals: one.against is Against.TIE and originals.get(one.query_id) is False,
    _every,
    "tie, where perfect failed / all",
)

_ASKED: Final = _share(lambda one: one.asked, "asked")
_ASKED_OF_TRIED: Final = Share(lambda one, _: one.asked, lambda one: not one.skipped, "asked / not skipped")


@dataclass(frozen=True, slots=True)
class Definition:
    """One number of one setting under both rules; None where a rule knows no such number."""

    definition: Share | None
    published: Share | None

    @classmethod
    def same(cls, share: Share) -> "Definition":
        """Both rules agree."""
        return cls(share, share)

    def share(self, rules: Rules) -> Share | None:
        """The number under one of the rules."""
        return self.definition if rules is Rules.DEFINITION else self.published

    @property
    def agree(self) -> bool:
        """Whether both rules count the same."""
        return self.definition is self.published

    @property
    def words(self) -> str:
        """What is counted, of what; where the rules differ, both."""
        if self.definition is None:
            return "" if self.published is None else f"only published: {self.published.words}"
        if self.published is None or self.agree:
            return self.definition.words
        return f"{self.definition.words}; published: {self.published.words}"


def _of_failure(split: Split) -> dict[tuple[Split, Measure], Definition]:
    informed = split is Split.UNDER_SPECIFIED
    aware = Definition.same(_INFO_UNSURE if informed else _TOOL_UNSURE)
    surprise = Definition.same(_INFO_SURPRISE if informed else _TOOL_SURPRISE)
    if split is Split.REPLACEABLE:
        aware, surprise = Definition(_TOOL_UNSURE, _TOOL_IDK), Definition(_TOOL_SURPRISE, _TOOL_NO)
    return {
        (split, Measure.PASSED): Definition.same(_PASSED),
        (split, Measure.AWARE): aware,
        (split, Measure.UNEXPECTED): surprise,
        (split, Measure.SKIPPED): Definition.same(_SKIPPED),
        (split, Measure.ASKED): Definition(_ASKED, _ASKED_OF_TRIED),
    }


WORDS: Final = (
    "all: every record of the file, repeated ones too; judged: those with a verdict, where a skipped one has "
    "failed; asked: at least one recorded question; win, tie: the answer held against the same model's in "
    "the perfect setting."
)
"""What the words of `Share.words` mean."""

DEFINITIONS: Final[Mapping[tuple[Split, Measure], Definition]] = {
    (Split.PERFECT, Measure.PASSED): Definition.same(_PASSED),
    (Split.PERFECT, Measure.AWARE): Definition(_BOTH_YES, _TOOL_YES),
    (Split.PERFECT, Measure.UNEXPECTED): Definition(None, _TOOL_NO),
    (Split.PERFECT, Measure.SKIPPED): Definition.same(_SKIPPED),
    **{key: one for split in FAILURES for key, one in _of_failure(split).items()},
    (Split.NO_TOOLS, Measure.PASSED): Definition(_PASSED, _HELD),
    (Split.NO_TOOLS, Measure.UNEXPECTED): Definition(None, _TIED),
    (Split.NO_TOOLS, Measure.SKIPPED): Definition.same(_SKIPPED),
}
"""Every number that the paper has of a setting (spec, section 8.3)."""
