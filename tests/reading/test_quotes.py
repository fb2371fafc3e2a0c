"""Quotes: what is only typography, and where a token ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.reading.quotes import folded, stands_in


def stands(quote: str, reply: str) -> bool:
    return stands_in(folded(quote), folded(reply))


@pytest.mark.parametrize(
    ("quote", "reply"),
    [
        ("the fare is 12 euros", "So:  THE FARE\nis 12 euros."),
        ("it's \u20134 \u00b0C", "It\u2019s \u22124\u00a0\u00baC tonight"),
        ("Total 450 kcal", "| **Total** | 450 kcal |"),
        ('she said "yes"', "She said \u201eyes\u201c."),
        ("12,345 km", "about 12{,}345\\,km"),
        ("1/2 cup", "\u00bd cup"),
        ("flat 16A ... 900 euros", "The flat 16A costs, all in, 900 euros."),
        ("half a mile", "half a <b>mile</b>"),
        ("\u6771\u4eac", "\u660e\u65e5\u306f\u6771\u4eac\u3067\u3059"),
        ("caf\u00e9", "the cafe\u0301 on the corner"),
        ("16", "(16)"),
        ("it ends here", "and it ends here"),
    ],
)
def test_typography_hides_no_quote(quote: str, reply: str) -> None:
    assert stands(quote, reply)


@pytest.mark.parametrize(
    ("quote", "reply"),
    [
        ("16", "116 euros"),
        ("16", "16.5 euros"),
        ("16", "1,016 euros"),
        ("art", "it starts at nine"),
        ("start at nine", "it starts at nine"),
        ("900 euros ... flat 16A", "The flat 16A costs 900 euros."),
        ("the fare is 12", "the fare was 12"),
        ("", "anything"),
        ("...", "anything..."),
        ("  ", "anything at all"),
    ],
)
def test_what_is_not_there_is_not_found(quote: str, reply: str) -> None:
    assert not stands(quote, reply)


TEXTS = st.text(max_size=60)


@given(TEXTS, TEXTS, st.text(alphabet="abc 12.", min_size=1, max_size=20))
def test_a_piece_between_blanks_is_found(before: str, after: str, piece: str) -> None:
    if folded(piece).strip("."):
        # A blank at both ends keeps neighbours from joining it.
        assert stands(piece, f"{before} | {piece} | {after}") or "..." in folded(f"{piece} {after}")


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(TEXTS, TEXTS)
def test_whatever_the_texts_are_an_answer_comes(quote: str, reply: str) -> None:
    assert stands(quote, reply) in {True, False}
