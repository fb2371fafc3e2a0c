"""The closure against properties and against an independent search by simulated calls."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.closure import VAGUE, Atom, Means, Rule, closure
from knowact.core.tool import Capability, Need, Report
from timing import units

ATTRIBUTES = tuple(f"thing.a{number}" for number in range(6))
SYMBOLS = ("x", "y")


def means(needs: dict[str, str], gives: Sequence[str], about: Sequence[str] | None = None) -> Means:
    return Means(
        Capability(
            about=tuple(needs) if about is None else tuple(about),
            needs=tuple(Need(parameter=name, attribute=attribute) for name, attribute in needs.items()),
            reports=tuple(Report(field=attribute, attribute=attribute) for attribute in gives),
        )
    )


@st.composite
def layered_means(draw: st.DrawFn) -> Means:
    """Up to three parameters, any of them naming the subject; results lie above what is needed."""
    level = draw(st.integers(0, len(ATTRIBUTES) - 1))
    below = st.sampled_from(ATTRIBUTES[:level]) if level else st.nothing()
    needed = draw(st.lists(below, max_size=3)) if level else []
    needs = {f"p{number}": attribute for number, attribute in enumerate(needed)}
    about = draw(st.lists(st.sampled_from((*needs, "free")), unique=True, max_size=2))
    gives = draw(st.lists(st.sampled_from(ATTRIBUTES[level:]), min_size=1, max_size=2, unique=True))
    tool = means(needs, gives, about)
    parameters = draw(st.frozensets(st.sampled_from((*needs, "free")), max_size=1))
    fields = draw(st.frozensets(st.sampled_from(gives), max_size=1))
    lost = draw(st.sampled_from(((), parameters, fields)))
    return Means(
        tool.capability,
        parameters if lost is parameters else frozenset(),
        fields if lost is fields else frozenset(),
    )


@st.composite
def cyclic_means(draw: st.DrawFn) -> Means:
    """One parameter at most, and results that may lead back to what was needed."""
    needs = {"p": draw(st.sampled_from(ATTRIBUTES))} if draw(st.booleans()) else {}
    about = ("p",) if needs and draw(st.booleans()) else ()
    return means(needs, draw(st.lists(st.sampled_from(ATTRIBUTES), min_size=1, max_size=2)), about)


ATOMS = st.builds(Atom, st.sampled_from(ATTRIBUTES), st.sampled_from(SYMBOLS).map(lambda symbol: (symbol,)))
SETS = st.frozensets(ATOMS, max_size=2)
RULES = st.lists(st.builds(Rule, SETS, SETS), max_size=3)
MEANS = st.lists(layered_means(), max_size=5) | st.lists(cyclic_means(), max_size=5)
GIVEN = st.lists(ATOMS, max_size=4)


def by_calling(given: Sequence[Atom], tools: Sequence[Means], rules: Sequence[Rule]) -> frozenset[Atom]:
    """Make one simulated call after the other, each with values in hand, until none tells anything new."""
    notebook = set(given)
    news = True
    while news:
        seen: set[Atom] = set()
        for tool in tools:
            for arguments in _callable_with(tool, sorted(notebook)):
                subject: list[str] = []
                for parameter in tool.capability.about:
                    subject += arguments[parameter].about if parameter in arguments else [""]
                seen |= {
                    Atom(report.attribute, tuple(subject))
                    for report in tool.capability.reports
                    if report.field not in tool.removed_fields
                }
        for rule in rules:
            if all(atom in notebook for atom in rule.known):
                seen |= rule.then
        news = not seen <= notebook
        notebook |= seen
    return frozenset(notebook)


def _callable_with(tool: Means, notebook: Sequence[Atom]) -> Iterator[dict[str, Atom]]:
    capability = tool.capability
    if any(need.parameter in tool.removed_parameters for need in capability.needs):
        return
    names = [need.parameter for need in capability.needs]
    fitting = [[atom for atom in notebook if atom.attribute == need.attribute] for need in capability.needs]
    for values in product(*fitting):
        yield dict(zip(names, values, strict=True))


def short(atoms: frozenset[Atom]) -> set[Atom]:
    """Leave out subjects put together from other subjects: the closure keeps those as one vague one."""
    return {atom for atom in atoms if len(atom.about) <= 2 and atom.about != VAGUE}


class TestAgainstSimulatedCalls:
    @pytest.mark.slow
    @settings(deadline=None, max_examples=400)
    @given(GIVEN, MEANS, RULES)
    def test_the_closure_reaches_exactly_what_calling_reaches(
        self, known: list[Atom], tools: list[Means], rules: list[Rule]
    ) -> None:
        reached, called = closure(known, tools, rules), by_calling(known, tools, rules)
        assert short(reached) == short(called)
        assert {atom.attribute for atom in reached} == {atom.attribute for atom in called}

    @settings(deadline=None, max_examples=100)
    @given(GIVEN, MEANS, RULES)
    def test_closing_twice_adds_nothing(
        self, known: list[Atom], tools: list[Means], rules: list[Rule]
    ) -> None:
        once = closure(known, tools, rules)
        twice = closure(once, tools, rules)
        # What is known speaks of longer subjects the second time, so fewer of them are kept as vague ones.
        assert short(twice) == short(once)
        assert {atom.attribute for atom in twice} == {atom.attribute for atom in once}


class TestMonotone:
    @settings(deadline=None, max_examples=100)
    @given(GIVEN, GIVEN, MEANS, RULES)
    def test_knowing_more_never_takes_anything_away(
        self, known: list[Atom], more: list[Atom], tools: list[Means], rules: list[Rule]
    ) -> None:
        assert closure(known, tools, rules) <= closure([*known, *more], tools, rules)

    @settings(deadline=None, max_examples=100)
    @given(GIVEN, st.lists(layered_means(), max_size=3), st.lists(layered_means(), max_size=3), RULES)
    def test_another_tool_never_takes_anything_away(
        self, known: list[Atom], tools: list[Means], more: list[Means], rules: list[Rule]
    ) -> None:
        assert closure(known, tools, rules) <= closure(known, [*tools, *more], rules)

    @settings(deadline=None, max_examples=100)
    @given(GIVEN, MEANS, RULES, RULES)
    def test_another_rule_never_takes_anything_away(
        self, known: list[Atom], tools: list[Means], rules: list[Rule], more: list[Rule]
    ) -> None:
        assert closure(known, tools, rules) <= closure(known, tools, [*rules, *more])

    @settings(deadline=None, max_examples=100)
    @given(GIVEN, MEANS, RULES, st.randoms(use_true_random=False))
    def test_order_makes_no_difference(
        self, known: list[Atom], tools: list[Means], rules: list[Rule], rng: Any
    ) -> None:
        reached = closure(known, tools, rules)
        for sequence in (known, tools, rules):
            rng.shuffle(sequence)
        assert closure(known, tools, rules) == reached


def chain(length: int) -> list[Means]:
    return [means({"of": f"thing.c{n}"}, [f"thing.c{n + 1}"]) for n in range(length)]


class TestDepth:
    @pytest.mark.parametrize("backwards", [False, True])
    def test_a_chain_of_fifty_tools_is_followed_to_its_end(self, *, backwards: bool) -> None:
        tools = chain(50)[::-1] if backwards else chain(50)
        assert Atom("thing.c50", ("x",)) in closure([Atom("thing.c0", ("x",))], tools, [])

    @pytest.mark.parametrize("broken", [0, 25, 49])
    def test_a_chain_with_one_link_gone_ends_there(self, broken: int) -> None:
        tools = chain(50)
        del tools[broken]
        reached = closure([Atom("thing.c0", ("x",))], tools, [])
        assert reached == {Atom(f"thing.c{n}", ("x",)) for n in range(broken + 1)}

    def test_a_chain_of_fifty_rules_is_followed_to_its_end(self) -> None:
        links = [
            Rule(frozenset({Atom(f"thing.c{n}", ("x",))}), frozenset({Atom(f"thing.c{n + 1}", ("x",))}))
            for n in range(50)
        ]
        assert Atom("thing.c50", ("x",)) in closure([Atom("thing.c0", ("x",))], [], links[::-1])


class TestWhatACallNeeds:
    def test_nothing_given_and_nothing_needed_still_reports_on_ones_own_world(self) -> None:
        assert closure([], [means({}, ["clock.now"])], []) == {Atom("clock.now", ())}

    def test_a_need_beside_the_subject_must_be_known_but_names_nothing(self) -> None:
        tool = means({"city": "city.name", "key": "login.key"}, ["city.tax"], about=["city"])
        city, key = Atom("city.name", ("Lisbon",)), Atom("login.key", ("k",))
        assert closure([city], [tool], []) == {city}
        assert closure([city, key], [tool], []) == {city, key, Atom("city.tax", ("Lisbon",))}

    def test_two_subjects_are_paired_in_every_way_and_never_lost_in_each_other(self) -> None:
        tool = means({"start": "place.name", "end": "place.name"}, ["route.length"])
        places = [Atom("place.name", (name,)) for name in ("a", "b")]
        pairs = {Atom("route.length", pair) for pair in product("ab", repeat=2)}
        assert closure(places, [tool], []) == {*places, *pairs}

    def test_a_removed_parameter_that_must_be_told_makes_a_tool_useless(self) -> None:
        tool = Means(means({"city": "city.name"}, ["city.tax"]).capability, frozenset({"city"}))
        city = Atom("city.name", ("Lisbon",))
        assert not tool.usable
        assert closure([city], [tool], []) == {city}


class _TooLong(Exception):  # noqa: N818 - a signal of this test, not an error
    """The closure has gone on for more rounds than it has things to find."""


class _Impatient(Capability):
    """A capability that stops its closure after a few rounds."""

    def gives(self, removed_fields: frozenset[str] = frozenset()) -> frozenset[str]:
        ROUNDS.append(1)
        if len(ROUNDS) > 8:
            raise _TooLong
        return super().gives(removed_fields)


ROUNDS: list[int] = []


def test_a_tool_of_two_subjects_that_reports_what_it_takes_comes_to_an_end() -> None:
    """ "The town half way between two towns": without a bound its subjects get longer for ever."""
    ROUNDS.clear()
    half_way = _Impatient(
        about=("start", "end"),
        needs=(
            Need(parameter="start", attribute="town.name"),
            Need(parameter="end", attribute="town.name"),
        ),
        reports=(Report(field="town", attribute="town.name"),),
    )
    town = Atom("town.name", ("Lisbon",))
    assert town in closure([town], [Means(half_way)], [])


def test_five_hundred_closures_over_forty_tools_take_no_time_to_speak_of() -> None:
    tools = [means({"of": f"thing.c{n % 8}"}, [f"thing.c{n % 8 + 1}", f"thing.d{n}"]) for n in range(40)]
    known = [Atom("thing.c0", (symbol,)) for symbol in ("x", "y")]
    assert units(lambda: [closure(known, tools, []) for _ in range(500)], tries=1) < 1_000
