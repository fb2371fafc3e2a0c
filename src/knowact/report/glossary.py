"""What the words in the heads of tables mean: told where they stand, and once more at the end of the page."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowact.core.suite import Suite
from knowact.core.table import Better, Term
from knowact.report.best import term_of
from knowact.report.markup import Markup, join, tag

_GOOD: Mapping[Better, str] = {"higher": " Higher is better.", "lower": " Lower is better.", "": ""}


@dataclass(slots=True)
class Glossary:
    """The words that a page has used so far, in the order of their first use, each with its anchor."""

    _used: dict[tuple[str, str], tuple[str, Term]] = field(
        default_factory=dict[tuple[str, str], tuple[str, Term]]
    )

    def __bool__(self) -> bool:
        """Whether any word was used."""
        return bool(self._used)

    def words(self, suite: Suite | None = None) -> "Words":
        """The words of one suite's tables; without one, those that all suites share."""
        if suite is None:
            return Words(self, "", {})
        return Words(self, suite.title.partition(":")[0], suite.terms)

    def anchor(self, owner: str, word: str, term: Term) -> str:
        """Where a word is explained; from now on it is."""
        return self._used.setdefault((owner, word), (f"term-{len(self._used) + 1}", term))[0]

    def html(self) -> Markup:
        """A list of all words that were used, in alphabetical order."""
        entries = sorted(self._used.items(), key=lambda entry: (entry[0][1].casefold(), entry[0][0]))
        return tag(
            "dl",
            *(
                join(
                    tag(
                        "dt", word.replace("_", " "), tag("small", f" {owner}") if owner else None, id=anchor
                    ),
                    tag("dd", meaning(term)),
                )
                for (owner, word), (anchor, term) in entries
            ),
            class_="glossary",
        )


@dataclass(frozen=True, slots=True)
class Words:
    """The words that the tables of one suite may use.

    Attributes:
        glossary: Collects those that are used.
        owner: The suite as readers know it; empty for all suites.
        own: The suite's own words; others are looked up among those that suites share.
    """

    glossary: Glossary
    owner: str
    own: Mapping[str, Term]

    def term(self, word: str) -> Term | None:
        """What a word means, if anybody says."""
        return term_of(word, self.own)

    def explained(self, word: str) -> Markup:
        """The word as it is read, with its meaning in a tooltip, and a link to it; bare if nobody says."""
        shown = word.replace("_", " ")
        term = self.term(word)
        if term is None:
            return join(shown)
        anchor = self.glossary.anchor(self.owner if word in self.own else "", word, term)
        return tag("a", shown, class_="term", href=f"#{anchor}", title=meaning(term))


def meaning(term: Term) -> str:
    """A term in a sentence or two, with which of its values are good."""
    return term.meaning + _GOOD[term.better]
