"""The everyday world as a place: seeds, setups, writes, errors, speed."""

import hashlib
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage
from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.core.world import Call, Observation, World, WorldState
from knowact.worlds.check import Example, examples_of
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.everyday.private import keys
from knowact.worlds.paths import members
from timing import cpu, fixed, units

SIZE = {Dimension.COMPUTATION, Dimension.SCALE, Dimension.MODALITY}
"""What makes a call external however constant its answer is."""
WORLD = EverydayWorld()
EXAMPLES = examples_of("knowact.worlds.everyday")
SUCCESSFUL = [example for example in EXAMPLES if not example.problem]


def call(session: WorldState, tool: str, **arguments: Any) -> Observation:
    return session.call(Call(tool, arguments))


def code(seen: Observation) -> str:
    return seen.problem.code if seen.problem else ""


@pytest.mark.slow
def test_the_world_satisfies_the_protocols() -> None:
    world: World = WORLD
    session: WorldState = world.open({}, 0)
    assert world.name == "everyday"
    assert world.deterministic
    assert len(session.tools()) == len({tool.name for tool in session.tools()}) >= 40


def test_it_has_enough_tools_of_each_kind() -> None:
    kinds = [tool.rubric.when for tool in TOOLS if tool.rubric]
    assert kinds.count("always") >= 15
    assert kinds.count("by_argument") >= 10
    assert kinds.count("by_argument") + kinds.count("never") >= 12


