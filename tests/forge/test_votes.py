"""What votes on a text come to: which point fails, and what is discarded for it."""

from hypothesis import given
from hypothesis import strategies as st

from knowact.forge.briefs import BriefAnswer, Written
from knowact.forge.ratings import DIMENSIONS, MEANING, Rating, decided, discarded

ANSWER = BriefAnswer(brief="b", versions={"complete": Written(text="Some text.")}, writer="Ada")


def vote(denied: set[str], why: str = "", number: int = 1) -> Rating:
    holds = {name: name not in denied for name in DIMENSIONS}
    return Rating(brief="b", text="t", judge="j", vote=number, prompt="p", holds=holds, why=why)


@given(st.lists(st.sets(st.sampled_from(DIMENSIONS)), min_size=1, max_size=7))
def test_a_text_is_discarded_for_the_points_that_more_than_half_of_the_votes_deny(
    denials: list[set[str]],
) -> None:
    votes = [vote(denied) for denied in denials]
    most = [name for name in DIMENSIONS if sum(name in one for one in denials) > len(denials) / 2]
    discard = discarded(ANSWER, votes)
    assert (discard.points if discard else ()) == tuple(most)
    untouched = {name for name, decision in decided(votes).items() if decision == "passed"}
    assert untouched == set(DIMENSIONS) - set().union(*denials)


def test_one_vote_of_three_discards_nothing_and_is_left_to_people() -> None:
    votes = [vote({"realism"}), vote(set()), vote(set())]
    assert discarded(ANSWER, votes) is None
    assert decided(votes)["realism"] == "disputed"


def test_a_text_without_votes_stays() -> None:
    assert discarded(ANSWER, []) is None


def test_a_discard_holds_the_text_and_what_denying_judges_said_once() -> None:
    votes = [
        vote({"causal"}, "A stray\nstep."),
        vote({"causal"}, "A stray\nstep."),
        vote({"realism"}, "Odd."),
    ]
    discard = discarded(ANSWER, votes)
    assert discard is not None
    assert (discard.versions, discard.writer, discard.points) == (ANSWER.versions, "Ada", ("causal",))
    assert discard.why == ("A stray step.",)
    assert discard.reason == "Judges failed it for causal (A stray step.)."


def test_every_point_has_words_for_the_writer() -> None:
    assert set(MEANING) == set(DIMENSIONS)
