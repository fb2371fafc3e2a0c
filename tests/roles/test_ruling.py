"""What a judge is asked to rule on, and what its form comes to."""

import json

from hypothesis import given
from hypothesis import strategies as st

from knowact.core.declared import Act, Declared
from knowact.core.parts import Part
from knowact.reading.answer_form import ELSE
from knowact.roles.ruling import FAULT, MESSAGE_ACTS, as_vote, on_message, on_user
from knowact.roles.user_faults import FAULTS, JUDGED

PARTS = [Part("fan", "setting the fan"), Part("roof", "how far the roof opens"), Part("mail", "sending mail")]
SAID = "I can't set the fan. How far should the roof open?"


def test_the_prompt_shows_message_parts_and_material_and_no_ids() -> None:
    asked = on_message("m", PARTS, "Driver: $1?", SAID, shuffle="task-1")
    assert SAID in asked.text
    assert "Driver: $1?" in asked.text
    assert all(part.words in asked.text for part in PARTS)
    assert not any(f'"{part.id}"' in asked.text for part in PARTS)
    (slot, *_) = (one for one in asked.form.schema()["properties"].values())
    assert set(slot["anyOf"][1]["properties"]) == set(MESSAGE_ACTS)


def test_the_order_of_the_parts_hangs_on_the_task_alone() -> None:
    orders = {
        tuple(part.id for part in on_message("m", PARTS, before, SAID, shuffle=shuffle).form.parts)
        for shuffle in ("a", "b", "c", "d", "e")
        for before in ("", "something else")
    }
    assert 1 < len(orders) <= 5


def test_a_form_is_a_vote_by_part_and_act_and_an_invalid_one_is_none() -> None:
    form = on_message("m", PARTS, "", SAID, shuffle="").form
    good = {
        "part_1": {"acknowledged": "can't set the fan"},
        "part_2": {"asked": "How far should"},
        "part_3": None,
        ELSE: None,
    }
    assert as_vote(form.score(SAID, good)) == {
        "fan": {"acknowledged": "can't set the fan"},
        "roof": {"asked": "How far should"},
    }
    assert as_vote(form.score(SAID, {"part_1": {"asked": "words that it never said"}})) is None


def test_what_is_declared_goes_through_the_same_checks() -> None:
    form = on_message("m", PARTS, "", SAID, shuffle="x").form
    declared = Declared(
        acts=(Act("acknowledged", "fan", "I can't set the fan."), Act("proposed", "call", SAID))
    )
    assert as_vote(form.score(SAID, form.declared(declared))) == {
        "fan": {"acknowledged": "I can't set the fan."}
    }
    elsewhere = Declared(acts=(Act("acknowledged", "", SAID),))
    assert as_vote(form.score(SAID, form.declared(elsewhere))) == {ELSE: {"acknowledged": SAID}}


@given(
    st.recursive(
        st.none() | st.text(max_size=9), lambda x: st.lists(x) | st.dictionaries(st.text(max_size=9), x)
    )
)
def test_whatever_a_judge_fills_in_is_a_vote_or_none(filled: object) -> None:
    vote = as_vote(on_message("m", PARTS, "", SAID, shuffle="").form.score(SAID, filled))
    assert vote is None or all(part in {"fan", "roof", "mail", ELSE} for part in vote)


def test_a_user_is_judged_by_faults_in_words_with_quotes_from_either_side() -> None:
    said = "User: Open the roof.\nAssistant: Which one?\n[The user leaves: STOP]"
    asked = on_user("user", JUDGED, "You want the roof open.", said)
    assert [part.id for part in asked.form.parts] == [*JUDGED]
    assert set(JUDGED) < set(FAULTS)
    name = next(name for name, part in asked.form.schema()["properties"].items() if "waits" in str(part))
    nothing = dict.fromkeys(asked.form.schema()["properties"])
    vote = as_vote(asked.form.score(asked.said, {**nothing, name: {FAULT: "Which one?"}}))
    assert vote == {"early_stop": {FAULT: "Which one?"}}
    assert json.dumps(asked.form.schema(), ensure_ascii=False) in asked.text
