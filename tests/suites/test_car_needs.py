"""What a trial must have found out, and what does as well as finding it out."""

from knowact.suites.car.goals import Reference, Told, needs_of


def test_people_may_be_looked_up_together_or_one_by_one() -> None:
    both = Reference(tool="get_contact_information", arguments={"contact_ids": ["con_1", "con_2"]})
    looks = [need.any_of[0].arguments for need in needs_of([both])]
    assert looks == [{"contact_ids": ["con_1"]}, {"contact_ids": ["con_2"]}]


def test_what_a_rule_wants_at_one_value_may_be_set_unread() -> None:
    look = "get_sunroof_and_sunshade_position"
    shade = Reference(tool=look, reads=("sunshade_position",))
    opened = Reference(tool="open_close_sunroof", arguments={"percentage": 50}, knowing=(0,))
    (need,) = needs_of([shade, opened])
    assert [one.tool for one in need.any_of] == [look, "open_close_sunshade"]
    # Where the look tells a value, or more is read, nothing stands in for it.
    by_more = opened.model_copy(update={"told": {"percentage": (Told(step=0, field="sunroof_position"),)}})
    (need,) = needs_of([shade, by_more])
    assert [one.tool for one in need.any_of] == [look]
    (need,) = needs_of([Reference(tool=look, reads=("sunroof_position",)), opened])
    assert [one.tool for one in need.any_of] == [look]
