"""Dialogues in the making: earlier calls, remarks, and the task of the last message alone."""

from forge.small_world import small
from knowact.core.proof import Possibility, prove_task
from knowact.core.task import Topology
from knowact.forge.briefs import COMPLETE
from knowact.forge.choose import candidates
from knowact.forge.drafts import Draft
from knowact.forge.flat import flat
from knowact.forge.texts import complaints
from knowact.forge.withholding import INCOMPLETE
from knowact.suites.ict.dialogues import dialogue_brief, dialogue_of, last_task, lost_of, turns
from knowact.suites.ict.forge import fits
from knowact.worlds.everyday.material import material

WORLD = small()
DRAFTS = [draft for draft in candidates(WORLD, 27) if len(draft.task.plan) > 1 and fits(draft, WORLD, 27)]
LOSING = [draft for draft in DRAFTS if lost_of(draft, WORLD, 27)]


def masked(draft: Draft) -> bool:
    gap = lost_of(draft, WORLD, 27)
    return gap is not None and gap.how != "left out"


def test_there_are_drafts_of_all_kinds() -> None:
    assert len(DRAFTS) > 100
    assert 0.2 < len(LOSING) / len(DRAFTS) < 0.7
    assert any(map(masked, DRAFTS))
    assert {draft.task.topology for draft in DRAFTS} == {Topology.PARALLEL, Topology.MULTI_HOP}


def test_the_last_step_is_asked_for_and_the_others_are_done() -> None:
    for draft in DRAFTS:
        brief = dialogue_brief(draft, WORLD, 27)
        assert [bool(part.gave) for part in brief.parts] == [True] * (len(brief.parts) - 1) + [False]
        script = turns(draft, lost_of(draft, WORLD, 27), 27)
        assert [turn.role for turn in script] == ["user", "assistant"] * (len(script) // 2)
        asked = [turn.job for turn in script if turn.role == "user" and turn.job is not None]
        assert asked == list(range(len(brief.parts) - 1))
        for version in brief.versions:
            assert len(version.before) == len(script)


def test_what_is_put_vaguely_is_said_in_a_remark_or_not_at_all() -> None:
    for draft in filter(masked, DRAFTS):
        complete, incomplete = dialogue_brief(draft, WORLD, 27).versions
        differ = [one != other for one, other in zip(complete.before, incomplete.before, strict=True)]
        assert sum(differ) == 1
        assert complete.before[differ.index(True)].startswith("the user")


def test_the_flat_writers_dialogues_pass_the_checks_and_become_tasks() -> None:
    for draft in DRAFTS[::5]:
        brief = dialogue_brief(draft, WORLD, 27)
        answer = flat(brief)
        assert complaints(brief, answer, draft.task, tuple(WORLD.tools)) == []
        script = turns(draft, lost_of(draft, WORLD, 27), 27)
        task = last_task(draft, brief, answer.versions[COMPLETE], script)
        assert task.topology is Topology.SINGLE_HOP
        assert len(task.plan) == 1
        assert all(argument.origin != "step" for argument in task.plan[0].arguments.values())
        assert all(fact.sources[0].startswith("0.") for fact in task.facts)
        calls = [call for one in task.opening.utterances for call in one.calls]
        assert [call.tool for call in calls] == [step.tool for step in draft.task.plan[:-1]]
        assert [call.result for call in calls] == list(draft.results[:-1])
        assert prove_task(task, WORLD.tools).possibility is Possibility.POSSIBLE


def test_both_versions_differ_in_one_message() -> None:
    for draft in LOSING[::5]:
        answer = flat(dialogue_brief(draft, WORLD, 27))
        script = turns(draft, lost_of(draft, WORLD, 27), 27)
        one, other = (
            dialogue_of(draft, answer.versions[name], script).utterances for name in (COMPLETE, INCOMPLETE)
        )
        assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
        assert (one[-1] == other[-1]) == masked(draft)


def test_the_everyday_world_yields_enough_of_them() -> None:
    assert len(material().scenarios) >= 150
