"""What several tries of one trial took together."""

from hypothesis import given
from hypothesis import strategies as st

from knowact.engine.records import Spent
from knowact.engine.spending import earlier_spent

TOKENS = st.tuples(st.integers(0, 9_000), st.integers(0, 900))
DOLLARS = st.none() | st.integers(0, 99).map(float)
ROLES = st.sampled_from(("judge", "user"))
NOTHING = Spent((0, 0), 0.0, None)


@st.composite
def spent(draw: st.DrawFn) -> Spent:
    """What a try took; a role has a price or none, and no price without tokens of its own."""
    roles: dict[str, tuple[int, int]] = {**draw(st.dictionaries(ROLES, TOKENS))}
    costs = {role: cost for role in roles if (cost := draw(DOLLARS)) is not None}
    return Spent(draw(TOKENS), float(draw(st.integers(0, 9))), draw(DOLLARS), roles, costs)


@given(spent())
def test_no_earlier_try_changes_nothing(trial: Spent) -> None:
    assert trial + earlier_spent(None) == trial == NOTHING + trial


@given(spent(), spent(), spent())
def test_the_order_of_tries_does_not_matter(first: Spent, second: Spent, third: Spent) -> None:
    assert first + second == second + first
    assert (first + second) + third == first + (second + third)


@given(spent(), spent())
def test_all_tokens_are_in_the_sum_and_dollars_only_where_all_are_known(first: Spent, second: Spent) -> None:
    total = first + second
    parts = (first, second)
    assert total.tokens == tuple(map(sum, zip(first.tokens, second.tokens, strict=True)))
    unpriced = any(part.cost is None and any(part.tokens) for part in parts)
    if unpriced:
        assert total.cost is None
    for role, tokens in total.role_tokens.items():
        own = [part.role_tokens.get(role, (0, 0)) for part in parts]
        assert tokens == tuple(map(sum, zip(*own, strict=True)))
        if any(any(one) and role not in part.role_cost for one, part in zip(own, parts, strict=True)):
            assert role not in total.role_cost
