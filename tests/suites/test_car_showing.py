"""What people are shown of CAR tasks: sections, proofs in clauses, origins of values, rules touched."""

from dataclasses import replace

from car_agents import shipped
from knowact.suites.car.goals import Reference
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.showing import clauses, origin, sections
from knowact.suites.car.statistics import STATISTICS, touched
from knowact.suites.car.tasks import Removal
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.policies.checks import violations
from knowact.worlds.car.record import TaskType
from knowact.worlds.car.timeline import Timeline


class TestShowing:
    def test_a_planted_fault_stands_against_its_clause_and_no_other(self) -> None:
        lacking = next(item for item in shipped() if item.what.id == "hallucination_007")
        whole = replace(
            lacking,
            what=lacking.what.model_copy(update={"removal": Removal(paths=("set_fog_lights",), kind="tool")}),
        )
        bad = [clause.claim for clause in clauses(whole) if clause.against]
        assert [claim.startswith("without the part it is impossible") for claim in bad] == [True]
        other = next(item for item in shipped() if item.what.id == "base_000").what
        bad = [clause for clause in clauses(replace(lacking, base_task=other)) if clause.against][-1]
        assert "its reference differs from its base task's" in bad.against

    def test_every_task_can_be_shown_and_origins_that_nobody_knows_are_not_made_up(self) -> None:
        found: set[str] = set()
        for item in shipped():
            titles = {section.title for section in sections(item)}
            assert ("What is missing:" in titles) == (item.what.removal is not None)
            assert ("What is open:" in titles) == (item.what.element is not None)
            assert (item.base_task is None) == (item.what.type is TaskType.BASE)
            for place, one in enumerate(item.what.reference):
                for name in one.arguments:
                    found.add(where := origin(item.what, place, name))
                    assert (name in one.told) <= where.startswith("from '")
        assert {"", "from the context shown with the request", "from the driver, when asked"} <= found


class TestRulesTouched:
    def test_a_rule_is_touched_where_its_trigger_comes_up(self) -> None:
        items = {item.what.id: item for item in shipped()}
        factory = items["base_007"].factory
        proofs = Proofs(factory.world, factory.seed)
        found = touched(proofs, items["base_007"].what)
        by_code = [one for one in found if one.startswith("AUT")]
        assert by_code == ["AUT-POL:005", "AUT-POL:009", "AUT-POL:016", "AUT-POL:018", "AUT-POL:024"]
        assert {"LLM-POL:004", "LLM-POL:008", "LLM-POL:021"} <= set(found)
        steering = touched(proofs, items["base_001"].what)
        assert steering == ("LLM-POL:002",)

    def test_every_rule_comes_up_in_some_task(self) -> None:
        table = next(one for one in STATISTICS if one.id == "policies")(shipped())
        named = {row.keys["rule"].partition(": ")[0] for row in table.rows}
        assert named == set(POLICIES)

    def test_a_reference_that_breaks_a_rule_touches_it(self) -> None:
        what = next(item.what for item in shipped() if item.what.id == "base_007")
        factory = next(item.factory for item in shipped())
        bare = what.model_copy(
            update={"reference": (Reference(tool="open_close_sunroof", arguments={"percentage": 70}),)}
        )
        proofs = Proofs(factory.world, factory.seed)
        broken = {one.policy for one in violations(Timeline(proofs.played(bare)), frozenset())}
        assert broken
        assert broken <= set(touched(proofs, bare))