@given(st.sampled_from(SUCCESSFUL), st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_equal_seeds_give_equal_results(example: Example, seed: int) -> None:
    asked = Call(example.tool, example.arguments)
    assert WORLD.open(example.setup, seed).call(asked) == WORLD.open(example.setup, seed).call(asked)


@pytest.mark.parametrize("example", SUCCESSFUL, ids=lambda example: f"{example.tool}-{example.arguments}")
def test_only_external_calls_depend_on_the_seed(example: Example) -> None:
    operation = OPERATIONS[example.tool]
    rubric = operation.tool.rubric
    assert rubric is not None
    asked = Call(example.tool, example.arguments)
    results = {WORLD.open(example.setup, seed).call(asked).text() for seed in range(12)}
    if rubric.when == "public" or operation.boundary(example.arguments) is Boundary.INTERNAL:
        assert len(results) == 1
    elif rubric.when == "always" and set(rubric.fires) - SIZE and not (operation.writes or example.setup):
        assert len(results) > 1 or example.arguments == {"base": "NOK", "quote": "NOK"}


def test_what_is_asked_before_does_not_change_an_answer() -> None:
    fresh = call(WORLD.open({}, 3), "get_contact", name="Priya Nair")
    session = WORLD.open({}, 3)
    for example in SUCCESSFUL:
        if not OPERATIONS[example.tool].writes:
            session.call(Call(example.tool, example.arguments))
    assert call(session, "get_contact", name="Priya Nair") == fresh


def test_looking_leaves_the_digest_as_it_was() -> None:
    session = WORLD.open({}, 5)
    before = session.digest()
    for example in EXAMPLES:
        if not OPERATIONS[example.tool].writes:
            session.call(Call(example.tool, example.arguments))
    assert session.digest() == before == WORLD.open({}, 5).digest()


def test_equal_states_have_equal_digests_however_they_came_about() -> None:
    written = WORLD.open({}, 1)
    call(written, "save_note", title="Wifi", text="sunflower")
    set_up = WORLD.open({"notes": {"Wifi": {"text": "sunflower"}}}, 1)
    assert written.snapshot() == set_up.snapshot()
    assert written.digest() == set_up.digest() != WORLD.open({}, 1).digest()
    for session in (written, WORLD.open({}, 1)):
        text = json.dumps(session.snapshot(), sort_keys=True, ensure_ascii=False)
        assert session.digest() == hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def test_snapshots_are_json() -> None:
    snapshot = WORLD.open({}, 2).snapshot()
    assert json.loads(json.dumps(snapshot)) == snapshot


def test_sessions_do_not_see_each_others_writes() -> None:
    first, second = WORLD.open({}, 0), WORLD.open({}, 0)
    call(first, "save_note", title="Wifi", text="sunflower")
    assert call(second, "get_note", title="Wifi").problem is not None


class TestWrites:
    def test_a_saved_note_is_read_counted_and_sorted(self) -> None:
        session = WORLD.open({}, 0)
        call(session, "save_note", title="Fruit", text="pear\nApple")
        assert call(session, "get_note", title="Fruit").value["text"] == "pear\nApple"
        assert call(session, "count_words", text="Fruit", source="note").value["words"] == 2
        assert call(session, "sort_lines", text="Fruit", source="note").value["first"] == "Apple"

    def test_an_added_event_is_found_and_listed_and_blocks_its_time(self) -> None:
        session = WORLD.open({}, 0)
        assert call(session, "add_event", title="Tea", date="2026-05-02", start="15:00").ok
        assert call(session, "find_event", title="Tea").value["start"] == "15:00"
        assert call(session, "list_events", date="2026-05-02").value["count"] == 1
        clash = call(session, "add_event", title="Call", date="2026-05-02", start="15:30")
        assert code(clash) == "conflict"
        assert clash.problem is not None
        assert "16:00" in clash.problem.fix

    def test_a_transfer_shows_in_the_balance(self) -> None:
        session = WORLD.open({"accounts": {"current": {"cents": 10_000}}}, 0)
        told = call(session, "transfer_money", account="current", payee="Tom", amount_eur=0.1).value
        assert call(session, "get_balance", account="current").value["balance_eur"] == 99.9
        assert told["balance_after_eur"] == 99.9

    def test_a_cancelled_order_is_shown_as_cancelled_and_cannot_be_cancelled_again(self) -> None:
        order = {"item": "a tent", "status": "shipped", "total": 80, "weight": 900, "city": "Ghent"}
        session = WORLD.open({"orders": {"B2298": {**order, "delivery": "2026-03-20"}}}, 0)
        assert call(session, "cancel_order", order_number="B2298").value["refund_eur"] == 80
        assert call(session, "get_order", order_number="B2298").value["status"] == "cancelled"
        assert code(call(session, "cancel_order", order_number="B2298")) == "conflict"

    def test_mails_are_numbered(self) -> None:
        session = WORLD.open({}, 0)
        numbers = [
            call(session, "send_mail", recipient="a@b.example", body=text).value["number"] for text in "xyz"
        ]
        assert numbers == [1, 2, 3]

    @pytest.mark.parametrize("example", [example for example in EXAMPLES if example.problem])
    def test_a_call_that_fails_changes_nothing(self, example: Example) -> None:
        session = WORLD.open(example.setup, 0)
        before = session.digest()
        assert not session.call(Call(example.tool, example.arguments)).ok
        assert session.digest() == before


class TestErrorsAreResults:
    def test_an_unknown_tool_suggests_near_ones(self) -> None:
        seen = call(WORLD.open({}, 0), "get_forcast")
        assert code(seen) == "unknown_tool"
        assert "get_forecast" in seen.text()

    def test_unreadable_arguments_are_told(self) -> None:
        assert code(WORLD.open({}, 0).call(Call("multiply", None))) == "bad_arguments"

    @pytest.mark.parametrize(
        ("tool", "arguments", "told"),
        [
            ("multiply", {"left": 2}, "'right' is missing"),
            ("multiply", {"left": 2, "right": 3, "third": 4}, "'third' is not a parameter"),
            ("multiply", {"left": True, "right": 3}, "'left' must be a number, not True"),
            ("multiply", {"left": float("nan"), "right": 3}, "'left' must be a number"),
            ("multiply", {"left": 10**5000, "right": 3}, "'left' must be at most"),
            ("reverse_text", {"text": 10**5000}, "an enormous number"),
            ("get_forecast", {"city": "Lisbon", "date": "tomorrow"}, "'date' must be a date"),
            ("get_forecast", {"city": None, "date": "2026-03-13"}, "'city' must be a string"),
            ("get_metal_price", {"metal": "tin"}, "'metal' must be one of 'gold', 'silver', 'platinum'"),
            ("add_amounts", {"amounts": [1, "2"]}, "'amounts'[1] must be a number"),
            ("spell_number", {"number": 2.5}, "'number' must be a whole number"),
            ("change_case", {"text": "x" * 201, "style": "upper"}, "at most 200 characters"),
        ],
    )
    def test_wrong_arguments_are_told_by_name(self, tool: str, arguments: dict[str, Any], told: str) -> None:
        seen = WORLD.open({}, 0).call(Call(tool, arguments))
        assert code(seen) == "bad_arguments"
        assert told in seen.text()

    def test_null_leaves_out_what_may_be_left_out(self) -> None:
        assert call(WORLD.open({}, 0), "split_bill", bill=90, people=3, tip_percent=None).value["total"] == 90

    def test_a_whole_number_may_be_written_with_a_point(self) -> None:
        assert call(WORLD.open({}, 0), "spell_number", number=5.0).value["words"] == "five"

    def test_a_missing_record_suggests_near_keys(self) -> None:
        seen = call(WORLD.open({}, 0), "get_contact", name="maria lindqvist")
        assert code(seen) == "not_found"
        assert "Maria Lindqvist" in seen.text()

    @pytest.mark.slow
    @given(
        st.sampled_from([tool.name for tool in TOOLS]),
        st.dictionaries(
            st.sampled_from(["city", "date", "text", "left", "right", "amounts", "title", "source", "zzz"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
                lambda inner: (
                    st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
                ),
                max_leaves=5,
            ),
        ),
    )
    @settings(deadline=None, max_examples=300)
    def test_nothing_that_an_agent_writes_raises(self, tool: str, arguments: dict[str, Any]) -> None:
        seen = WORLD.open({}, 0).call(Call(tool, arguments))
        assert seen.ok or seen.problem is not None
        assert isinstance(seen.text(), str)


class TestSetup:
    def test_the_clock_is_shown_with_its_weekday(self) -> None:
        assert WORLD.open({}, 0).context()["now"] == "2026-03-12 09:30 (Thursday)"
        assert WORLD.open({"clock": "2026-12-24 18:00"}, 0).context()["now"] == "2026-12-24 18:00 (Thursday)"

    def test_context_is_the_same_for_every_seed(self) -> None:
        assert WORLD.open({}, 1).context() == WORLD.open({}, 2).context()

    @pytest.mark.parametrize(
        "table", ["contacts", "mailbox", "events", "orders", "bookings", "accounts", "notes"]
    )
    def test_keys_that_queries_may_name_exist_for_every_seed(self, table: str) -> None:
        for seed in range(5):
            assert tuple(members(WORLD.open({}, seed).snapshot()[table])) == tuple(sorted(keys(table)))

    def test_a_record_can_be_taken_away(self) -> None:
        session = WORLD.open({"contacts": {"Tom Okafor": None}}, 0)
        assert code(call(session, "get_contact", name="Tom Okafor")) == "not_found"

    @pytest.mark.parametrize(
        ("setup", "told"),
        [
            ({"note": {}}, "'notes'"),
            ({"clock": "noon"}, "2026-03-12 09:30"),
            ({"clock": "9999-12-31 23:59"}, "between 1900 and 2200"),
            ({"home": 5}, "must be a string"),
            ({"notes": []}, "must map keys to records"),
            ({"notes": {"Wifi": {"body": "x"}}}, "notes['Wifi'] is wrong at"),
        ],
    )
    def test_a_wrong_setup_is_told_in_a_sentence(self, setup: dict[str, Any], told: str) -> None:
        with pytest.raises(BadUsage) as caught:
            WORLD.open(setup, 0)
        assert told in str(caught.value)


class TestSpeed:
    def test_a_session_opens_in_a_fraction_of_a_millisecond(self) -> None:
        WORLD.open({}, 0).snapshot()
        assert units(lambda: [WORLD.open({}, seed) for seed in range(200)]) < 10

    def test_every_call_takes_milliseconds(self) -> None:
        session = WORLD.open({}, 77)
        unit = cpu(fixed)
        for example in EXAMPLES:
            call = Call(example.tool, example.arguments)
            assert cpu(lambda call=call: session.call(call)) < 10 * unit, example.tool

    @pytest.mark.slow
    def test_the_world_adds_little_to_the_import_of_the_core(self) -> None:
        # Against the core's own import in the same process: a busy machine slows both.
        script = (
            "import sys, time; clock = time.process_time; start = clock(); import knowact.core.proof; "
            "core = clock() - start; import knowact.worlds.everyday; print((clock() - start - core) / core); "
            "assert not {'inspect_ai', 'numpy', 'jsonschema'} & set(sys.modules)"
        )
        command = [sys.executable, "-c", script]
        runs = [subprocess.run(command, capture_output=True, check=True, text=True) for _ in range(2)]
        assert min(float(run.stdout) for run in runs) < 4
