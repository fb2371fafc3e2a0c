"""The closure over capabilities, kept to the subjects that a question is about.

Where tools take what they give (routes lead to places, places to routes), `core.closure` would follow them
without end. A tool's result is about what its arguments are about, put one after the other, so nothing helps
towards a subject but what is about a stretch of it. Looking at those stretches alone gives the same answer as
`core.closure`, where that one finishes; a test compares the two.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from knowact.core.closure import Atom, Means
from knowact.core.proof import Goal, Possibility, Proof

Subject = tuple[str, ...]


def prove_narrowly(goal: Goal, means: Sequence[Means]) -> Proof:
    """Say whether everything, something or nothing of what is wanted can be reached.

    Args:
        goal: See `core.proof.goal_of`.
        means: The tools that are there.
    """
    missing = goal.wanted - _closure(goal, means)
    if not missing:
        return Proof(Possibility.POSSIBLE, frozenset())
    possibility = Possibility.IMPOSSIBLE if missing == goal.wanted else Possibility.PARTLY
    return Proof(possibility, missing)


def _closure(goal: Goal, means: Sequence[Means]) -> frozenset[Atom]:
    atoms = {*goal.given, *goal.wanted, *(atom for rule in goal.rules for atom in (*rule.known, *rule.then))}
    subjects = frozenset(stretch for atom in atoms for stretch in _stretches(atom.about))
    known: dict[str, set[Subject]] = {}
    for atom in goal.given:
        known.setdefault(atom.attribute, set()).add(atom.about)
    usable = [one for one in means if one.usable]
    before = -1
    while before != (before := sum(map(len, known.values()))):
        for rule in goal.rules:
            if all(atom.about in known.get(atom.attribute, ()) for atom in rule.known):
                for atom in rule.then:
                    known.setdefault(atom.attribute, set()).add(atom.about)
        for one in usable:
            for attribute, subject in list(_given_by(one, subjects, known)):
                known.setdefault(attribute, set()).add(subject)
    return frozenset(Atom(attribute, subject) for attribute, some in known.items() for subject in some)


def _stretches(subject: Subject) -> Iterator[Subject]:
    yield ()
    for start in range(len(subject)):
        for end in range(start + 1, len(subject) + 1):
            yield subject[start:end]


def _given_by(
    one: Means, subjects: AbstractSet[Subject], known: Mapping[str, AbstractSet[Subject]]
) -> Iterator[tuple[str, Subject]]:
    """Yield what a tool gives about the subjects that its arguments can be about."""
    needs = {need.parameter: need.attribute for need in one.capability.needs}
    about = one.capability.about
    # A parameter beside the subject could be told by what is about anything else: it is taken for told.
    gives = one.capability.gives(one.removed_fields)
    parts = [known.get(needs[name], frozenset[Subject]()) if name in needs else _DEFAULT for name in about]
    for subject in subjects:
        if _is_made_of(subject, parts):
            yield from ((attribute, subject) for attribute in gives)


_DEFAULT: AbstractSet[Subject] = frozenset({("",)})
"""What a parameter is about that need not be told."""


def _is_made_of(subject: Subject, parts: Sequence[Iterable[Subject]]) -> bool:
    if not parts:
        return not subject
    return any(
        subject[: len(first)] == first and _is_made_of(subject[len(first) :], parts[1:]) for first in parts[0]
    )
