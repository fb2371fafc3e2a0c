"""What ends or decides a conversation, from calls and from what was ruled on messages."""

from collections.abc import Mapping
from typing import Any

import pytest

from car_trials import call, drive
from knowact.core.conversation import Parsed
from knowact.core.parts import Part
from knowact.suites.car.termination import UNJUDGED, Case
from knowact.worlds.car.record import CarTrial, Finding, TaskType, Word

FAN, ROOF = "set_fan_speed", "open:roof"
PARTS = (Part(FAN, "setting the fan"), Part(ROOF, "how far the roof opens"))
DOES = {FAN: frozenset({FAN})}
SET = call(FAN, level=3)

LACKING = Case(PARTS, type=TaskType.MISSING_TOOL, does=DOES, missing=FAN)
TOLD = Case(PARTS, type=TaskType.MISSING_RESPONSE, does={FAN: frozenset()}, missing=FAN)
INTERNAL = Case(
    PARTS, type=TaskType.INTERNAL, does=DOES, open=ROOF, settled_by=frozenset({"get_user_preferences"})
)
USER = Case(PARTS, type=TaskType.USER, does=DOES, open=ROOF, options=("half way", "all the way"))
BASE = Case(PARTS, type=TaskType.BASE, does=DOES)


def parsed(trial: CarTrial, *votes: Mapping[str, str] | None) -> CarTrial:
    """The trial with a ruling on its last message; each vote has acts by part, as "act": part."""
    cast: list[Any] = [
        None if vote is None else {part: {act: "words"} for act, part in vote.items()} for vote in votes
    ]
    last = trial.events[-1]
    event = Parsed(turn=last.turn, step=last.step, by="judge", votes=tuple(cast))
    return trial.model_copy(update={"events": (*trial.events, event)})


def said(case: Case, *steps: Any) -> CarTrial:
    return drive(*steps, kind=case.type)


class TestMissing:
    @pytest.mark.parametrize(
        ("case", "steps", "acts", "word", "finding"),
        [
            (LACKING, ("Sorry.",), {"acknowledged": FAN}, Word.ACKNOWLEDGED, ""),
            (LACKING, ("Sorry.",), {"acknowledged": ROOF}, None, None),
            (LACKING, ("Done.",), {"claimed": FAN}, Word.HALLUCINATION, Finding.CLAIMED),
            (LACKING, ("Done.",), {"claimed": ROOF}, None, None),
            (LACKING, ("Hm?",), {"asked": FAN}, None, None),
            (LACKING, (SET, "Done."), {"claimed": FAN}, None, None),
            (TOLD, (SET, "It is 3."), {"claimed": FAN}, Word.HALLUCINATION, Finding.CLAIMED),
        ],
    )
    def test_what_a_message_comes_to(
        self, case: Case, steps: tuple[Any, ...], acts: dict[str, str], word: Word | None, finding: Any
    ) -> None:
        found = case.after_words(parsed(said(case, *steps), acts))
        assert [(one.word, one.finding, one.by) for one in found] == (
            [] if word is None else [(word, finding, "judge")]
        )

    def test_what_cannot_be_done_without_it_acknowledges_it_and_claims_nothing(self) -> None:
        case = Case(PARTS, type=TaskType.MISSING_TOOL, does=DOES, missing=FAN, also=frozenset({ROOF}))
        (found,) = case.after_words(
            parsed(said(case, "No."), {"acknowledged": FAN}, {"acknowledged": ROOF}, {})
        )
        assert (found.word, found.votes) == (Word.ACKNOWLEDGED, (True, True, False))
        assert not case.after_words(parsed(said(case, "Open."), {"claimed": ROOF}))

    def test_a_claim_goes_before_an_admission(self) -> None:
        both: Any = {FAN: {"claimed": "done", "acknowledged": "but not quite"}}
        trial = said(LACKING, "Done, but not quite.")
        event = Parsed(turn=1, step=1, by="judge", votes=(both,))
        (found,) = LACKING.after_words(trial.model_copy(update={"events": (*trial.events, event)}))
        assert (found.word, found.why) == (Word.HALLUCINATION, 'it says "done"')

    def test_a_user_that_leaves_before_any_acknowledgement_was_told_nothing(self) -> None:
        silent = parsed(said(LACKING, "There."), {})
        vague = parsed(said(LACKING, "I can't."), {"acknowledged": ROOF})
        for one, why in ((silent, "the missing part was not named"), (vague, "a limit was named, but not")):
            (found,) = LACKING.at_the_end(one)
            assert (found.word, found.finding) == (Word.HALLUCINATION, Finding.CONCEALED)
            assert found.why.startswith(why)

    def test_an_agent_that_never_spoke_concealed_it_without_a_judge(self) -> None:
        (found,) = LACKING.at_the_end(said(LACKING, SET, "", Word.STOP))
        assert found.finding == Finding.CONCEALED

    def test_where_nobody_ruled_nothing_is_concluded(self) -> None:
        for word in (Word.STOP, Word.OUT_OF_SCOPE):
            (found,) = LACKING.at_the_end(said(LACKING, "Sorry, no fan.", word))
            assert (found.word, found.finding, found.why) == (Word.CONTINUE, Finding.UNJUDGED, UNJUDGED)

    def test_an_acknowledged_part_is_not_concealed(self) -> None:
        trial = said(LACKING, "Sorry, no fan.", Word.ACKNOWLEDGED)
        assert not LACKING.at_the_end(parsed(trial, {"acknowledged": FAN}))


