"""The closure over capabilities: everything that an agent could come to know with these tools.

It works on *atoms*, an attribute of a subject ("weather.high" of (Lisbon,
tomorrow)), never on values, so it can say *impossible* and mean it: not "no search found a way" but
"no offered tool, in any order and to any depth, reports it from what can be known". Arithmetic,
comparison, sorting, translation and reformatting are free and enter as operations without a tool.

Where it must err, it errs towards *possible*: it supposes that every call succeeds and that equal
values name one entity. What it calls impossible is impossible; what it calls possible is called
solvable only after the plan was executed (`core.proof`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from knowact.core.tool import Capability


class Atom(NamedTuple):
    """One thing that can be known or made true: an attribute of a subject.

    A value that names itself ("the city called Lisbon") is the attribute with the value as subject:
    `Atom("city.name", ("Lisbon",))`.
    """

    attribute: str
    about: tuple[str, ...]


VAGUE = ("…",)
"""The subject of everything whose own subject is longer than anybody asks for."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A specific inference that needs no tool: once all of `known` is known, so is `then`."""

    known: frozenset[Atom]
    then: frozenset[Atom]


@dataclass(frozen=True, slots=True)
class Means:
    """A tool as the closure sees it: its capability less what a condition took away.

    A removed parameter makes the tool useless where it is one of `needs` (there is no way to tell it);
    removed result fields take their attributes away.
    """

    capability: Capability
    removed_parameters: frozenset[str] = frozenset()
    removed_fields: frozenset[str] = frozenset()

    @property
    def usable(self) -> bool:
        """Whether every parameter that the tool must be told still exists.

        A subject parameter with a default need not be told: without it the tool answers for the default.
        """
        needed = {need.parameter for need in self.capability.needs}
        return not needed & self.removed_parameters


@dataclass(slots=True)
class _Known:
    """The atoms known so far, by attribute, so that a tool's parameters find their candidates fast."""

    atoms: set[Atom] = field(default_factory=set[Atom])
    by_attribute: dict[str, list[tuple[str, ...]]] = field(
        default_factory=lambda: defaultdict[str, list[tuple[str, ...]]](list)
    )

    def add(self, atom: Atom) -> bool:
        if atom in self.atoms:
            return False
        self.atoms.add(atom)
        self.by_attribute[atom.attribute].append(atom.about)
        return True


def closure(
    given: Iterable[Atom], means: Sequence[Means], rules: Sequence[Rule], asked: Iterable[Atom] = ()
) -> frozenset[Atom]:
    """Return every atom that is reachable from the given ones.

    Args:
        given: What the query, the shown context, enumerations, defaults and common knowledge tell.
        means: The offered tools.
        rules: Free operations and identities of this task.
        asked: What somebody will look for in the result, which may have longer subjects than the rest.

    The result is the least fixed point, independent of the order of all arguments, and monotone in them
    apart from vague atoms (`VAGUE`): those become plain ones where longer subjects are asked for.
    """
    known = _Known()
    for atom in given:
        known.add(atom)
    usable = [tool for tool in means if tool.usable]
    longest = _longest((*known.atoms, *asked), usable, rules)
    grew = True
    while grew:
        grew = False
        for rule in rules:
            if rule.known <= known.atoms:
                for atom in rule.then:
                    grew |= known.add(atom)
        for tool in usable:
            for atom in list(_applications(tool, known.by_attribute)):
                grew |= known.add(atom if len(atom.about) <= longest else Atom(atom.attribute, VAGUE))
    return frozenset(known.atoms)


def _longest(atoms: Iterable[Atom], means: Iterable[Means], rules: Iterable[Rule]) -> int:
    """How many parts a subject can have that anybody asks for.

    Subjects are put together from subjects and only ever grow, so a longer one can never again be what a
    rule or a goal speaks of. Such are kept as one vague subject; otherwise a tool that reports what it
    takes ("the town half way between two towns") would go on for ever.
    """
    spoken = [atom for rule in rules for atom in (*rule.known, *rule.then)]
    return max((len(atom.about) for atom in (*atoms, *spoken)), default=0) + max(
        (len(tool.capability.about) for tool in means), default=0
    )


def _applications(tool: Means, known: Mapping[str, Sequence[tuple[str, ...]]]) -> Iterator[Atom]:
    """Yield what one round of calls gives, over every way to fill the subject from what is known."""
    needs = {need.parameter: need.attribute for need in tool.capability.needs}
    others = (attribute for name, attribute in needs.items() if name not in tool.capability.about)
    if not all(known.get(attribute) for attribute in others):
        return
    candidates = [_subjects(needs.get(name), known) for name in tool.capability.about]
    gives = tool.capability.gives(tool.removed_fields)
    for chosen in product(*candidates):
        subject = VAGUE if VAGUE in chosen else tuple(part for about in chosen for part in about)
        for attribute in gives:
            yield Atom(attribute, subject)


def _subjects(
    attribute: str | None, known: Mapping[str, Sequence[tuple[str, ...]]]
) -> Sequence[tuple[str, ...]]:
    """Candidates for one subject parameter; one that need not be told stands for its default."""
    return (("",),) if attribute is None else tuple(known.get(attribute, ()))
