"""Every task, played to its end: an oracle that knows the reference talks with the scripted driver."""

from collections.abc import Iterator

import pytest

from knowact.core.world import Call
from knowact.people.driver.scripted import ScriptedDriver, reveals
from knowact.suites.car.goals import scoring_goal
from knowact.suites.car.items import asks_of
from knowact.suites.car.scoring import Outcome, score
from knowact.suites.car.task_files import shipped
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.record import Finding, Stop, TaskType, Trial, Word
from knowact.worlds.car.recording import Recorder
from knowact.worlds.car.removal import LimitedSession, removed
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld

DATA = shipped()
PHONE = "call_phone_by_number"


class Conversation:
    """The oracle: asks for every detail and every consent, does what can be done, and says what can't."""

    def __init__(self, task: CarTask) -> None:
        assert task.script is not None
        self.task, self.script = task, task.script
        self.session = CarWorld().open(task.setup, DATA.seed)
        context = self.session.car.context.model_dump(mode="json")
        taken = removed(task.absent, self.session.tools())
        inner = LimitedSession(self.session, taken, needed=bool(task.removed))
        self.recorder = Recorder(
            inner, task.id, context, type=task.type, seed=DATA.seed, removed=task.removed
        )
        self.driver = ScriptedDriver(self.script, task.persona)
        self.heard: list[str] = []
        self.word = Word.CONTINUE

    def say(self, text: str) -> str:
        self.recorder.assistant(text)
        reply = self.driver.reply(text)
        self.word = reply.word
        if reply.word is not Word.CONTINUE:
            self.recorder.rule(reply.word, "driver")
            return ""
        self.recorder.user(reply.text)
        self.heard.append(reply.text)
        return reply.text

    def play(self) -> Trial:
        self.recorder.user(self.driver.opening())
        for detail in self.script.details:
            assert self.say(f"One question: {detail.about[0].removesuffix('*')}?")
            self.recorder.rule(Word.CONTINUE, "code", finding=Finding.SETTLED)
        for wish in self.script.later:
            assert self.say("All right.") == wish
        for place, one in enumerate(self.task.reference):
            if one.consent and place in self.doable():
                assert self.say("Shall I go ahead with that?")
            if place in self.doable():
                self.recorder.batch([Call(one.tool, one.arguments)])
        if self.session.ended:
            return self.recorder.close(Stop.TOOL)
        removal = self.task.removal
        self.say(f"I can't do all of it: {removal.words} is not available." if removal else "It is done.")
        return self.recorder.close(Stop.WORD)

    def doable(self) -> frozenset[int]:
        """What can be done; where something is missing, nobody is called, because that would end it."""
        removal = self.task.removal
        lost = frozenset(removal.lost if removal else ())
        kept = range(len(self.task.reference))
        return frozenset(
            place
            for place in kept
            if place not in lost and (removal is None or self.task.reference[place].tool != PHONE)
        )


def by_id(task: CarTask) -> str:
    return task.id


@pytest.mark.parametrize("task", DATA.tasks, ids=by_id)
def test_the_oracle_reaches_the_goal_of_every_task_with_the_scripted_driver(task: CarTask) -> None:
    trial = Conversation(task).play()
    assert task.goal is not None
    goal = scoring_goal(
        task.reference,
        task.goal,
        CarWorld().open(task.setup, DATA.seed),
        barred=frozenset(task.removal.lost if task.removal else ()),
        decides=task.element.decides if task.element else (),
        asks=asks_of(task),
    )
    found = score(trial, goal, Rules.DEFINITION)
    assert found.by_code.value == 1, (found.by_code, found.violations, found.differences)
    assert found.outcome in {Outcome.SUCCESS, Outcome.OPEN}


@pytest.mark.parametrize("task", DATA.tasks, ids=by_id)
def test_no_task_tells_a_detail_before_it_is_asked_for(task: CarTask) -> None:
    conversation = Conversation(task)
    assert task.script is not None
    first = conversation.driver.reply("All right.")
    assert first.settled or first.text in task.script.later
    assert not first.revealed


@pytest.mark.parametrize("task", [one for one in DATA.tasks if one.removal], ids=by_id)
def test_a_driver_who_hears_nothing_of_the_missing_part_names_it_a_hallucination(task: CarTask) -> None:
    assert task.script is not None
    driver = ScriptedDriver(task.script, task.persona)
    words = [driver.reply("It is done.").word for _ in range(len(task.script.later) + 2)]
    assert words[-1] is Word.HALLUCINATION


@pytest.mark.parametrize("task", [one for one in DATA.tasks if one.type is TaskType.INTERNAL], ids=by_id)
def test_what_is_settled_internally_is_never_told(task: CarTask) -> None:
    assert task.script is not None
    assert task.script.secrets
    driver = ScriptedDriver(task.script, task.persona)
    for cue in task.script.secrets:
        reply = driver.reply(f"One question: {cue.removesuffix('*')}?")
        if reply.word is Word.CONTINUE:
            assert reply.pressed, cue
            assert not any(word in reply.text.lower() for word in answers(task))


@pytest.mark.parametrize("task", [one for one in DATA.tasks if one.type is TaskType.USER], ids=by_id)
def test_what_only_the_driver_can_say_is_among_the_details(task: CarTask) -> None:
    assert task.script is not None
    assert task.element is not None
    assert any(
        reveals(detail, f"Which {cue.removesuffix('*')}?")
        for detail in task.script.details
        for cue in detail.about
    )


def answers(task: CarTask) -> Iterator[str]:
    """How the right option would be said."""
    assert task.element is not None
    for option in task.element.options:
        if option.value == task.element.answer:
            yield from (word.lower() for word in option.words)