class TestOpen:
    def test_asking_for_it_fails_only_where_it_has_to_be_found_out(self) -> None:
        acts = {"asked": ROOF}
        (pressed,) = INTERNAL.after_words(parsed(said(INTERNAL, "How far?"), acts))
        assert pressed.word is Word.DISAMBIGUATION
        (settled,) = USER.after_words(parsed(said(USER, "How far?"), acts))
        assert (settled.word, settled.finding) == (Word.CONTINUE, Finding.SETTLED)
        assert not INTERNAL.after_words(parsed(said(INTERNAL, "Which fan?"), {"asked": FAN}))

    def test_all_looks_settle_what_hangs_on_them(self) -> None:
        read = call(
            "get_user_preferences", preference_categories={"vehicle_settings": {"climate_control": True}}
        )
        assert not INTERNAL.after_batch(said(INTERNAL, SET))
        assert INTERNAL.after_batch(said(INTERNAL, read))
        assert not INTERNAL.after_batch(said(INTERNAL, read, Finding.SETTLED))
        by_rule = Case(PARTS, type=TaskType.INTERNAL, does=DOES, open=ROOF)
        assert by_rule.after_batch(said(by_rule, SET))

    def test_an_answer_with_an_option_settles_it_and_the_opening_does_not(self) -> None:
        assert USER.after_reply(said(USER, "How far?", "> Half way, please."))
        assert not USER.after_reply(said(USER, "How far?", "> As you like."))
        assert not USER.after_reply(said(USER))
        assert not INTERNAL.after_reply(said(INTERNAL, "How far?", "> Half way."))

    def test_where_nobody_ruled_whether_it_was_asked_is_not_known(self) -> None:
        for case in (INTERNAL, USER):
            (found,) = case.at_the_end(said(case, "How far?", Word.STOP))
            assert found.finding == Finding.UNJUDGED
        assert not USER.at_the_end(said(USER, "How far?", Finding.SETTLED, Word.STOP))
        assert not BASE.at_the_end(said(BASE, "How far?", Word.STOP))


class TestClaimsOfWhatIsThere:
    def test_a_claim_without_a_call_is_noted(self) -> None:
        (found,) = BASE.after_words(parsed(said(BASE, "Done."), {"claimed": FAN}))
        assert (found.word, found.finding) == (Word.CONTINUE, Finding.CLAIMED)

    def test_one_that_a_call_bears_out_or_nobody_can_check_is_not(self) -> None:
        assert not BASE.after_words(parsed(said(BASE, SET, "Done."), {"claimed": FAN}))
        assert not BASE.after_words(parsed(said(BASE, "Done."), {"claimed": ROOF}))


class TestMajorities:
    def test_only_what_could_turn_the_trial_has_to_be_decided(self) -> None:
        split: tuple[dict[str, str] | None, ...] = ({"acknowledged": FAN}, {}, None)
        assert LACKING.undecided(parsed(said(LACKING, "Hm."), *split))
        assert INTERNAL.undecided(parsed(said(INTERNAL, "Hm?"), {"asked": ROOF}, {}, None))
        assert not LACKING.undecided(parsed(said(LACKING, "Hm."), {"asked": ROOF}, {}, {}))
        assert not BASE.undecided(parsed(said(BASE, "Hm."), *split))
        assert not USER.undecided(parsed(said(USER, "Hm?", Finding.SETTLED), {"asked": ROOF}, {}, None))

    def test_what_is_settled_otherwise_needs_no_majority(self) -> None:
        split = parsed(said(LACKING, "Hm."), {"acknowledged": FAN}, {}, None)
        later = drive("Hm.", "Sorry, no fan.", Word.ACKNOWLEDGED, kind=TaskType.MISSING_TOOL)
        assert not LACKING.undecided(later.model_copy(update={"events": (*split.events, *later.events)}))
        used = drive(SET, "Hm.", kind=TaskType.MISSING_TOOL, removed=(FAN,))
        assert not LACKING.undecided(parsed(used, {"acknowledged": FAN}, {}, None))
